/** Results of CUDA libraries and of our access patterns in CUDA, where a figure's cells have the same setting on the same device model. */

import { type Experiment, HELD_FIELD } from "../../bench/base/experiment.js";
import { slotBytes } from "../../bench/base/load-factor.js";
import { deviceSlug, isSoftware } from "../../bench/results/device-name.js";
import type { ResultRow } from "../../bench/results/record.js";
import { references } from "../../bench/results/reference-files.js";
import { fastest, isAccess, type Reference, type TableReference } from "../../bench/results/references.js";
import { DEFAULT_BENCH } from "../../bench/scenarios/index.js";
import type { Placed, ReferencePoint } from "./plot-data.js";
import { type MeasuredCell, panelName, placeAlong, scaledX } from "./rows.js";

/** Data sets with every key once, as the libraries were given. */
const UNIQUE = ["random", "normal"];
/** Parameter of cells of access patterns: the size of their table in MiB. */
const SIZE = "tableMiB";
const SIZE_FIELD = `params.${SIZE}`;

/**
 * The fastest variant of each library at each place, in the panels and within the x of our points. None where a point is of
 * another device model: rates are not compared across machines. None of tables where the run measured CUDA itself.
 */
export function referencePoints(
  experiment: Experiment,
  placed: readonly Pick<Placed, "cell" | "panel">[],
  xs: readonly (number | string)[],
  all?: readonly Reference[],
): ReferencePoint[] {
  const { beside, metric, against, y } = experiment.figure;
  const wanted = beside?.references;
  const [first] = placed;
  if (!wanted || !first || metric !== "mops" || against || isSoftware(first.cell.last.device)) return [];
  const models = new Set(placed.map(({ cell }) => deviceSlug(cell.last.device)));
  const here = (all ?? references()).filter(({ device }) => models.size === 1 && models.has(deviceSlug(device)));
  const measured = placed.some(({ cell }) => cell.last.api === "cuda");
  const shown = (one: Reference) => (wanted === true || wanted.includes(one.library)) && (isAccess(one) || !measured);
  return fastest(here.filter(shown)).flatMap((one) => {
    const agrees = placed.find((p) => agree(experiment, p.cell.last, one));
    if (!agrees) return [];
    const cell = asCell(one, agrees.cell.last);
    const heading = (of: MeasuredCell): string => panelName(experiment.figure.facet, of);
    const beside = placed.find((p) => heading(p.cell) === heading(cell));
    const x = alongX(experiment, cell, one);
    if (x === null || !within(x, xs) || !beside) return [];
    return { series: `CUDA: ${one.library}`, panel: beside.panel, x, y: one.mops * (y.factor ?? 1), reference: one };
  });
}

/** The setting that both have in common, but for what the x axis shows. */
function agree(experiment: Experiment, row: ResultRow, one: Reference): boolean {
  if (!isAccess(one)) return agreeOnTable(experiment, row, one);
  const sized = experiment.figure.x.field === SIZE_FIELD || row.params[SIZE] === one.table_mib;
  return row.bench === "limit" && row.table === one.access && row.op === one.op && sized;
}

function agreeOnTable({ figure: { x } }: Experiment, row: ResultRow, one: TableReference): boolean {
  const filled = x.field === "load_factor" || x.field === HELD_FIELD || row.load_factor === one.load_factor;
  const asked = row.positive_ratio === one.positive_ratio;
  const sized = x.field === "n" || row.n === one.n;
  return row.bench === DEFAULT_BENCH && UNIQUE.includes(row.dataset) && row.op === one.op && filled && asked && sized;
}

/** A cell of ours with the reference's setting in place of its own. */
function asCell(one: Reference, row: ResultRow): MeasuredCell {
  const { op } = one;
  if (isAccess(one))
    return { last: { ...row, op, params: { ...row.params, [SIZE]: one.table_mib } }, metrics: new Map() };
  const { n, load_factor, positive_ratio } = one;
  return { last: { ...row, op, n, load_factor, positive_ratio }, metrics: new Map() };
}

/** The bytes of a library are those of its slots, as those of its locks and stashes are not known. */
function alongX(experiment: Experiment, cell: MeasuredCell, one: Reference): number | string | null {
  const { field } = experiment.figure.x;
  const value = field === HELD_FIELD && !isAccess(one) ? slotBytes(1, one.load_factor) : placeAlong(cell, field);
  return typeof value === "number" ? scaledX(experiment, value) : value === null ? null : String(value);
}

function within(x: number | string, xs: readonly (number | string)[]): boolean {
  const numbers = xs.filter((one) => typeof one === "number");
  if (typeof x !== "number" || numbers.length < Math.max(2, xs.length)) return xs.includes(x);
  return x >= Math.min(...numbers) && x <= Math.max(...numbers);
}
