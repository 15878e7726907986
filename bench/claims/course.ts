/** Claims about how numbers run along an axis, or with another quantity. */

import { sampleCorrelation, sampleRankCorrelation } from "simple-statistics";
import { decimals, significant } from "../base/format.js";
import { quadraticFit, signChanges } from "../measure/regression.js";
import { rowKey } from "../results/key.js";
import type { ResultRow } from "../results/record.js";
import type { CourseCheck, Target } from "./claim.js";
import { accepted, interval, judge, stated, withUnit } from "./expectation.js";
import { agreeing, type Context, type Finding, NO_PAIRS, numbersOf, type Of } from "./numbers.js";
import { exactly, over, type Quantity } from "./quantity.js";
import { type Judgement, MONOTONE, outcomeOf, type Precision } from "./rule.js";
import { isColumn, type Point, quantityOf, seriesAlong, valueAlong } from "./select.js";

/** The correlation of five points, two of them exchanged, is 0.9, and is computed as a little less. */
const ROUNDING = 1e-9;
const PLACE = 1e-5;

export function course(check: Of<"course">, context: Context): Finding | string {
  if (check.how === "crosses") return check.fitted ? fittedCrossing(check, context) : crossing(check, context);
  return check.how === "peaks" || check.how === "drops" ? place(check, context) : trend(check, context);
}

/** The series of a check that have enough points. */
function seriesOf(check: CourseCheck, context: Context, least: number): Point[][] {
  return seriesAlong(numbersOf(context, check), check.along).filter(({ length }) => length >= least);
}

function rowsIn(series: readonly (readonly Point[])[]): ResultRow[] {
  return series.flat().flatMap(({ rows }) => rows);
}

function trend(check: CourseCheck, context: Context): Finding | string {
  const { along, how } = check;
  const series = seriesOf(check, context, 2);
  if (series.length === 0) return `No series has two points along ${along}.`;
  const changes = series.map(how === "stays" ? spread : growth);
  const says = outcomeOf(series.map((points) => moves(points, how, context.precision)));
  const sizes = changes.map(({ value }) => value);
  const ends = [Math.min(...sizes), Math.max(...sizes)].map((size) => withUnit(size, "×"));
  const [only] = changes;
  const what = how === "stays" ? "Largest over smallest" : "Last over first point";
  return {
    ours: ends[0] === ends[1] ? `${ends[0]}` : ends.join(" to "),
    interval: changes.length === 1 && only ? interval(only) : "",
    outcome: says,
    reason: `${what} of ${series.length} series along ${along}; ${says.agreeing} of them ${how.replace(/s$/, "")}.`,
    rows: rowsIn(series),
  };
}

function growth(points: readonly Point[]): Quantity {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last) throw new Error("a series without points");
  return over(last.y, first.y);
}

function spread(points: readonly Point[]): Quantity {
  const sorted = points.map(({ y }) => y).toSorted((a, b) => b.value - a.value);
  const [largest, smallest] = [sorted[0], sorted.at(-1)];
  if (!largest || !smallest) throw new Error("a series without points");
  return over(largest, smallest);
}

function moves(points: readonly Point[], how: CourseCheck["how"], precision: Precision): Judgement {
  if (how === "stays") return judge(spread(points), { from: 1, to: 1 }, { ...precision, quotient: true });
  const rising = points.map(({ y: { value } }) => (how === "rises" ? value : 1 / value));
  let highest = 0;
  let back = false;
  for (const v of rising) {
    back ||= v < highest * (1 - precision.tie);
    highest = Math.max(highest, v);
  }
  const inOrder = !back || sampleRankCorrelation([...rising.keys()], [...rising]) >= MONOTONE - ROUNDING;
  const grown = growth(points);
  return inOrder ? judge(how === "rises" ? grown : over(exactly(1), grown), { above: 1 }, precision) : "differs";
}

/** Whether the paper's place is between two places. */
function between(target: Target, from: number, to: number): boolean {
  // Places of rows are rounded to six digits.
  return target.to * (1 + PLACE) >= from && target.from * (1 - PLACE) <= to;
}

function crossing(check: CourseCheck, context: Context): Finding | string {
  const { along, begins, at: expect } = check;
  const [series] = seriesOf(check, context, 2).toSorted((a, b) => b.length - a.length);
  if (!series) return NO_PAIRS;
  const signed = series.map(({ x, y }) => ({ x, y: begins === "below" ? y : over(exactly(1), y) }));
  const isAbove = ({ y }: { y: Quantity }) => y.value >= 1;
  const passes = signed.flatMap((after, i) => {
    const before = signed[i - 1];
    return before && isAbove(before) !== isAbove(after) ? [{ before, after }] : [];
  });
  const rows = rowsIn([series]);
  const says = (one: { y: Quantity }) => judge(one.y, { above: 1 }, context.precision);
  const [first, last] = [passes[0], passes.at(-1)];
  const [start, end] = [signed[0], signed.at(-1)];
  if (!first || !last || !start || !end || isAbove(start) || !isAbove(end)) {
    const near = start && !isAbove(start) && signed.some((one) => ["tie", "alike"].includes(says(one)));
    return {
      rows,
      ours: "never",
      outcome: outcomeOf([near ? "tie" : "differs"]),
      reason: `The quotient does not pass 1 from ${begins} along ${along} for good${near ? ", but comes as near as a tie" : ""}.`,
    };
  }
  const [from, to] = [first.before.x, last.after.x];
  const clear = passes.length === 1 && signed.some((one) => says(one) === "differs");
  const holds = clear && signed.some((one) => ["agrees", "small"].includes(says(one)));
  const { before, after } = last;
  const where = before.x + ((after.x - before.x) * (1 - before.y.value)) / (after.y.value - before.y.value);
  const there = expect === undefined || between(expect, from, to);
  return {
    rows,
    ours: `at ${significant(where)}`,
    interval: `${significant(from)} to ${significant(to)}`,
    outcome: outcomeOf([there ? (holds ? "agrees" : "tie") : "differs"]),
    reason:
      `The quotient passes 1 ${passes.length === 1 ? "" : `${passes.length} times `}between ${significant(from)} and ${significant(to)} along ${along}` +
      `${passes.length > 1 || holds ? "" : ", but by no more than a tie on one side"}${expect ? `; the paper: ${stated(expect)}` : ""}.`,
  };
}

function fittedCrossing({ of, over: by, along, begins }: CourseCheck, { pairs }: Context): Finding | string {
  const found = by ? pairs(of, by) : [];
  if (found.length === 0) return NO_PAIRS;
  const xs = found.map((pair) => Number(valueAlong(pair.of, along)));
  if (new Set(xs).size < 3) return `A regression takes three places along ${along}.`;
  const differences = found.map((pair) => quantityOf(pair.of).value - quantityOf(pair.over).value);
  const changes = signChanges(quadraticFit(xs, differences), Math.min(...xs), Math.max(...xs));
  const at = changes.find(({ rises }) => rises === (begins === "below"))?.x;
  const what = `The second-order regression of ${found.length} differences`;
  return {
    rows: found.flatMap((pair) => [pair.of, pair.over]),
    ours: at === undefined ? "never" : `at ${significant(at)}`,
    outcome: outcomeOf([at === undefined ? "differs" : "agrees"]),
    reason:
      at === undefined
        ? `${what} never passes 0 from ${begins}.`
        : `${what} passes 0 from ${begins} at ${significant(at)} along ${along}.`,
  };
}

/** A place of a series along its axis, known up to those beside it. */
interface Found {
  readonly at: number;
  readonly from: number;
  readonly to: number;
}

function place(check: CourseCheck, context: Context): Finding | string {
  const { how, along, at: expect } = check;
  const series = seriesOf(check, context, 3);
  if (series.length === 0 || !expect) return `No series has three points along ${along}.`;
  const find = how === "peaks" ? highest : suddenFall;
  const places = series.map((points) => find(points, context.precision));
  const fits = ({ from, to }: Found) => between(expect, from, to);
  const judged = places.map(([own, ...ties], i): Judgement => {
    // A lead is largest where there is one.
    const largest = check.over && how === "peaks" && series[i]?.find(({ x }) => x === own?.at);
    const lead = largest ? judge(largest.y, { above: 1 }, context.precision) : "agrees";
    if (lead !== "agrees" && lead !== "small") return lead;
    if (own && fits(own)) return "agrees";
    return ties.some(fits) ? "tie" : "differs";
  });
  const says = outcomeOf(judged);
  const told = judged.findIndex((one) => one !== "agrees");
  const [own] = places[Math.max(0, told)] ?? [];
  return {
    ours: own ? `at ${significant(own.at)}` : "never",
    ...(own ? { interval: `${significant(own.from)} to ${significant(own.to)}` } : {}),
    outcome: says,
    reason:
      `${how === "peaks" ? "Where it is largest" : "Where it first falls by more than before and after"} ` +
      `along ${along}, in ${series.length} series; the paper: ${stated(expect)}.${agreeing(says, "series")}`,
    rows: rowsIn(series),
  };
}

/** The place of the largest value, then those of values whose intervals reach that of the largest. */
function highest(points: readonly Point[], { floor }: Precision): Found[] {
  const sorted = [...points.keys()].sort((a, b) => (points[b]?.y.value ?? 0) - (points[a]?.y.value ?? 0));
  const largest = points[sorted[0] ?? 0]?.y;
  const least = largest ? Math.min(largest.lo, largest.value * (1 - floor)) : Number.NaN;
  return sorted.flatMap((i) => {
    const [before, own, after] = [points[i - 1], points[i], points[i + 1]];
    if (!own || Math.max(own.y.hi, own.y.value * (1 + floor)) < least) return [];
    return [{ at: own.x, from: before?.x ?? own.x, to: after?.x ?? own.x }];
  });
}

/** The first fall from one place to the next that is more than a tie, and deeper than those before and after it. */
function suddenFall(points: readonly Point[], { tie }: Precision): Found[] {
  const falls = points.map((point, i) => 1 - point.y.value / (points[i - 1]?.y.value ?? point.y.value));
  const at = falls.findIndex((fall, i) => fall > tie && fall > (falls[i - 1] ?? 0) && fall > (falls[i + 1] ?? 0));
  const [before, after] = [points[at - 1], points[at]];
  return before && after ? [{ at: (before.x + after.x) / 2, from: before.x, to: after.x }] : [];
}

export function correlation({ of, x, y, expect }: Of<"correlation">, { select }: Context): Finding | string {
  const byKey = (metric: string) => new Map(select({ ...of, metric }).rows.map((row) => [rowKey(row), row]));
  const ys = byKey(y);
  // Every row of a cell has the cell's columns, whatever the row's metric.
  const xs = isColumn(x) ? ys : byKey(x);
  const keys = [...ys.keys()].filter((key) => xs.has(key));
  if (keys.length < 3) return `Fewer than three cells have both ${x} and ${y}.`;
  const at = (row: ResultRow | undefined) => Number((row && (isColumn(x) ? row[x] : row.value)) ?? Number.NaN);
  const r = sampleCorrelation(
    keys.map((key) => at(xs.get(key))),
    keys.map((key) => ys.get(key)?.value ?? Number.NaN),
  );
  // Its interval says how well it is known.
  const precision = { within: 0, tie: 0, floor: 0 };
  const found = keys.length > 3 ? fisher(r, keys.length) : exactly(r);
  return {
    ours: decimals(r, 4),
    ...(keys.length > 3 ? { interval: `${decimals(found.lo, 4)} to ${decimals(found.hi, 4)}` } : {}),
    outcome: outcomeOf([judge(found, expect, precision)]),
    reason: `Pearson's r of ${y} and ${x} over ${keys.length} cells; accepted: ${accepted(expect, precision)}.`,
    rows: keys.flatMap((key) => [...new Set([xs.get(key), ys.get(key)])]).filter((row) => row !== undefined),
  };
}

/** r with its 95 % interval by Fisher's transformation. */
function fisher(r: number, count: number): Quantity {
  const z = Math.atanh(Math.min(0.9999999, Math.max(-0.9999999, r)));
  const half = 1.96 / Math.sqrt(count - 3);
  return { value: r, lo: Math.tanh(z - half), hi: Math.tanh(z + half) };
}
