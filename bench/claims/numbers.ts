/**
 * How claims about numbers and quotients are computed; those along an axis are in course.ts. A finding has the number, whether
 * it agrees, and why; a string says why there is none.
 */

import { significant } from "../base/format.js";
import type { ResultRow } from "../results/record.js";
import type { Check, Claim, Expectation, Mean, Numbers, Select } from "./claim.js";
import {
  accepted,
  interval,
  isLikeness,
  isTarget,
  judge,
  margin,
  PER_CENT,
  prefix,
  scale,
  statedWithUnit,
  unlikeOne,
  withUnit,
} from "./expectation.js";
import type { Pair } from "./pairing.js";
import { paperRate, type Resource } from "./papers.js";
import { exactly, meanOf, over, type Quantity } from "./quantity.js";
import { MUCH, type Outcome, outcomeOf, type Precision } from "./rule.js";
import { type Point, quantityOf, type Selected } from "./select.js";

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
  /** The rows of two selections, place by place. */
  readonly pairs: (of: Select, over: Select) => readonly Pair[];
  readonly rates: DeviceRates;
  /** Of the check's numbers. */
  readonly precision: Precision;
}

/** What this device does, in the units of `paperRate`; null where it was not measured. */
export type DeviceRates = Readonly<Record<Resource, number | null>>;

export type Of<Kind extends Check["kind"]> = Extract<Check, { kind: Kind }>;

const MEAN_NAMES: Readonly<Record<Mean, string>> = {
  mean: "mean",
  geomean: "geometric mean",
  harmean: "harmonic mean",
  median: "median",
  min: "smallest",
  max: "largest",
  every: "least favourable",
};

/** Of quotients that are shown the other way round, what a mean becomes, where that is another one. */
const TURNED: Partial<Record<Mean, Mean>> = { mean: "harmean", harmean: "mean", min: "max", max: "min" };

export const NO_PAIRS = "No cells of the two sides share their coordinates.";

/** The numbers of a selection, or of its quotients by another one; none if nothing could be paired. */
export function numbersOf({ select, pairs }: Context, check: Numbers): Omit<Point, "x">[] {
  if (!check.over) return select(check.of).rows.map((row) => ({ y: quantityOf(row), rows: [row] }));
  return pairs(check.of, check.over).map((pair) => ({
    y: over(quantityOf(pair.of), quantityOf(pair.over)),
    rows: [pair.of, pair.over],
  }));
}

/** The mean; for `every` the value that agrees least. */
function summary(quantities: readonly Quantity[], how: Mean, expect: Expectation, precision: Precision): Quantity {
  if (how !== "every") return meanOf(quantities, how);
  const [first, ...rest] = quantities;
  if (!first) throw new Error("nothing to summarise");
  const marginOf = ({ value }: Quantity) => margin(value, expect, precision);
  return rest.reduce((worst, q) => (marginOf(q) < marginOf(worst) ? q : worst), first);
}

/** How many of several agree. */
export function agreeing({ agreeing, all }: Outcome, what: string): string {
  return all > 1 ? ` ${agreeing} of ${all} ${what} agree.` : "";
}

function counted(count: number, what: string, mean: string): string {
  return count === 1 ? `One ${what}` : `The ${mean} of ${count} ${what}s`;
}

function times({ value, lo, hi }: Quantity, factor: number): Quantity {
  return { value: value * factor, lo: lo * factor, hi: hi * factor };
}

/** A number with its interval, in the unit that fits its size. */
function shownIn(q: Quantity, unit: string): Pick<Finding, "ours" | "interval"> {
  return { ours: withUnit(q.value, unit), interval: interval(times(q, prefix(q.value, unit).factor)) };
}

export function ofDevice({ of, mean, expect, unit, waits }: Of<"device">, { claim, select, rates }: Context): Finding {
  const { device } = claim;
  const { rows } = select(of);
  const [row] = rows;
  if (row && row.unit !== unit) throw new Error(`${claim.id} is in ${unit}, but the rows are in ${row.unit}`);
  const ours = meanOf(rows.map(quantityOf), mean);
  const base = { ...shownIn(ours, unit), outcome: null, rows };
  const what = `${counted(rows.length, "cell", MEAN_NAMES[mean])}; the paper's is of a ${device}`;
  const [here, theirs] = [rates[waits], device === undefined ? null : paperRate(device, waits)];
  if (here === null || theirs === null)
    return { ...base, reason: `${what}. Without rows of device/limits it cannot be scaled.` };
  const factor = here / theirs.rate;
  const scaled = scale(expect, unit === "M op/s" ? factor : 1 / factor);
  const ends = Object.values(scaled);
  const middle = ends.reduce((sum, end) => sum + end, 0) / ends.length;
  const by = `by the ${waits} (${significant(here)} measured here, ${significant(theirs.rate)} ${theirs.as})`;
  return {
    ...base,
    scaled: statedWithUnit(scaled, unit),
    reason: `${what}, so the two are not comparable; scaled ${by} it would be ${statedWithUnit(scaled, unit)}, and ours is ${significant(ours.value / middle)} times that.`,
  };
}

export function numberOf(check: Of<"number">, context: Context): Finding | string {
  const { mean, expect, times: factor = 1, unit } = check;
  const found = numbersOf(context, check);
  const all = found.map(({ y }) => times(y, factor));
  if (all.length === 0) return NO_PAIRS;
  const precision = { ...context.precision, quotient: check.over !== undefined && unit === "×", share: unit === "%" };
  const ours = summary(all, mean, expect, precision);
  const judged = mean === "every" ? all : [ours];
  const says = outcomeOf(judged.map((quantity) => judge(quantity, expect, precision)));
  const rows = found.flatMap((one) => one.rows);
  const what = check.over ? "quotient" : "cell";
  // A share is written as the paper writes it; other numbers of cells have the unit of their rows.
  const own = check.over ? unit : rows[0]?.unit === "ratio" ? unit : (rows[0]?.unit ?? "");
  const shown = check.turned ? turned(ours) : ours;
  const range = check.turned
    ? "below 1"
    : own === "%"
      ? `${accepted(expect, precision, PER_CENT)} %`
      : accepted(expect, precision);
  const tail = check.over ? `${spread(check.turned ? all.map(turned) : all)}${direction(ours, says, expect)}` : "";
  return {
    ...shownIn(shown, own),
    outcome: says,
    reason: `${counted(all.length, what, MEAN_NAMES[(check.turned && TURNED[mean]) || mean])}; accepted: ${range}.${agreeing(says, `${what}s`)}${tail}`,
    rows,
  };
}

function turned(quotient: Quantity): Quantity {
  return over(exactly(1), quotient);
}

function spread(all: readonly Quantity[]): string {
  if (all.length < 2) return "";
  return ` They run from ${unlikeOne(meanOf(all, "min").value)} to ${unlikeOne(meanOf(all, "max").value)}.`;
}

/**
 * For a quotient outside the accepted range: whether at least the same side is the faster one. Nothing of two that are said
 * to be alike.
 */
function direction({ value }: Quantity, { says }: Outcome, expect: Expectation): string {
  if (says === "agrees" || says === "small" || !isTarget(expect) || isLikeness(expect)) return "";
  const paper = (expect.from + expect.to) / 2;
  if (value > 1 === paper > 1) return " The direction is the paper's, the size is not.";
  return " The direction is not the paper's.";
}

export function order({ of, mean }: Of<"order">, context: Context): Finding | string {
  const expect: Expectation = { above: 1 };
  const { precision } = context;
  const steps = of.slice(1).map((lower, i) => {
    const found = numbersOf(context, { of: of[i] ?? {}, over: lower });
    return { name: `${nameOf(of[i])} / ${nameOf(lower)}`, found, all: found.map(({ y }) => y) };
  });
  if (steps.some(({ all }) => all.length === 0)) return NO_PAIRS;
  const summed = steps.map((step) => ({ ...step, quotient: summary(step.all, mean, expect, precision) }));
  const contests = mean === "every" ? steps.flatMap(({ all }) => all) : summed.map(({ quotient }) => quotient);
  const open = contests.filter(({ value }) => value < MUCH);
  const judged = open.length > 0 ? open : contests;
  const says = outcomeOf(judged.map((quantity) => judge(quantity, expect, precision)));
  const worst = summed.reduce((a, b) => (b.quotient.value < a.quotient.value ? b : a));
  const list = summed.map(({ name, quotient }) => `${name} ${withUnit(quotient.value, "×")}`).join(", ");
  return {
    ours: `${withUnit(worst.quotient.value, "×")} (${worst.name})`,
    interval: interval(worst.quotient),
    outcome: says,
    reason: `The ${MEAN_NAMES[mean]} quotient of each neighbouring two has to be ${accepted(expect, precision)}: ${list}.${agreeing(says, "quotients")}`,
    rows: steps.flatMap((step) => step.found.flatMap(({ rows }) => rows)),
  };
}

function nameOf(selection: Select | undefined): string {
  const { table = "", variant = "", where = {} } = selection ?? {};
  const { op = "", ...others } = where;
  const words = [table, variant, table === "" ? op : ""].map((word) => [word].flat().join(" and "));
  return [...words, ...Object.entries(others).map(([key, v]) => `${key} ${String(v)}`)]
    .filter((word) => word !== "")
    .join(" ");
}
