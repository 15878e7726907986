/** `hashbench plot`: the figures of a results folder as files. */

import { join } from "node:path";
import type { Experiment } from "../../bench/base/experiment.js";
import type { ResultRow } from "../../bench/results/record.js";
import { checkOutFolder, writeOut } from "../../datasets/files/paths.js";
import { UsageError } from "../../kernels/device/errors.js";
import { drawing, figureSpec } from "../figures/figure.js";
import type { Format } from "../figures/formats.js";
import { cellCount } from "../figures/missing.js";
import { asShares, byTable, overlaid, overlayOf, type Quantity, sharesOfBest, sideLabels } from "../figures/overlay.js";
import { renderSvg, svgToPng } from "../figures/render.js";
import { rowsOf } from "../figures/rows.js";
import { buildReport } from "./contents.js";
import { figuresPage } from "./page.js";

interface PlotOptions {
  /** Results folders; several are drawn in one plot. */
  readonly from: readonly string[];
  /** How rates are drawn; figures without rates are left out of shares. */
  readonly quantity?: Quantity;
  /** Folder for `<id>.svg`, `<id>.png` and `figures.html`, one page for all figures; made if it is not there. */
  readonly out: string;
  readonly formats: readonly Format[];
  /** Ids of experiments or beginnings of ids; all experiments that have rows if left out. */
  readonly ids?: readonly string[];
  /** Called before each figure, and waited for. */
  readonly step?: (name: string, done: number, total: number) => Promise<void>;
}

interface PlottedFile {
  readonly file: string;
  readonly format: Format;
  /** The experiments that the file shows. */
  readonly figures: readonly PlottedFigure[];
}

/** Counts of a figure. */
interface PlottedFigure {
  readonly id: string;
  readonly points: number;
  /** Cells without a number. */
  readonly missing: number;
}

/**
 * Draws every chosen experiment that has rows, in the registry's order. Throws UsageError where nothing can be drawn: no
 * rows, or none of an experiment that was asked for.
 */
export async function plotFolders(
  { from, quantity = "rates", out, formats, ids, step = async () => undefined }: PlotOptions,
  readRows: (folder: string) => Promise<readonly ResultRow[]>,
  experiments: readonly Experiment[],
): Promise<PlottedFile[]> {
  const folders = await Promise.all(from.map(async (folder) => ({ folder, rows: await readRows(folder) })));
  const all = folders.length > 1 ? together(folders) : (folders[0]?.rows ?? []);
  const rows = quantity === "best" ? sharesOfBest(all) : all;
  const named = from.join(", ");
  checkOutFolder(out, `--out ${out}`);
  const drawable = experiments.flatMap((e) => {
    if (from.length > 1) {
      const drawn = overlayOf(e, quantity) ?? [];
      return quantity === "best" && !Array.isArray(drawn) ? byTable(drawn) : drawn;
    }
    return quantity === "shares" ? (asShares(e) ?? []) : e;
  });
  const withRows = drawable.filter((e) => rowsOf(e, rows).length > 0);
  const chosen = ids === undefined ? withRows : choose(ids, withRows, named);
  if (chosen.length === 0) throw new UsageError(`${named}: no rows of any known experiment`);
  const shown = experiments.filter(({ id }) => chosen.some((one) => one.id === id));
  for (const { folder, rows: own } of folders)
    if (shown.every((one) => rowsOf(one, own).length === 0))
      throw new UsageError(`${folder}: no rows of ${shown.map(({ id }) => id).join(", ")}`);
  const files: PlottedFile[] = [];
  const write = (name: string, format: Format, content: string | Buffer, figures: readonly PlottedFigure[]) => {
    const file = join(out, name);
    writeOut(file, content, `--out ${file}`);
    files.push({ file, format, figures });
  };
  const figures: PlottedFigure[] = [];
  for (const [i, experiment] of chosen.entries()) {
    await step(experiment.id, i, chosen.length);
    const drawn = drawing(experiment, rows);
    const { points, missing } = drawn.data;
    const figure = { id: experiment.id, points: points.length, missing: cellCount(missing) };
    figures.push(figure);
    if (!formats.includes("svg") && !formats.includes("png")) continue;
    const svg = await renderSvg(figureSpec(drawn));
    if (formats.includes("svg")) write(`${experiment.id}.svg`, "svg", svg, [figure]);
    if (formats.includes("png")) write(`${experiment.id}.png`, "png", svgToPng(svg), [figure]);
  }
  if (formats.includes("html")) {
    const nothing = { hosts: new Map(), claims: [], scorecard: () => [] };
    const page = figuresPage(buildReport({ ...nothing, rows, experiments: chosen }));
    write("figures.html", "html", page, figures);
  }
  return files;
}

/** The rows of several folders, each as of a device of its own. */
function together(folders: readonly { readonly folder: string; readonly rows: readonly ResultRow[] }[]): ResultRow[] {
  const labels = sideLabels(folders);
  return overlaid(folders.map(({ rows }, i) => ({ label: labels[i] ?? "", rows })));
}

/** Experiments whose id is, or else begins with, one of `ids`. */
function choose(ids: readonly string[], withRows: readonly Experiment[], from: string): Experiment[] {
  const chosen = new Set<Experiment>();
  for (const id of ids) {
    const exact = withRows.filter((e) => e.id === id);
    const found = exact.length > 0 ? exact : withRows.filter((e) => e.id.startsWith(id));
    if (found.length === 0) {
      throw new UsageError(`${from}: no rows of ${id}; there are ${withRows.map((e) => e.id).join(", ") || "none"}`);
    }
    for (const experiment of found) chosen.add(experiment);
  }
  return withRows.filter((e) => chosen.has(e));
}
