/** What `hashbench run` prints at its end, as blocks: the terminal gets them, and files that the user names. */
import { stringify } from "csv-stringify/sync";
import { writeOut } from "../../datasets/files/paths.js";
import { claimsBlocks, countsOf, isJudged } from "../../reports/figures/claims-table.js";
import { countersOf, fastest } from "../../reports/figures/fastest.js";
import { experimentBlocks } from "../../reports/figures/table.js";
import { type Block, paragraph, plainText, printMarkdown, printText, type Table } from "../base/document.js";
import type { Experiment } from "../base/experiment.js";
import { isPapers } from "../claims/claim.js";
import type { Score } from "../claims/score.js";
import type { ResultRow } from "../results/record.js";

export interface Measured {
  readonly experiments: readonly Experiment[];
  readonly rows: readonly ResultRow[];
  readonly scores: readonly Score[];
  /** A CPU ran the kernels. */
  readonly software: boolean;
}

/** A table per panel, on one line each row. */
const UNLIMITED = 1e6;
/** Lines of an experiment's table in the tour. */
const TOUR_ROWS = 3;

/** All tables, which series is first in each, and what the papers claim of it. */
export function allBlocks({ experiments, rows, scores, software }: Measured, width = UNLIMITED): Block[] {
  const shown = experiments.flatMap((experiment) => [
    ...(software && isCounted(experiment, rows)
      ? experimentBlocks(countersOf(experiment, ["probes", "transactions"]), rows, { width })
      : []),
    ...experimentBlocks(software ? ofThisCpu(experiment) : experiment, rows, { width }),
    ...fastest(experiment, rows, software),
  ]);
  return [...shown, ...(scores.length > 0 ? claimsBlocks(scores, software) : [])];
}

/** Of each experiment the beginning of one table, and a sentence on its claims: all of it stands on the page of figures. */
export function tourText({ experiments, rows, scores, software }: Measured, width: number): string {
  const parts = experiments.map((experiment) => {
    const counted = software && isCounted(experiment, rows);
    const source = counted ? countersOf(experiment, ["transactions"]) : experiment;
    const [head, ...blocks] = experimentBlocks(source, rows, { width });
    const first = blocks.find((block): block is Table => block.kind === "table");
    const { caption = "", ...small } = first ?? { caption: "" };
    const title = head?.kind === "list" ? head.items.map(plainText).join(", ") : "";
    return [
      paragraph(caption === "" ? title : `${title}; ${caption}`),
      ...("rows" in small ? [{ ...small, rows: small.rows.slice(0, TOUR_ROWS) }] : []),
      ...verdicts(
        scores.filter(({ claim }) => isPapers(claim) && claim.experiment === experiment.id),
        software,
      ),
    ];
  });
  return parts.map((blocks) => blocks.map((block) => printText([block], width)).join("")).join("\n");
}

function verdicts(scores: readonly Score[], software: boolean): Block[] {
  if (scores.length === 0) return [];
  const told = software ? scores.filter(isJudged) : scores;
  const left = scores.length - told.length;
  const parts = [
    ...(told.length > 0 ? [countsOf(told)] : []),
    ...(left > 0 ? [`${left} ${left === 1 ? "needs" : "need"} a GPU, or its sizes`] : []),
  ];
  const claims = scores.length === 1 ? "claim" : `${scores.length} claims`;
  return [paragraph(`Of the paper's ${claims} on it: ${parts.join("; ")}.`)];
}

function isCounted({ id, figure }: Experiment, rows: readonly ResultRow[]): boolean {
  return figure.metric === "mops" && rows.some((row) => row.experiment === id && row.metric === "transactions");
}

/** Where a figure draws rates, its title says whose. */
function ofThisCpu(experiment: Experiment): Experiment {
  const { figure } = experiment;
  if (figure.metric !== "mops") return experiment;
  return { ...experiment, figure: { ...figure, y: { ...figure.y, title: `${figure.y.title} of this CPU, no GPU's` } } };
}

export function exportBlocks(
  blocks: readonly Block[],
  { exportMarkdown, exportCsv }: { readonly exportMarkdown?: string; readonly exportCsv?: string },
): void {
  if (exportMarkdown !== undefined)
    writeOut(exportMarkdown, printMarkdown(blocks), `--export-markdown ${exportMarkdown}`);
  if (exportCsv !== undefined) writeOut(exportCsv, csvOf(blocks), `--export-csv ${exportCsv}`);
}

/** Tables alone, each behind the lines that stand before it, with an empty line between them. */
function csvOf(blocks: readonly Block[]): string {
  const parts = blocks.map((block) => {
    if (block.kind === "list") return stringify(block.items.map((item) => [plainText(item)]));
    if (block.kind === "paragraph") return stringify([[plainText(block.text)]]);
    if (block.kind !== "table") return "";
    const lines = [block.head, ...block.rows].map((row) => row.map((cell) => plainText(cell)));
    return stringify([...(block.caption ? [[block.caption]] : []), ...lines]);
  });
  return parts.filter(Boolean).join("\n");
}
