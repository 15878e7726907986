/** `hashbench report`: a page, a Markdown file and the figures of one or several results folders. */

import { isAbsolute, join, relative, resolve } from "node:path";
import { packageRoot } from "../../bench/base/paths.js";
import { verdictCounts } from "../../bench/claims/score.js";
import { type ExploredTable, readExplored } from "../../bench/results/explored.js";
import type { ResultRow } from "../../bench/results/record.js";
import { readAllVerified, type Verified } from "../../bench/results/verified.js";
import { checkOutFolder, writeOut } from "../../datasets/files/paths.js";
import { figureSpec } from "../figures/figure.js";
import type { ReportFormat } from "../figures/formats.js";
import { buildReport, figureFile, type Report, type ReportInput, type ScoredClaim } from "./contents.js";
import { type Host, readHosts } from "./hosts.js";
import { markdownFiles } from "./markdown.js";
import { modelColumns, modelSpec } from "./model-figure.js";
import { reportPage } from "./page.js";
import { differs } from "./scorecard.js";

interface ReportOptions {
  /** Results folders, or CSV files of them. */
  readonly from: readonly string[];
  /** Folder for report.html, or report.md with a file a paper and their figures as SVG; made if it is not there. */
  readonly out: string;
  readonly formats: readonly ReportFormat[];
  /** Called before each part of the work, and waited for. */
  readonly step?: (name: string, done: number, total: number) => Promise<void>;
}

/** The sources of a report, apart from the rows. */
interface ReportSources extends Pick<ReportInput, "experiments" | "claims" | "headlines" | "scorecard"> {
  readonly readRows: (path: string) => Promise<readonly ResultRow[]>;
}

/**
 * Writes the report, and returns its files and a summary. By device the summary has the numbers of verdicts on the papers' claims and on
 * ours, and of configurations on which two figures disagree. It also has the claims on which devices differ. Throws UsageError where a
 * folder has no rows or cannot be read.
 */
export async function writeReport(options: ReportOptions, sources: ReportSources) {
  const { from, out, formats, step = async () => undefined } = options;
  checkOutFolder(out, `--out ${out}`);
  const rows: ResultRow[] = [];
  const hosts = new Map<string, Host>();
  const verified: Verified[] = [];
  const explored: ExploredTable[] = [];
  for (const [i, path] of from.entries()) {
    await step(`reading ${path}`, i, from.length);
    for (const row of await sources.readRows(path)) rows.push(row);
    for (const [run, host] of readHosts(path)) hosts.set(run, host);
    verified.push(...readAllVerified(path));
    explored.push(...readExplored(path));
  }
  await step("judging claims", from.length, from.length);
  const report = buildReport({ ...sources, rows, hosts, verified, explored, sources: packageFrom(out) });
  const files: string[] = [];
  const write = (name: string, content: string): void => {
    const file = join(out, name);
    writeOut(file, content, `--out ${file}`);
    files.push(file);
  };
  if (formats.includes("html")) write("report.html", reportPage(report));
  if (formats.includes("markdown")) await writeMarkdown(report, write, step);
  const claims = report.papers.flatMap((paper) => paper.claims);
  const devices = report.columns.map(({ label }, i) => {
    const counts = (of: readonly ScoredClaim[]) => verdictCounts(of.flatMap(({ scores }) => scores[i] ?? []));
    return {
      label,
      verdicts: counts(claims),
      ours: counts(report.ours),
      disagreements: report.disagreements[i]?.length ?? 0,
    };
  });
  const differing = [...claims, ...report.ours].filter(differs).map(({ claim }) => claim.id);
  return { files, differing, devices };
}

/** Path of the package from a folder in it, null from any other: it would be one of this machine. */
function packageFrom(folder: string): string | null {
  const inside = relative(packageRoot, resolve(folder));
  return inside.startsWith("..") || isAbsolute(inside)
    ? null
    : relative(resolve(folder), packageRoot).replaceAll("\\", "/") || ".";
}

async function writeMarkdown(
  report: Report,
  write: (name: string, content: string) => void,
  step: NonNullable<ReportOptions["step"]>,
): Promise<void> {
  // Vega is loaded for pictures alone.
  const { renderSvg } = await import("../figures/render.js");
  for (const [name, text] of markdownFiles(report)) write(name, text);
  for (const [i, { experiment, drawn }] of report.figures.entries()) {
    await step(experiment.id, i, report.figures.length);
    for (const { column, drawing } of drawn)
      write(figureFile(report, experiment, column), await renderSvg(figureSpec(drawing)));
  }
  for (const column of modelColumns(report)) {
    const spec = modelSpec(column);
    if (spec) write(column.file, await renderSvg(spec));
  }
}
