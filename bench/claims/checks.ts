/** How each kind of claim is computed. A finding says the number, whether it agrees, and why; a string says why not. */
import { sampleCorrelation } from "simple-statistics";
import { rowKey } from "../results/key.js";
import type { ResultRow } from "../results/record.js";
import { type Check, type Claim, type Expectation, type Mean, paperDevices, type Select } from "./claim.js";
import { accepted, interval, margin, number, scale, stated } from "./expectation.js";
import { meanOf, over, type Quantity } from "./quantity.js";
import { type Pair, pairUp, quantityOf, select, seriesAlong, valueAlong } from "./select.js";

export interface Finding {
  readonly ours: string;
  readonly interval?: string;
  readonly scaled?: string;
  /** Null where the paper's number cannot be compared with ours. */
  readonly holds: boolean | null;
  readonly reason: string;
  readonly rows: readonly ResultRow[];
}

export interface Context {
  readonly claim: Claim;
  readonly rows: readonly ResultRow[];
  readonly bandwidth: number | null;
}

type Of<Kind extends Check["kind"]> = Extract<Check, { kind: Kind }>;

/** A step along an axis that goes the wrong way by no more than this is no change of direction. */
const STEP = 0.02;
const FLAT = 0.1;

const MEAN_NAMES: Readonly<Record<Mean, string>> = {
  arithmetic: "mean",
  geometric: "geometric mean",
  harmonic: "harmonic mean",
  median: "median",
  min: "smallest",
  max: "largest",
  every: "least favourable",
};

/** The mean; for `every` the value that agrees least. */
function summary(quantities: readonly Quantity[], how: Mean, expect: Expectation): Quantity {
  if (how !== "every") return meanOf(quantities, how);
  const [first, ...rest] = quantities;
  if (!first) throw new Error("nothing to summarise");
  return rest.reduce((worst, q) => (margin(q.value, expect) < margin(worst.value, expect) ? q : worst), first);
}

function counted(count: number, what: string, how: Mean): string {
  return count === 1 ? `One ${what}` : `The ${MEAN_NAMES[how]} of ${count} ${what}s`;
}

function absolute({ of, mean, paper, unit, scales }: Of<"absolute">, { claim, rows, bandwidth }: Context): Finding {
  const found = select(rows, claim, of).rows;
  const [row] = found;
  if (row && row.unit !== unit) throw new Error(`${claim.id} is in ${unit}, but the rows are in ${row.unit}`);
  const ours = summary(found.map(quantityOf), mean, paper);
  const shown = (value: number) => withUnit(value, unit);
  const theirs = paperDevices[claim.device];
  const base = {
    ours: shown(ours.value),
    interval: interval(scaledTo(ours, unit)),
    holds: null,
    rows: found,
  };
  const what = `${counted(found.length, "cell", mean)}; the paper's is of a ${claim.device}`;
  if (bandwidth === null) return { ...base, reason: `${what}. Without rows of device/limits it cannot be scaled.` };
  const factor = bandwidth / theirs;
  const scaled = scale(paper, scales === "rate" ? factor : 1 / factor);
  const middle = "near" in scaled ? scaled.near : "from" in scaled ? (scaled.from + scaled.to) / 2 : undefined;
  const bound = middle ?? ("atLeast" in scaled ? scaled.atLeast : "atMost" in scaled ? scaled.atMost : Number.NaN);
  const times = number(ours.value / bound);
  const by = `by the copy bandwidth (${number(bandwidth)} here, ${number(theirs)} GB/s there)`;
  return {
    ...base,
    scaled: statedWithUnit(scaled, unit),
    reason: `${what}, so the two are not comparable; scaled ${by} it would be ${statedWithUnit(scaled, unit)}, and ours is ${times} times that.`,
  };
}

/** Rates above 1,000 M in G, times in ms or µs. */
function prefix(value: number, unit: string): { factor: number; unit: string } {
  if (unit === "M op/s") return value >= 1000 ? { factor: 1e-3, unit: "G op/s" } : { factor: 1, unit };
  if (unit === "ns") return value >= 1e6 ? { factor: 1e-6, unit: "ms" } : { factor: 1e-3, unit: "µs" };
  return { factor: 1, unit };
}

function withUnit(value: number, unit: string): string {
  const shown = prefix(value, unit);
  return `${number(value * shown.factor)} ${shown.unit}`.trim();
}

function scaledTo(q: Quantity, unit: string): Quantity {
  const { factor } = prefix(q.value, unit);
  return { value: q.value * factor, lo: q.lo * factor, hi: q.hi * factor };
}

function statedWithUnit(expectation: Expectation, unit: string): string {
  const ends = Object.entries(expectation).flatMap(([key, value]) => (key === "within" ? [] : [value as number]));
  const shown = prefix(Math.max(...ends), unit);
  return `${stated(scale(expectation, shown.factor))} ${shown.unit}`.trim();
}

function value({ of, mean, expect }: Of<"value">, { claim, rows }: Context): Finding {
  const found = select(rows, claim, of).rows;
  const ours = summary(found.map(quantityOf), mean, expect);
  return {
    ours: withUnit(ours.value, found[0]?.unit === "ratio" ? "" : (found[0]?.unit ?? "")),
    interval: interval(scaledTo(ours, found[0]?.unit ?? "")),
    holds: margin(ours.value, expect) >= 0,
    reason: `${counted(found.length, "cell", mean)}; accepted: ${accepted(expect)}.`,
    rows: found,
  };
}

function ratios(pairs: readonly Pair[]): Quantity[] {
  return pairs.map((pair) => over(quantityOf(pair.of), quantityOf(pair.over)));
}

function rowsOf(pairs: readonly Pair[]): ResultRow[] {
  return pairs.flatMap((pair) => [pair.of, pair.over]);
}

const NO_PAIRS = "No cells of the two sides share their coordinates.";

function pairsOf({ claim, rows }: Context, a: Select, b: Select, by?: readonly string[]): Pair[] {
  return pairUp(select(rows, claim, a).rows, select(rows, claim, b).rows, [a, b], by);
}

function ratio(check: Of<"ratio">, context: Context): Finding | string {
  const pairs = pairsOf(context, check.of, check.over, check.by);
  if (pairs.length === 0) return NO_PAIRS;
  const all = ratios(pairs);
  const ours = summary(all, check.mean, check.expect);
  const holds = margin(ours.value, check.expect) >= 0;
  const range = meanOf(all, "min").value;
  const spread = pairs.length > 1 ? ` They run from ${number(range)} to ${number(meanOf(all, "max").value)}.` : "";
  const direction = holds ? "" : sameDirection(ours.value, check.expect);
  return {
    ours: `${number(ours.value)}×`,
    interval: interval(ours),
    holds,
    reason: `${counted(pairs.length, "quotient", check.mean)}; accepted: ${accepted(check.expect)}.${spread}${direction}`,
    rows: rowsOf(pairs),
  };
}

/** For a quotient outside the accepted range: whether at least the faster one is the same. */
function sameDirection(ours: number, expect: Expectation): string {
  if (!("near" in expect || "from" in expect)) return "";
  const paper = "near" in expect ? expect.near : (expect.from + expect.to) / 2;
  if (ours > 1 === paper > 1) return ` The direction is the paper's, the size is not.`;
  return " The direction is not the paper's.";
}

function order(check: Of<"order">, context: Context): Finding | string {
  const expect = { atLeast: 1 };
  const steps = check.of.slice(1).map((lower, i) => {
    const pairs = pairsOf(context, check.of[i] ?? {}, lower, check.by);
    const quotient = pairs.length > 0 ? summary(ratios(pairs), check.mean, expect) : null;
    return { name: `${nameOf(check.of[i])} / ${nameOf(lower)}`, pairs, quotient };
  });
  const computed = steps.filter((step): step is typeof step & { quotient: Quantity } => step.quotient !== null);
  if (computed.length < steps.length) return NO_PAIRS;
  const worst = computed.reduce((a, b) => (b.quotient.value < a.quotient.value ? b : a));
  const list = computed.map(({ name, quotient }) => `${name} ${number(quotient.value)}×`).join(", ");
  return {
    ours: `${number(worst.quotient.value)}× (${worst.name})`,
    interval: interval(worst.quotient),
    holds: worst.quotient.value >= 1,
    reason: `The ${MEAN_NAMES[check.mean]} quotient of each neighbouring two has to be at least 1: ${list}.`,
    rows: computed.flatMap((step) => rowsOf(step.pairs)),
  };
}

function nameOf(selection: Select | undefined): string {
  const { table = "?", variant = "", op = "" } = selection ?? {};
  const params = Object.entries(selection?.params ?? {}).map(([key, v]) => `${key} ${String(v)}`);
  return [String(table), String(variant), selection?.table ? "" : String(op), ...params].filter(Boolean).join(" ");
}

function trend({ of, along, expect, tolerance = FLAT }: Of<"trend">, { claim, rows }: Context): Finding | string {
  const series = seriesAlong(select(rows, claim, of).rows, along).filter((points) => points.length > 1);
  if (series.length === 0) return `No series has two points along ${along}.`;
  const judged = series.map((points) => {
    const values = points.map((row) => row.value ?? Number.NaN);
    return { growth: growth(points), holds: moves(values, expect, tolerance) };
  });
  const wrong = judged.filter(({ holds }) => !holds);
  const growths = judged.map(({ growth: { value: g } }) => g);
  const ends = [Math.min(...growths), Math.max(...growths)].map((g) => `${number(g)}×`);
  const [only] = judged;
  return {
    ours: ends[0] === ends[1] ? `${ends[0]}` : ends.join(" to "),
    interval: judged.length === 1 && only ? interval(only.growth) : "",
    holds: wrong.length === 0,
    reason:
      `Last over first point of ${series.length} series along ${along}; ${series.length - wrong.length} of them ` +
      `${expect === "flat" ? `within ±${number(100 * tolerance)} % of their mean` : expect.replace(/s$/, "")}.`,
    rows: series.flat(),
  };
}

function growth(points: readonly ResultRow[]): Quantity {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last) throw new Error("a series without points");
  return over(quantityOf(last), quantityOf(first));
}

function moves(values: readonly number[], expect: "rises" | "falls" | "flat", tolerance: number): boolean {
  if (expect === "flat") {
    const mean = values.reduce((sum, v) => sum + v, 0) / values.length;
    return values.every((v) => Math.abs(v / mean - 1) <= tolerance);
  }
  const rising = expect === "rises" ? values : values.map((v) => 1 / v);
  const [first = Number.NaN, last = Number.NaN] = [rising[0], rising.at(-1)];
  let highest = 0;
  for (const v of rising) {
    if (v < highest * (1 - STEP)) return false;
    highest = Math.max(highest, v);
  }
  return last > first * (1 + STEP);
}

function crossing(check: Of<"crossing">, context: Context): Finding | string {
  const { along, from, expect } = check;
  const pairs = pairsOf(context, check.of, check.over)
    .map((pair) => ({ pair, x: Number(valueAlong(pair.of, along)), y: ratios([pair])[0]?.value ?? Number.NaN }))
    .sort((a, b) => a.x - b.x);
  if (pairs.length < 2) return NO_PAIRS;
  const signed = pairs.map(({ x, y }) => ({ x, y: from === "below" ? y : 1 / y }));
  const at = signed.findIndex((point, i) => i > 0 && point.y >= 1 && (signed[i - 1]?.y ?? 1) < 1);
  const base = { rows: rowsOf(pairs.map(({ pair }) => pair)) };
  const [before, after] = [signed[at - 1], signed[at]];
  if (!before || !after) {
    const side = (pairs[0]?.y ?? 1) < 1 ? "below" : "above";
    return { ...base, ours: "never", holds: false, reason: `The quotient stays ${side} 1 along ${along}.` };
  }
  const place = before.x + ((after.x - before.x) * (1 - before.y)) / (after.y - before.y);
  return {
    ...base,
    ours: `at ${number(place)}`,
    interval: `${number(before.x)} to ${number(after.x)}`,
    holds: expect === undefined || margin(place, expect) >= 0,
    reason:
      `The quotient passes 1 between ${number(before.x)} and ${number(after.x)} along ${along}` +
      `${expect ? `; accepted: ${accepted(expect)}` : ""}.`,
  };
}

function place(check: Of<"peak" | "drop">, { claim, rows }: Context): Finding | string {
  const { kind, of, along, expect } = check;
  const series = seriesAlong(select(rows, claim, of).rows, along).filter((points) => points.length > 2);
  if (series.length === 0) return `No series has three points along ${along}.`;
  const places = series.map((points) => (kind === "peak" ? highest(points, along) : steepest(points, along)));
  const worst = places.reduce((a, b) => (margin(b, expect) < margin(a, expect) ? b : a));
  return {
    ours: `at ${number(worst)}`,
    holds: margin(worst, expect) >= 0,
    reason:
      `${kind === "peak" ? "Where the metric is largest" : "Where it falls most from one point to the next"} ` +
      `along ${along}, in ${series.length} series; accepted: ${accepted(expect)}.`,
    rows: series.flat(),
  };
}

function highest(points: readonly ResultRow[], along: string): number {
  const top = points.reduce((a, b) => ((b.value ?? 0) > (a.value ?? 0) ? b : a));
  return Number(valueAlong(top, along));
}

/** The middle of the step with the largest relative fall. */
function steepest(points: readonly ResultRow[], along: string): number {
  let best = { fall: Number.NEGATIVE_INFINITY, at: Number.NaN };
  points.slice(1).forEach((row, i) => {
    const before = points[i] ?? row;
    const fall = 1 - (row.value ?? 0) / (before.value ?? 1);
    const at = (Number(valueAlong(before, along)) + Number(valueAlong(row, along))) / 2;
    if (fall > best.fall) best = { fall, at };
  });
  return best.at;
}

function correlation({ of, x, y, expect }: Of<"correlation">, { claim, rows }: Context): Finding | string {
  const { metric: _, ...cells } = of;
  const byKey = (metric: string) =>
    new Map(select(rows, claim, { ...cells, metric }).rows.map((row) => [rowKey(row), row]));
  const [xs, ys] = [byKey(x), byKey(y)];
  const keys = [...ys.keys()].filter((key) => xs.has(key));
  if (keys.length < 3) return `Fewer than three cells have both ${x} and ${y}.`;
  const of2 = (map: Map<string, ResultRow>) => keys.map((key) => map.get(key)?.value ?? Number.NaN);
  const r = sampleCorrelation(of2(xs), of2(ys));
  return {
    ours: r.toFixed(4),
    ...(keys.length > 3 ? { interval: fisher(r, keys.length) } : {}),
    holds: margin(r, expect) >= 0,
    reason: `Pearson's r of ${y} and ${x} over ${keys.length} cells; accepted: ${accepted(expect)}.`,
    rows: keys.flatMap((key) => [xs.get(key), ys.get(key)]).filter((row) => row !== undefined),
  };
}

/** 95 % interval of r by Fisher's transformation. */
function fisher(r: number, count: number): string {
  const z = Math.atanh(Math.min(0.9999999, Math.max(-0.9999999, r)));
  const half = 1.96 / Math.sqrt(count - 3);
  return `${Math.tanh(z - half).toFixed(4)} to ${Math.tanh(z + half).toFixed(4)}`;
}

export const checkers = { absolute, value, ratio, order, trend, crossing, place, correlation };
