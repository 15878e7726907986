/** Shorthands in which the papers' folders state their claims. */
import type { Along, Check, Claim, Expectation, Mean, Place, Select } from "../claims/claim.js";
import { LINEAR, MUCH } from "../claims/rule.js";
import type { PaperDevice, Resource } from "../papers.js";

/** What remains of a claim once experiment and device are said; `paper` where the check does not say it. */
export interface Statement extends Omit<Claim, "id" | "experiment" | "device" | "paper"> {
  readonly paper?: string;
}

/** Claims of one figure, by name. */
type FigureClaims = Readonly<Record<string, Statement>>;

/** @param device the paper's; null: no paper states them */
export function figureClaims(experiment: string, device: PaperDevice | null, claims: FigureClaims): Claim[] {
  return Object.entries(claims).map(([name, { text, paper, ...claim }]) => {
    const id = `${experiment}:${name}`;
    return { id, experiment, ...(device && { device }), text, paper: paper ?? inShort(claim.check, id), ...claim };
  });
}

/** What the paper says by what is checked, as short as in a table. */
function inShort(check: Check, id: string): string {
  if (check.kind === "trend") return check.expect;
  if (check.kind === "crossing") return "crosses";
  if (check.kind === "ratio") {
    const { expect } = check;
    if ("near" in expect) return `${expect.near}×`;
    if ("from" in expect) return `${expect.from}–${expect.to}×`;
    if ("atLeast" in expect && expect.atLeast === 1) return "faster";
  }
  if (check.kind === "value" && "near" in check.expect) return `${Number((100 * check.expect.near).toPrecision(6))} %`;
  if (check.kind === "absolute" && "near" in check.paper) {
    return check.scales === "rate" ? `${check.paper.near} M/s` : `${check.paper.near / 1e6} ms`;
  }
  throw new Error(`${id} does not say in short what the paper says`);
}

/** The claims that are stated of each item. */
export function each<T>(items: readonly T[], claims: (item: T) => FigureClaims): FigureClaims {
  return Object.assign({}, ...items.map(claims));
}

/** A number or range of the paper's. */
export function near(value: number): Place {
  return { near: value };
}
export function between(from: number, to: number): Place {
  return { from, to };
}
/** Of quotients: "alike", "similar", "hardly". */
export const ALIKE = near(1);
/** "Slightly", "marginally". */
export const SLIGHTLY_MORE: Expectation = { slightly: "more" };
export const SLIGHTLY_LESS: Expectation = { slightly: "less" };
export function atLeast(value: number): { readonly atLeast: number } {
  return { atLeast: value };
}
export function atMost(value: number): { readonly atMost: number } {
  return { atMost: value };
}

/** "Much", "by a wide margin". */
export const MUCH_MORE = atLeast(MUCH);
export const MUCH_LESS = atMost(1 / MUCH);

/** How the cells of two selections are paired, and what both selections have in common. */
interface Pairing extends Select {
  readonly by?: readonly Along[];
}

/** `of` has at least the rate of `over`: at every point of `by`, or in the mean. */
export function faster(of: Select, over: Select, by: readonly Along[], mean: Mean = "every"): Check {
  return ratio(of, over, mean, atLeast(1), { by });
}

export function ratio(
  of: Select,
  over: Select,
  mean: Mean,
  expect: Expectation,
  { by, times, ...both }: Pairing & { readonly times?: number } = {},
): Check {
  return { kind: "ratio", of: { ...of, ...both }, over: { ...over, ...both }, by, times, mean, expect };
}

export function value(of: Select, mean: Mean, expect: Expectation): Check {
  return { kind: "value", of, mean, expect };
}

type Absolute = Extract<Check, { kind: "absolute" }>;
/** A rate of the paper's device, in M op/s. */
export function absoluteRate(of: Select, mean: Absolute["mean"], paper: Absolute["paper"], waits?: Resource): Check {
  return { kind: "absolute", of, mean, paper, unit: "M op/s", scales: "rate", waits };
}

/** A time on the paper's device, in ns. */
export function absoluteTime(of: Select, mean: Absolute["mean"], paper: Absolute["paper"], waits?: Resource): Check {
  return { kind: "absolute", of, mean, paper, unit: "ns", scales: "time", waits };
}

/** The largest first. */
export function order(of: readonly Select[], mean: Mean, { by, ...both }: Pairing = {}): Check {
  return { kind: "order", of: of.map((one) => ({ ...one, ...both })), by, mean };
}

interface TrendOptions extends Pairing {
  /** The trend is of quotients of / over. */
  readonly over?: Select;
}

function trend(expect: "rises" | "falls" | "flat") {
  return (of: Select, along: Along, { over, by, ...both }: TrendOptions = {}): Check => ({
    kind: "trend",
    of: { ...of, ...both },
    over: over && { ...over, ...both },
    by,
    along,
    expect,
  });
}
export const rises = trend("rises");
export const falls = trend("falls");
export const flat = trend("flat");

/** `of` begins below (or above) `over` and passes it. */
export function crossing(
  of: Select,
  over: Select,
  along: Along,
  from: "below" | "above",
  { by, expect, regression, ...both }: Pairing & { readonly expect?: Place; readonly regression?: 2 } = {},
): Check {
  const sides = { of: { ...of, ...both }, over: { ...over, ...both } };
  return { kind: "crossing", ...sides, along, from, by, expect, regression };
}

interface PlaceOptions {
  readonly over?: Select;
  readonly by?: readonly Along[];
}

/** Where the largest value is. */
export function peak(of: Select, along: Along, expect: Place, rest: PlaceOptions = {}): Check {
  return { kind: "peak", of, along, expect, ...rest };
}

/** Where the value begins to fall. */
export function drop(of: Select, along: Along, expect: Place): Check {
  return { kind: "drop", of, along, expect };
}

/** y rises or falls linearly with x. */
export function linear(of: Select, x: string, y: string, how: "rises" | "falls"): Check {
  return { kind: "correlation", of, x, y, expect: how === "rises" ? atLeast(LINEAR) : atMost(-LINEAR) };
}
