/** Claims about how a number runs along an axis, or with another one. */
import { sampleCorrelation, sampleRankCorrelation } from "simple-statistics";
import { quadraticFit, signChanges } from "../measure/regression.js";
import { rowKey } from "../results/key.js";
import { COLUMNS, type ResultRow } from "../results/record.js";
import { type Context, type Finding, NO_PAIRS, type Of, pairsOf } from "./checks.js";
import type { Select } from "./claim.js";
import { accepted, interval, margin, number } from "./expectation.js";
import { over, type Quantity } from "./quantity.js";
import { type Point, quantityOf, seriesAlong, valueAlong } from "./select.js";

/** Of timings: a step back of no more than this share is ignored, and first and last value have to differ by more. */
const STEP = 0.02;
const FLAT = 0.1;
/** A series with a larger step back still rises (or falls) if its rank correlation with the axis is at least this. */
const MONOTONE = 0.9;
/** The correlation of five points, two of them exchanged, is 0.9, and is computed as a little less. */
const ROUNDING = 1e-9;

/** The points of a selection, or of its quotients by another one; null if nothing could be paired. */
function pointsOf(
  context: Context,
  check: { of: Select; over?: Select | undefined; by?: readonly string[] | undefined },
): Omit<Point, "x">[] {
  if (check.over) {
    return pairsOf(context, check.of, check.over, check.by).map((pair) => ({
      y: over(quantityOf(pair.of), quantityOf(pair.over)),
      rows: [pair.of, pair.over],
    }));
  }
  return context.select(check.of).rows.map((row) => ({ y: quantityOf(row), rows: [row] }));
}

function rowsIn(series: readonly (readonly Point[])[]): ResultRow[] {
  return series.flat().flatMap(({ rows }) => rows);
}

export function trend(check: Of<"trend">, context: Context): Finding | string {
  const { along, expect, tolerance = expect === "flat" ? FLAT : STEP } = check;
  const series = seriesAlong(pointsOf(context, check), along).filter((points) => points.length > 1);
  if (series.length === 0) return `No series has two points along ${along}.`;
  const judged = series.map((points) => {
    const values = points.map(({ y }) => y.value);
    return { growth: growth(points), holds: moves(values, expect, tolerance) };
  });
  const wrong = judged.filter(({ holds }) => !holds);
  const growths = judged.map(({ growth: { value: g } }) => g);
  const ends = [Math.min(...growths), Math.max(...growths)].map((g) => `${number(g)}×`);
  const [only] = judged;
  const how = expect === "flat" ? `stay within ±${number(100 * tolerance)} % of their mean` : expect.replace(/s$/, "");
  return {
    ours: ends[0] === ends[1] ? `${ends[0]}` : ends.join(" to "),
    interval: judged.length === 1 && only ? interval(only.growth) : "",
    holds: wrong.length === 0,
    reason: `Last over first point of ${series.length} series along ${along}; ${series.length - wrong.length} of them ${how}.`,
    rows: rowsIn(series),
  };
}

function growth(points: readonly Point[]): Quantity {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last) throw new Error("a series without points");
  return over(last.y, first.y);
}

function moves(values: readonly number[], expect: "rises" | "falls" | "flat", tolerance: number): boolean {
  if (expect === "flat") {
    const mean = values.reduce((sum, v) => sum + v, 0) / values.length;
    return values.every((v) => Math.abs(v / mean - 1) <= tolerance);
  }
  const rising = expect === "rises" ? values : values.map((v) => 1 / v);
  const [first = Number.NaN, last = Number.NaN] = [rising[0], rising.at(-1)];
  let highest = 0;
  let back = false;
  for (const v of rising) {
    back ||= v < highest * (1 - tolerance);
    highest = Math.max(highest, v);
  }
  const inOrder = !back || sampleRankCorrelation([...rising.keys()], [...rising]) >= MONOTONE - ROUNDING;
  return inOrder && last > first * (1 + tolerance);
}

export function crossing(check: Of<"crossing">, context: Context): Finding | string {
  if (check.regression) return fittedCrossing(check, context);
  const { along, from, expect } = check;
  const [series = []] = seriesAlong(pointsOf(context, check), along).toSorted((a, b) => b.length - a.length);
  if (series.length < 2) return NO_PAIRS;
  const signed = series.map(({ x, y }) => ({ x, y: from === "below" ? y.value : 1 / y.value }));
  const at = signed.findIndex((point, i) => i > 0 && point.y >= 1 && (signed[i - 1]?.y ?? 1) < 1);
  const rows = rowsIn([series]);
  const [before, after] = [signed[at - 1], signed[at]];
  if (!before || !after) {
    const side = (series[0]?.y.value ?? 1) < 1 ? "below" : "above";
    return {
      rows,
      ours: "never",
      holds: false,
      reason: `The quotient starts ${side} 1 and never passes it along ${along}.`,
    };
  }
  const where = before.x + ((after.x - before.x) * (1 - before.y)) / (after.y - before.y);
  return {
    rows,
    ours: `at ${number(where)}`,
    interval: `${number(before.x)} to ${number(after.x)}`,
    holds: expect === undefined || margin(where, expect) >= 0,
    reason:
      `The quotient passes 1 between ${number(before.x)} and ${number(after.x)} along ${along}` +
      `${expect ? `; accepted: ${accepted(expect)}` : ""}.`,
  };
}

function fittedCrossing(check: Of<"crossing">, context: Context): Finding | string {
  const { along, from, expect } = check;
  const pairs = pairsOf(context, check.of, check.over, check.by);
  if (pairs.length === 0) return NO_PAIRS;
  const xs = pairs.map((pair) => Number(valueAlong(pair.of, along)));
  if (new Set(xs).size < 3) return `A regression takes three places along ${along}.`;
  const differences = pairs.map(({ of, over }) => quantityOf(of).value - quantityOf(over).value);
  const changes = signChanges(quadraticFit(xs, differences), Math.min(...xs), Math.max(...xs));
  const at = changes.find(({ rises }) => rises === (from === "below"))?.x;
  const rows = pairs.flatMap(({ of, over }) => [of, over]);
  const what = `The second-order regression of ${pairs.length} differences`;
  if (at === undefined) return { rows, ours: "never", holds: false, reason: `${what} never passes 0 from ${from}.` };
  return {
    rows,
    ours: `at ${number(at)}`,
    holds: expect === undefined || margin(at, expect) >= 0,
    reason:
      `${what} passes 0 from ${from} at ${number(at)} along ${along}` +
      `${expect ? `; accepted: ${accepted(expect)}` : ""}.`,
  };
}

export function place(check: Of<"peak" | "drop">, context: Context): Finding | string {
  const { kind, along, expect } = check;
  const series = seriesAlong(pointsOf(context, check), along).filter((points) => points.length > 2);
  if (series.length === 0) return `No series has three points along ${along}.`;
  const places = series.map((points) => (kind === "peak" ? highest(points) : steepest(points)));
  const worst = places.reduce((a, b) => (margin(b, expect) < margin(a, expect) ? b : a));
  return {
    ours: `at ${number(worst)}`,
    holds: margin(worst, expect) >= 0,
    reason:
      `${kind === "peak" ? "Where it is largest" : "Where it falls most from one point to the next"} ` +
      `along ${along}, in ${series.length} series; accepted: ${accepted(expect)}.`,
    rows: rowsIn(series),
  };
}

function highest(points: readonly Point[]): number {
  return points.reduce((a, b) => (b.y.value > a.y.value ? b : a)).x;
}

/** The middle of the step with the largest relative fall. */
function steepest(points: readonly Point[]): number {
  let best = { fall: Number.NEGATIVE_INFINITY, at: Number.NaN };
  points.slice(1).forEach((point, i) => {
    const before = points[i] ?? point;
    const fall = 1 - point.y.value / before.y.value;
    if (fall > best.fall) best = { fall, at: (before.x + point.x) / 2 };
  });
  return best.at;
}

export function correlation({ of, x, y, expect }: Of<"correlation">, { select }: Context): Finding | string {
  const byKey = (metric: string) => new Map(select({ ...of, metric }).rows.map((row) => [rowKey(row), row]));
  const ys = byKey(y);
  // Every row of a cell has the cell's columns, whatever the row's metric.
  const column = (COLUMNS as readonly string[]).includes(x);
  const xs = column ? ys : byKey(x);
  const keys = [...ys.keys()].filter((key) => xs.has(key));
  if (keys.length < 3) return `Fewer than three cells have both ${x} and ${y}.`;
  const at = (row: ResultRow | undefined, along: string) => Number((row && valueAlong(row, along)) ?? Number.NaN);
  const r = sampleCorrelation(
    keys.map((key) => at(xs.get(key), column ? x : "value")),
    keys.map((key) => at(ys.get(key), "value")),
  );
  return {
    ours: r.toFixed(4),
    ...(keys.length > 3 ? { interval: fisher(r, keys.length) } : {}),
    holds: margin(r, expect) >= 0,
    reason: `Pearson's r of ${y} and ${x} over ${keys.length} cells; accepted: ${accepted(expect)}.`,
    rows: keys.flatMap((key) => [...new Set([xs.get(key), ys.get(key)])]).filter((row) => row !== undefined),
  };
}

/** 95 % interval of r by Fisher's transformation. */
function fisher(r: number, count: number): string {
  const z = Math.atanh(Math.min(0.9999999, Math.max(-0.9999999, r)));
  const half = 1.96 / Math.sqrt(count - 3);
  return `${Math.tanh(z - half).toFixed(4)} to ${Math.tanh(z + half).toFixed(4)}`;
}
