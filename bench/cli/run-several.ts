/** `hashbench run --webgpu dawn,wgpu`: the same cells under several implementations of WebGPU, and each beside the best. */
import { join } from "node:path";
import { FORMATS } from "../../reports/figures/formats.js";
import { overlaid, overlayOf, sharesOfBest } from "../../reports/figures/overlay.js";
import { experimentBlocks } from "../../reports/figures/table.js";
import { printText } from "../base/document.js";
import type { Implementation } from "../device/adapter/deno.js";
import { experiments } from "../experiments/index.js";
import { readResults } from "../results/read.js";
import { alternate } from "../run/alternate.js";
import type { RunOptions } from "../run/run.js";
import { addSpent, type Spent } from "../run/stopwatch.js";
import { interruptible, resumed } from "./interrupt.js";
import { readJudgedRows } from "./judged-rows.js";
import { exportBlocks } from "./printed.js";
import { endLines, judge, wideCells } from "./run-end.js";
import { fitted, stepsOn } from "./status-line.js";

type Flags = Parameters<typeof resumed>[0] &
  Parameters<typeof exportBlocks>[1] & { readonly quiet?: boolean; readonly json?: boolean; readonly plots: boolean };

export async function runSeveral(options: RunOptions, webgpu: readonly Implementation[], flags: Flags): Promise<void> {
  const { out, runs } = await interruptible(flags.quiet, resumed(flags), (progress) =>
    alternate(options, webgpu, progress),
  );
  const sides = await Promise.all(runs.map(async ({ out: folder }) => ({ folder, rows: await readResults(folder) })));
  const rows = sharesOfBest(overlaid(sides.map((side, i) => ({ label: webgpu[i] ?? "", rows: side.rows }))));
  const measured = options.whole.map(({ experiment }) => experiment);
  const blocks = measured.flatMap((one) => {
    const drawn = overlayOf(one, "best") ?? overlayOf(one, "rates");
    return drawn ? experimentBlocks(drawn, rows, { width: process.stdout.columns || 100 }) : [];
  });
  exportBlocks(blocks, flags);
  const folders = runs.map((run) => run.out);
  const figures = flags.plots && rows.length > 0 ? await drawnFiles(folders, out, flags.quiet) : [];
  const counts: Record<string, number> = {};
  for (const run of runs)
    for (const [status, count] of Object.entries(run.counts)) counts[status] = (counts[status] ?? 0) + count;
  if (flags.json) {
    const told = runs.map((run, i) => ({ ...run, planned: undefined, rows: sides[i]?.rows }));
    console.log(JSON.stringify({ out, counts, plots: figures, runs: told }, null, 1));
  } else {
    console.log(printText(blocks, process.stdout.columns || 100));
    // Waiting for a turn is idle, too.
    const { idle: _, ...workers } = runs.reduce((sum: Spent, { seconds }) => addSpent(sum, seconds.workers), {});
    const seconds = { all: Math.max(...runs.map(({ seconds }) => seconds.all)), workers };
    const software = runs.some(({ device }) => device.software);
    const wides = sides.map((side) => wideCells(side.rows));
    const wide = { cells: sumOf(wides.map(({ cells }) => cells)), of: sumOf(wides.map(({ of }) => of)) };
    const end = { out, folders, seconds, software, figures, tour: false, wide };
    for (const line of endLines(end)) console.log(fitted(line, process.stdout, " ".repeat(9)));
  }
  judge(counts, out);
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0);

/** Draws figures of these folders, in one below `out`. @param ids default: all that have rows */
export async function drawnFiles(from: readonly string[], out: string, quiet?: boolean, ids?: readonly string[]) {
  const { plotFolders } = await import("../../reports/report/plot.js");
  const { step, ended } = stepsOn(process.stderr, quiet);
  const request = { from, out: join(out, "figures"), formats: [...FORMATS], step, ...(ids && { ids }) };
  const files = await plotFolders(request, readJudgedRows, experiments).finally(ended);
  return files.map(({ file }) => file);
}
