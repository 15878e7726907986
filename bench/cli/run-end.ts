/** The last lines of `hashbench run`: what there is now, what to open, what to try next. */

import { join, relative } from "node:path";
import { CellsFailed } from "../base/errors.js";
import { decimals } from "../base/format.js";
import { newestRuns } from "../results/newest.js";
import { isWide, type ResultRow } from "../results/record.js";
import { SOFTWARE_NUMBERS } from "../run/configuration.js";
import type { Seconds } from "../run/run.js";

/** As the command was called. */
const CALL = process.env.npm_command === "exec" ? "npx hashbench" : "hashbench";

interface RunEnd {
  readonly out: string;
  /** Where they are several: one per implementation of WebGPU. */
  readonly folders?: readonly string[];
  readonly seconds: Pick<Seconds, "all" | "workers">;
  readonly software: boolean;
  /** Files of figures, of all formats. */
  readonly figures: readonly string[];
  /** Cells whose intervals are wider than was asked for, and cells that were sampled. */
  readonly wide: { readonly cells: number; readonly of: number };
  /** No ids were given. */
  readonly tour: boolean;
}

/** A path as a reader in `folder` writes it, to whom those below it are short. */
function near(path: string, folder = process.cwd()): string {
  const short = relative(folder, path);
  return short === "" || short.startsWith("..") ? path : short;
}

/** `folder`: of the reader. */
export function endLines(
  { out, folders = [out], seconds, software, figures, tour, wide }: RunEnd,
  folder?: string,
): string[] {
  const page = figures.find((file) => file.endsWith(".html"));
  const pictures = figures.filter((file) => file.endsWith(".png")).length;
  const commands = next(folders.map((one) => near(one, folder)).join(" "), tour).map(
    ([command, what]) => [`${CALL} ${command}`, what] as const,
  );
  const width = Math.max(...commands.map(([command]) => command.length));
  return [
    ...(software ? [`numbers: ${SOFTWARE_NUMBERS}`] : []),
    ...(wide.cells > 0 ? [`~:       ${wide.cells} of ${wide.of} cells ended by time or number of samples`] : []),
    `results: ${near(out, folder)}`,
    `time:    ${timeLine(seconds)}`,
    ...(pictures > 0 ? [`figures: ${pictures} as PNG and SVG in ${near(join(out, "figures"), folder)}`] : []),
    ...(page ? [`open:    ${near(page, folder)} (all figures, in a browser)`] : []),
    ...commands.map(([command, what], i) => `${i === 0 ? "next:   " : "        "} ${command.padEnd(width)}  ${what}`),
  ];
}

/** Of the newest run of each cell. */
export function wideCells(rows: readonly ResultRow[]): RunEnd["wide"] {
  const sampled = newestRuns(rows).filter(({ samples, metric }) => samples > 0 && metric === "time");
  return { cells: sampled.filter(isWide).length, of: sampled.length };
}

function next(out: string, tour: boolean): (readonly [command: string, what: string])[] {
  if (!tour) return [[`report ${out} --out report`, "scorecard of the papers' claims, and the figures"]];
  return [
    ["run tables/load-factor --quick", "all tables by load factor: which one for you"],
    ["run gph --quick", "all figures of a paper"],
    ["list", "experiments, tables, data sets, devices"],
  ];
}

/** `12.3 s (prepare 4.1, sample 3.0)`: the phases that took a tenth of a second at least. */
function timeLine({ all, workers }: RunEnd["seconds"]): string {
  const parts = Object.entries(workers).filter(([, seconds]) => seconds >= 0.1);
  const phases = parts.map(([phase, seconds]) => `${phase} ${decimals(seconds, 1)}`).join(", ");
  return `${decimals(all, 1)} s${phases && ` (${phases})`}`;
}

/** Throws CellsFailed if a cell failed, or if there were cells and none has a number. @param out where a run can go on */
export function judge(counts: Readonly<Record<string, number>>, out: string): void {
  const { ok = 0, kept = 0, skipped = 0, failed = 0, timeout = 0, crash = 0, postponed = 0 } = counts;
  const bad = failed + timeout + crash;
  if (bad > 0) throw new CellsFailed(`${bad} cells failed (${describe(counts)}); their rows say why`);
  if (postponed > 0) {
    const rest = `${postponed} cells were not reached within --budget; the same command with --resume --out ${near(out)} goes on`;
    if (ok + kept === 0) throw new CellsFailed(rest);
    console.error(`hashbench: ${rest}`);
  }
  if (skipped > 0 && ok + kept === 0) throw new CellsFailed(`all ${skipped} cells were skipped; their rows say why`);
}

function describe(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([status, count]) => `${count} ${status}`)
    .join(", ");
}
