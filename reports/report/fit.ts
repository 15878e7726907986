/** How well the modelled times of retrievals (retrieval-model.ts) agree with the measured ones: the test of gph/fig3. */
import { max, median, sampleCorrelation } from "simple-statistics";
import { decimals, percent } from "../../bench/base/format.js";
import { groupBy } from "../../bench/results/group.js";
import { newestByCell } from "../../bench/results/newest.js";
import type { ResultRow } from "../../bench/results/record.js";
import { cellKey } from "../figures/rows.js";
import { modelledTime, PatternRates } from "./retrieval-model.js";

/** One cell's predicted and measured time, ns per operation. */
export interface FitPoint {
  readonly table: string;
  readonly op: string;
  readonly dataset: string;
  readonly experiment: string;
  readonly n: number;
  readonly loadFactor: number | null;
  readonly samples: number;
  readonly predicted: number;
  readonly measured: number;
}

/** How well predictions and measurements agree. Errors are |predicted − measured| / measured. */
export interface Fit {
  readonly cells: number;
  /** Null with fewer than three cells, or where either does not vary. */
  readonly r: number | null;
  readonly medianError: number;
  readonly largestError: number;
}

/** Cells that the model says a time of, and the others by the reason why not. */
export interface Modelled {
  readonly points: readonly FitPoint[];
  readonly missing: ReadonlyMap<string, number>;
}

/** Retrievals of random keys, of rows of one device. Of a cell that was run more than once, the newest run counts. */
export function modelled(rows: readonly ResultRow[]): Modelled {
  const rates = new PatternRates(rows);
  const points: FitPoint[] = [];
  const missing = new Map<string, number>();
  const own = rows.filter(({ bench, op, dataset }) => bench === "table" && op === "find" && dataset === "random");
  for (const run of newestByCell(own, cellKey).values()) {
    const cell = run.filter((row) => row.status === "ok");
    const [first] = cell;
    const rate = cell.find((row) => row.metric === "mops");
    if (!first || !rate?.value) continue;
    const predicted = modelledTime(cell, rates);
    if (typeof predicted === "string") {
      missing.set(predicted, (missing.get(predicted) ?? 0) + 1);
      continue;
    }
    const { table, variant, op, dataset, experiment, n, load_factor: loadFactor } = first;
    const place = { op, dataset, experiment, n, loadFactor, samples: rate.samples };
    points.push({ ...place, table: `${table} ${variant}`.trim(), predicted, measured: 1e3 / rate.value });
  }
  return { points, missing };
}

/** Which cells have no point, in a sentence; "" if every cell has one. */
export function missingText({ missing }: Modelled): string {
  if (missing.size === 0) return "";
  return `Left out: ${[...missing].map(([reason, cells]) => `${cells} × ${reason}`).join("; ")}.`;
}

/** Null without any point. */
export function fitOf(points: readonly FitPoint[]): Fit | null {
  if (points.length === 0) return null;
  const errors = points.map((p) => Math.abs(p.predicted - p.measured) / p.measured);
  const xs = points.map((p) => p.predicted);
  const ys = points.map((p) => p.measured);
  const varied = points.length > 2 && new Set(xs).size > 1 && new Set(ys).size > 1;
  return {
    cells: points.length,
    r: varied ? sampleCorrelation(xs, ys) : null,
    medianError: median(errors),
    largestError: max(errors),
  };
}

/** From this many pairs on the time to start a dispatch is small beside the work. */
const LARGE = 10_000_000;

/** The fit of each table, the largest median error first; then of large inputs, and of all points. */
export function fits(points: readonly FitPoint[]): { readonly name: string; readonly fit: Fit }[] {
  const named = ([name, own]: readonly [string, readonly FitPoint[]]) => {
    const fit = fitOf(own);
    return fit ? [{ name, fit }] : [];
  };
  const groups = [...groupBy(points, (p) => p.table)];
  const tables = groups.length > 1 ? groups.flatMap(named) : [];
  const large = points.filter((p) => p.n >= LARGE);
  const together = [...(large.length < points.length ? [["n ≥ 10 M", large] as const] : []), ["all", points] as const];
  return [...tables.sort((a, b) => b.fit.medianError - a.fit.medianError), ...together.flatMap(named)];
}

/** A fit as text: errors, cells, r. */
export function fitValues({ cells, r, medianError, largestError }: Fit): string[] {
  return [percent(medianError, 2), percent(largestError, 2), `${cells}`, r === null ? "–" : decimals(r, 3)];
}
