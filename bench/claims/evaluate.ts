/** From a claim and result rows to its score. */
import { ownTables } from "../../kernels/index.js";
import { whole } from "../base/format.js";
import { rowsOfExperiment } from "../results/by-experiment.js";
import { rowKey } from "../results/key.js";
import { byClock, metricType } from "../results/metrics.js";
import type { ResultRow } from "../results/record.js";
import { type Check, type Claim, isPapers, type Select } from "./claim.js";
import { correlation, course } from "./course.js";
import { type Context, type DeviceRates, type Finding, numberOf, type Of, ofDevice, order } from "./numbers.js";
import { pairUp } from "./pairing.js";
import { type Outcome, precisionOf, SHORT_NS } from "./rule.js";
import type { Score, Verdict } from "./score.js";
import { type Declared, experimentsOf, fitting, type Selected, select } from "./select.js";

/** Begins the reason of a check whose rows are missing, or are older than a column or metric that it asks for. */
export const NO_CELL = "These results have no cell that fits";

/** What exists in this version: a missing row can be explained, and cells can be paired where some are missing. */
export interface Known {
  /** The cells that each experiment declares. */
  readonly experiments: Declared;
  readonly tables: ReadonlySet<string>;
  /** The authors' programs, by the table that is our port of each. */
  readonly originals: Readonly<Record<string, string>>;
  /** A CPU emulates the GPU: no rate of its is taken in place of a stand-in. */
  readonly software: boolean;
}

/**
 * By rates that were measured, if each stand-in of the claim has rows of what it stands in for, and by the stand-in else. By the authors'
 * programs, if each system of the claim that has one has rows of it, and by our ports else, as where operations are short. Counts,
 * and what is said of a stand-in, are our ports' alone.
 * @param rows of one environment, one run per cell
 * @returns with the claim as it was judged
 */
export function evaluate(claim: Claim, rows: readonly ResultRow[], rates: DeviceRates, known: Known): Score {
  const instead = known.software ? claim : asMeasured(claim);
  const measured = instead === claim ? null : judged(instead, rows, rates, known);
  if (measured && measured.verdict !== "not run") return measured;
  const ports = judged(claim, rows, rates, known);
  const check = withOriginals(claim.check, known);
  if (check === claim.check || !isPapers(claim) || byStandIn(claim)) return ports;
  const originals = judged({ ...claim, check }, rows, rates, known);
  if (originals.verdict === "not run") return { ...ports, by: "ports" };
  if (areShort(originals.rows, rows)) return { ...ports, by: "ports", originals };
  return { ...originals, claim, by: "originals", ports };
}

/** Whether programs are compared with tables of ours by operations too short for it: `RULE` says why. */
function areShort(compared: readonly ResultRow[], rows: readonly ResultRow[]): boolean {
  const programs = compared.filter(({ api }) => api !== "webgpu");
  if (programs.length === compared.length) return false;
  const cells = new Set(programs.map(rowKey));
  return [...new Set(programs.map(({ experiment }) => experiment))]
    .flatMap((id) => rowsOfExperiment(rows, id))
    .some((row) => row.metric === "time" && row.value !== null && row.value < SHORT_NS && cells.has(rowKey(row)));
}

/** The claim about what its stand-ins stand in for; the claim itself where nothing measures that. */
export function asMeasured(claim: Claim): Claim {
  const { because: _, incomparable: __, measured: because, ...own } = claim;
  const check = replacing(claim.check, (wanted) => {
    const by = metricType(wanted.metric ?? "mops")?.measuredBy;
    return by ? { ...wanted, metric: by.metric, where: { ...wanted.where, ...by.where } } : wanted;
  });
  return check === claim.check ? claim : { ...own, check, ...(because !== undefined && { because }) };
}

/** The check with each port replaced by its original; the check itself where there is none, or no clock decides. */
function withOriginals(check: Check, { originals }: Known): Check {
  if (!metricsOf(check).every(byClock)) return check;
  return replacing(check, (wanted) => {
    const ports = [wanted.table ?? []].flat();
    const programs = ports.flatMap((port) => originals[port] ?? []);
    if (programs.length === 0 || programs.length < ports.length) return wanted;
    return { ...wanted, table: typeof wanted.table === "string" ? (programs[0] ?? "") : programs, variant: "" };
  });
}

/** The check with other selections; the check itself where all stay as they are. */
function replacing(check: Check, replaced: (wanted: Select) => Select): Check {
  const selections = selectionsOf({ check });
  if (selections.every((one) => replaced(one) === one)) return check;
  const of = Array.isArray(check.of) ? check.of.map(replaced) : replaced(check.of as Select);
  return { ...check, of, ...("over" in check && check.over && { over: replaced(check.over) }) } as Check;
}

function judged(claim: Claim, rows: readonly ResultRow[], rates: DeviceRates, known: Known): Score {
  const nothing = { claim, ours: "", interval: "", scaled: "", rows: [] };
  const select = selecting(claim, rows);
  const declared = (wanted: Select) =>
    experimentsOf(claim, wanted).flatMap((id) => fitting(known.experiments.get(id) ?? [], wanted));
  const pairs = (of: Select, over: Select) =>
    pairUp([select(of).rows, select(over).rows], [declared(of), declared(over)], [of, over]);
  const context = { claim, rates, select, pairs, precision: precisionOf(metricsOf(claim.check)) };
  const absent = whyAbsent(context, rows, known);
  if (absent) return { ...nothing, verdict: "not run", reason: absent };
  const finding = judge(claim.check, context);
  if (typeof finding === "string") return { ...nothing, verdict: "not run", reason: finding };
  const { reason, ours, interval = "", scaled = "" } = finding;
  if (claim.incomparable) {
    return { ...nothing, verdict: "not comparable", ours, interval, reason: claim.incomparable, rows: finding.rows };
  }
  const { outcome } = finding;
  return {
    claim,
    verdict: verdictOf(claim, outcome),
    ...(outcome && { outcome }),
    ours,
    interval,
    scaled,
    reason,
    rows: [...new Set(finding.rows)],
  };
}

const VERDICT_OF = {
  agrees: "reproduced",
  small: "holds, small",
  "in part": "in part",
  tie: "undecided",
  alike: "no difference",
  differs: "not reproduced",
} as const satisfies Record<Outcome["says"], Verdict>;

function verdictOf(claim: Claim, outcome: Outcome | null): Verdict {
  if (outcome === null) return "not comparable";
  return byStandIn(claim) ? "stand-in" : VERDICT_OF[outcome.says];
}

/** Each selection is looked for among the rows once, however many ask for it. */
function selecting(claim: Claim, rows: readonly ResultRow[]): Context["select"] {
  const known = new Map<string, Selected>();
  return (wanted) => {
    const key = JSON.stringify(wanted);
    const found = known.get(key) ?? select(rows, claim, wanted);
    known.set(key, found);
    return found;
  };
}

/** By the kind of check. */
const JUDGES: { readonly [Kind in Check["kind"]]: (check: Of<Kind>, context: Context) => Finding | string } = {
  number: numberOf,
  device: ofDevice,
  order,
  course,
  correlation,
};

function judge<Kind extends Check["kind"]>(check: Of<Kind> & { readonly kind: Kind }, context: Context) {
  return JUDGES[check.kind](check, context);
}

/** Every quantity that a check asks for. */
export function metricsOf(check: Check): readonly string[] {
  if (check.kind === "correlation") return [check.x, check.y];
  return selectionsOf({ check }).map(({ metric = "mops" }) => metric);
}

/** Whether something is measured in place of a quantity, or of a table, that the claim is about. */
export function byStandIn({ check }: Pick<Claim, "check">): boolean {
  const named = selectionsOf({ check }).flatMap(({ table = [] }) => table);
  return (
    metricsOf(check).some((name) => metricType(name)?.standsInFor !== undefined) ||
    ownTables.some(({ id, standsInFor }) => standsInFor !== undefined && named.includes(id))
  );
}

/** All selections of a check. */
export function selectionsOf({ check }: { readonly check: Check }): readonly Select[] {
  const of = Array.isArray(check.of) ? (check.of as readonly Select[]) : [check.of as Select];
  return "over" in check && check.over ? [...of, check.over] : of;
}

/** Why there is nothing to compute from, in one sentence; "" if every selection has rows. */
function whyAbsent({ claim, select }: Context, rows: readonly ResultRow[], { experiments, tables }: Known): string {
  const { check } = claim;
  for (const wanted of selectionsOf(claim)) {
    const ids = experimentsOf(claim, wanted);
    const unknownId = ids.find((id) => !experiments.has(id));
    if (unknownId !== undefined) return `The experiment ${unknownId} does not exist yet.`;
    const found = select(check.kind === "correlation" ? { ...wanted, metric: check.y } : wanted);
    // Also of a table that only the results know: a native one.
    if (found.rows.length > 0) continue;
    const named = [wanted.table ?? []].flat();
    if (named.length > 0 && !named.some((table) => tables.has(table)))
      return `These results have no rows of ${named.join(", ")} in ${ids.join(", ")}.`;
    const [failed] = found.missing;
    if (failed) return `Its cells have no number: ${failed.status}, ${failed.reason}.`;
    const without = ids.find((id) => rowsOfExperiment(rows, id).length === 0);
    if (without !== undefined) return `These results have no rows of ${without}.`;
    return `${NO_CELL}: ${describe(wanted)}.`;
  }
  return "";
}

/** A selection in words: `cuckoo, op find, n 33,554,432`. */
function describe({ table, variant, experiment, metric, where = {} }: Select): string {
  const columns = Object.entries(where).map(([name, value]) => `${name.replace("_", " ")} ${inWords(value)}`);
  const words = [table, variant, experiment, metric].flatMap((one) => (one === undefined ? [] : String(one)));
  return [...words, ...columns].filter((word) => word !== "").join(", ");
}

function inWords(value: unknown): string {
  if (typeof value === "number") return whole(value);
  if (value === null || typeof value !== "object") return String(value);
  if (Array.isArray(value)) return value.map(inWords).join(" or ");
  const { from, to } = value as { from?: number; to?: number };
  return [from === undefined ? "" : `from ${inWords(from)}`, to === undefined ? "" : `to ${inWords(to)}`]
    .filter(Boolean)
    .join(" ");
}
