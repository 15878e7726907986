/**
 * The performance model of GPH (gph/fig3) on this device: an operation takes as long as the device needs for its
 * transactions, time = transactions / rate. The rate is the one that device/limits measured for the access that the
 * operation cannot avoid (metric limit_mops), transactions are counted in runs apart from the timed ones.
 */
import { max, median, sampleCorrelation } from "simple-statistics";
import { benchmarks } from "../../bench/benchmarks/index.js";
import { groupBy } from "../../bench/results/group.js";
import { newestByCell } from "../../bench/results/newest.js";
import type { ResultRow } from "../../bench/results/record.js";
import { cellKey } from "../rows.js";
import { formatNumber } from "../units.js";

/** One cell's predicted and measured time, ns per operation. */
export interface FitPoint {
  readonly table: string;
  readonly op: string;
  readonly dataset: string;
  readonly experiment: string;
  readonly n: number;
  readonly loadFactor: number | null;
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

/** Every cell whose newest run has a rate, a limit and counted transactions. */
export function fitPoints(rows: readonly ResultRow[]): FitPoint[] {
  const gpu = rows.filter((row) => benchmarks[row.bench]?.limitPattern);
  return [...newestByCell(gpu, cellKey).values()].flatMap((run) => {
    const cell = run.filter((row) => row.status === "ok");
    const [first] = cell;
    const value = (metric: string): number => cell.find((row) => row.metric === metric)?.value ?? 0;
    const [rate, limit, transactions] = [value("mops"), value("limit_mops"), value("transactions")];
    if (!first || rate <= 0 || limit <= 0 || transactions <= 0) return [];
    const { table, variant, op, dataset, experiment, n, load_factor: loadFactor } = first;
    return [
      {
        ...{ op, dataset, experiment, n, loadFactor },
        table: `${table} ${variant}`.trim(),
        predicted: (1e3 * transactions) / limit,
        measured: 1e3 / rate,
      },
    ];
  });
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

/** Above this many pairs the device is busy for much longer than it takes to start a dispatch. */
const LARGE = 10_000_000;

/** The fit of all points, then of those of large inputs and of each operation alone. */
export function fits(points: readonly FitPoint[]): { readonly name: string; readonly fit: Fit }[] {
  const large = points.filter((p) => p.n >= LARGE);
  const groups = [...groupBy(points, (p) => p.op)].map(([op, own]) => ({ name: op, own }));
  const parts = [{ name: "n ≥ 10 M", own: large }, ...groups].filter(({ own }) => own.length < points.length);
  return [{ name: "all", own: [...points] }, ...parts].flatMap(({ name, own }) => {
    const fit = fitOf(own);
    return fit ? [{ name, fit }] : [];
  });
}

/** Number of cells, r and the errors, as text. */
export function fitValues({ cells, r, medianError, largestError }: Fit): string[] {
  return [`${cells}`, r === null ? "–" : r.toFixed(3).replace("-", "−"), percent(medianError), percent(largestError)];
}

function percent(share: number): string {
  return `${formatNumber(100 * share, 2)} %`;
}
