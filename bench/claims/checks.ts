/**
 * How claims about numbers and quotients are computed; those along an axis are in checks-along.ts. A finding has the number,
 * whether it agrees, and why; a string says why there is none.
 */
import { paperRate, type Resource } from "../papers.js";
import type { ResultRow } from "../results/record.js";
import type { Check, Claim, Expectation, Mean, Select } from "./claim.js";
import { accepted, interval, isLikeness, judge, margin, number, type Scalable, scale, stated } from "./expectation.js";
import { meanOf, over, type Quantity } from "./quantity.js";
import { type Outcome, outcomeOf, type Precision } from "./rule.js";
import { type Pair, pairUp, quantityOf, type Selected } from "./select.js";

export interface Finding {
  readonly ours: string;
  readonly interval?: string;
  readonly scaled?: string;
  /** Null where the paper's number cannot be compared with ours. */
  readonly outcome: Outcome | null;
  readonly reason: string;
  readonly rows: readonly ResultRow[];
}

export interface Context {
  readonly claim: Claim;
  /** The rows of a selection. */
  readonly select: (wanted: Select) => Selected;
  readonly rates: DeviceRates;
  /** Of the check's numbers. */
  readonly precision: Precision;
}

/** What this device does, in the units of `paperRate`; null where it was not measured. */
export type DeviceRates = Readonly<Record<Resource, number | null>>;

export type Of<Kind extends Check["kind"]> = Extract<Check, { kind: Kind }>;

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
function summary(quantities: readonly Quantity[], how: Mean, expect: Expectation, precision: Precision): Quantity {
  if (how !== "every") return meanOf(quantities, how);
  const [first, ...rest] = quantities;
  if (!first) throw new Error("nothing to summarise");
  const marginOf = ({ value }: Quantity) => margin(value, expect, precision);
  return rest.reduce((worst, q) => (marginOf(q) < marginOf(worst) ? q : worst), first);
}

/** What the mean says, or every one. */
function outcome(quantities: readonly Quantity[], how: Mean, expect: Expectation, precision: Precision): Outcome {
  const judged = how === "every" ? quantities : [meanOf(quantities, how)];
  return outcomeOf(judged.map((quantity) => judge(quantity, expect, precision)));
}

/** How many of several agree. */
export function agreeing({ agreeing, all }: Outcome, what: string): string {
  return all > 1 ? ` ${agreeing} of ${all} ${what} agree.` : "";
}

function counted(count: number, what: string, how: Mean): string {
  return count === 1 ? `One ${what}` : `The ${MEAN_NAMES[how]} of ${count} ${what}s`;
}

export function absolute(
  { of, mean, paper, unit, scales, waits = "copy bandwidth" }: Of<"absolute">,
  { claim, select, rates }: Context,
): Finding {
  const found = select(of).rows;
  const [row] = found;
  if (row && row.unit !== unit) throw new Error(`${claim.id} is in ${unit}, but the rows are in ${row.unit}`);
  const ours = meanOf(found.map(quantityOf), mean);
  const shown = (value: number) => withUnit(value, unit);
  const { device } = claim;
  const [here, theirs] = [rates[waits], device === undefined ? null : paperRate(device, waits)];
  const base = {
    ours: shown(ours.value),
    interval: interval(scaledTo(ours, unit)),
    outcome: null,
    rows: found,
  };
  const what = `${counted(found.length, "cell", mean)}; the paper's is of a ${device}`;
  if (here === null || theirs === null)
    return { ...base, reason: `${what}. Without rows of device/limits it cannot be scaled.` };
  const factor = here / theirs.rate;
  const scaled = scale(paper, scales === "rate" ? factor : 1 / factor);
  const middle = "near" in scaled ? scaled.near : "from" in scaled ? (scaled.from + scaled.to) / 2 : undefined;
  const bound = middle ?? ("atLeast" in scaled ? scaled.atLeast : "atMost" in scaled ? scaled.atMost : Number.NaN);
  const times = number(ours.value / bound);
  const unitOfRate = waits === "copy bandwidth" ? "GB/s" : "M/s";
  const measured = theirs.measuredOn === device ? "" : `, those of a ${theirs.measuredOn} by both bandwidths`;
  const by = `by the ${waits} (${number(here)} here, ${number(theirs.rate)} ${unitOfRate} there${measured})`;
  return {
    ...base,
    scaled: statedWithUnit(scaled, unit),
    reason: `${what}, so the two are not comparable; scaled ${by} it would be ${statedWithUnit(scaled, unit)}, and ours is ${times} times that.`,
  };
}

const PER_CENT = 100;

/** Rates above 1,000 M in G, times in ms, µs or ns, shares in per cent. */
function prefix(value: number, unit: string): { factor: number; unit: string } {
  if (unit === "%") return { factor: PER_CENT, unit };
  if (unit === "M op/s") return value >= 1000 ? { factor: 1e-3, unit: "G op/s" } : { factor: 1, unit };
  if (unit === "ns" && value >= 1e3) return value >= 1e6 ? { factor: 1e-6, unit: "ms" } : { factor: 1e-3, unit: "µs" };
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

function statedWithUnit(expectation: Scalable, unit: string): string {
  const shown = prefix(Math.max(...Object.values(expectation)), unit);
  return `${stated(scale(expectation, shown.factor))} ${shown.unit}`.trim();
}

export function value({ of, mean, expect }: Of<"value">, { claim, select, precision }: Context): Finding {
  const found = select(of).rows;
  const all = found.map(quantityOf);
  const ours = summary(all, mean, expect, precision);
  const { unit = "" } = found[0] ?? {};
  // A share is written as the paper writes it.
  const shown = unit !== "ratio" ? unit : claim.paper.endsWith("%") ? "%" : "";
  const says = outcome(all, mean, expect, precision);
  return {
    ours: withUnit(ours.value, shown),
    interval: interval(scaledTo(ours, shown)),
    outcome: says,
    reason: `${counted(found.length, "cell", mean)}; accepted: ${acceptedIn(shown, expect, precision)}.${agreeing(says, "cells")}`,
    rows: found,
  };
}

/** The accepted range in a unit. */
function acceptedIn(unit: string, expect: Expectation, precision: Precision): string {
  if (unit !== "%" || "slightly" in expect) return accepted(expect, precision);
  return `${accepted(scale(expect, PER_CENT), precision)} %`;
}

function ratios(pairs: readonly Pair[], times = 1): Quantity[] {
  return pairs.map((pair) => {
    const { value, lo, hi } = over(quantityOf(pair.of), quantityOf(pair.over));
    return { value: value * times, lo: lo * times, hi: hi * times };
  });
}

function rowsOf(pairs: readonly Pair[]): ResultRow[] {
  return pairs.flatMap((pair) => [pair.of, pair.over]);
}

export const NO_PAIRS = "No cells of the two sides share their coordinates.";

export function pairsOf({ select }: Context, a: Select, b: Select, by?: readonly string[]): Pair[] {
  return pairUp(select(a).rows, select(b).rows, [a, b], by);
}

export function ratio(check: Of<"ratio">, context: Context): Finding | string {
  const pairs = pairsOf(context, check.of, check.over, check.by);
  if (pairs.length === 0) return NO_PAIRS;
  const all = ratios(pairs, check.times);
  const precision = { ...context.precision, quotient: check.times === undefined };
  const ours = summary(all, check.mean, check.expect, precision);
  const says = outcome(all, check.mean, check.expect, precision);
  const least = meanOf(all, "min").value;
  const spread = pairs.length > 1 ? ` They run from ${number(least)} to ${number(meanOf(all, "max").value)}.` : "";
  const direction = says.says === "agrees" || context.claim.paper === "" ? "" : sameDirection(ours.value, check.expect);
  const share = context.claim.paper.endsWith("%");
  return {
    ours: share ? withUnit(ours.value, "%") : `${number(ours.value)}×`,
    interval: interval(scaledTo(ours, share ? "%" : "")),
    outcome: says,
    reason: `${counted(pairs.length, "quotient", check.mean)}; accepted: ${accepted(check.expect, precision)}.${agreeing(says, "quotients")}${spread}${direction}`,
    rows: rowsOf(pairs),
  };
}

/**
 * For a quotient outside the accepted range: whether at least the same side is the faster one. Nothing of two that are said
 * to be alike.
 */
function sameDirection(ours: number, expect: Expectation): string {
  if (!("near" in expect || "from" in expect) || isLikeness(expect)) return "";
  const paper = "near" in expect ? expect.near : (expect.from + expect.to) / 2;
  if (ours > 1 === paper > 1) return ` The direction is the paper's, the size is not.`;
  return " The direction is not the paper's.";
}

export function order(check: Of<"order">, context: Context): Finding | string {
  const expect: Expectation = { atLeast: 1 };
  const { precision } = context;
  const steps = check.of.slice(1).map((lower, i) => {
    const pairs = pairsOf(context, check.of[i] ?? {}, lower, check.by);
    return { name: `${nameOf(check.of[i])} / ${nameOf(lower)}`, pairs, all: ratios(pairs) };
  });
  if (steps.some(({ pairs }) => pairs.length === 0)) return NO_PAIRS;
  const summed = steps.map((step) => ({ ...step, quotient: summary(step.all, check.mean, expect, precision) }));
  const judged = check.mean === "every" ? steps.flatMap(({ all }) => all) : summed.map(({ quotient }) => quotient);
  const says = outcomeOf(judged.map((quantity) => judge(quantity, expect, precision)));
  const worst = summed.reduce((a, b) => (b.quotient.value < a.quotient.value ? b : a));
  const list = summed.map(({ name, quotient }) => `${name} ${number(quotient.value)}×`).join(", ");
  return {
    ours: `${number(worst.quotient.value)}× (${worst.name})`,
    interval: interval(worst.quotient),
    outcome: says,
    reason: `The ${MEAN_NAMES[check.mean]} quotient of each neighbouring two has to be ${accepted(expect, precision)}: ${list}.${agreeing(says, "quotients")}`,
    rows: steps.flatMap((step) => rowsOf(step.pairs)),
  };
}

function nameOf(selection: Select | undefined): string {
  const { table = "", variant = "", op = "" } = selection ?? {};
  const params = Object.entries(selection?.params ?? {}).map(([key, v]) => `${key} ${String(v)}`);
  const words = [table, variant, table === "" ? op : ""].map((word) => [word].flat().join(" and "));
  return [...words, ...params].filter((word) => word !== "").join(" ");
}
