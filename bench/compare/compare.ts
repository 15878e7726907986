/** Compares two sides cell by cell. Says what is worse, better, equal, too noisy to tell, or cannot be compared. */

import { median } from "simple-statistics";
import { UsageError } from "../../kernels/device/errors.js";
import { AnswerIsNo } from "../base/errors.js";
import { count } from "../base/format.js";
import { isSoftware } from "../results/device-name.js";
import { groupBy } from "../results/group.js";
import { metricTypes } from "../results/metrics.js";
import { benchmarks } from "../scenarios/index.js";
import { type Decision, decideCounter, decideTime, holm, TIME, type TimeEvidence, weighTimes } from "./decide.js";
import {
  decidesTime,
  type Gated,
  hasCounter,
  hasGpuTime,
  hasSamples,
  isOfWork,
  type Pair,
  type Unlike,
  uncompared,
} from "./parts.js";
import { cellName, ENVIRONMENT, type Environment, type Side, type SideCell } from "./side.js";

export const GATES = ["auto", "times", "counters", "both"] as const;
/** What decides. `auto`: on a software adapter, whose times are a CPU's, counters alone; elsewhere times and counters. */
type Gate = (typeof GATES)[number];

/** What has to be equal for times or counters to mean the same; a new Dawn or commit is what is to be judged. */
export const ALIKE = ["device", "driver", "toggles"] as const;
export type Alike = (typeof ALIKE)[number];

export interface CompareOptions {
  readonly threshold: number;
  /** Chance of one false alarm among the times of all cells. */
  readonly alpha: number;
  readonly gate: Gate;
  /** Differences that are accepted. */
  readonly allow: readonly Alike[];
  /** Times by the CPU's clock decide too, which depend on what else the CPU did. Default: they do not. */
  readonly cpuTimes?: boolean;
  /** A gap is an answer "no": a cell of one side only, without samples, or without a counter that the other side has. */
  readonly requireAll: boolean;
}

export const defaultOptions: CompareOptions = {
  threshold: 0.05,
  alpha: 0.05,
  gate: "auto",
  allow: [],
  requireAll: false,
};

/** One compared quantity of a cell. */
export interface Verdict {
  readonly cell: SideCell;
  /** {@link TIME}, or a counter. */
  readonly metric: string;
  readonly unit: string;
  readonly before: number;
  readonly after: number;
  /** after / before − 1. */
  readonly change: number;
  readonly decision: Decision;
  /** For times: spread that equal code shows, and p corrected for the number of cells. */
  readonly noise: number | null;
  readonly p: number | null;
}

export interface Comparison {
  readonly before: Side;
  readonly after: Side;
  readonly options: CompareOptions;
  /** What decided: `times` and `counters`, or one of them. */
  readonly gated: readonly Gated[];
  /** Columns that differ between the sides, with the values of both. */
  readonly differences: readonly { readonly column: Environment; readonly before: string; readonly after: string }[];
  readonly verdicts: readonly Verdict[];
  /** Cells that had a number and have none now: always worse. */
  readonly broken: readonly Omit<Unlike, "gap">[];
  /** Cells of both sides that are not compared, or not in full: their times or counters are on one side only. */
  readonly unlike: readonly Unlike[];
  readonly onlyBefore: number;
  readonly onlyAfter: number;
  /** Cells with a gap, and those of one side. */
  readonly missing: number;
  /**
   * Median change of all compared times, and of those of device/limits that became worse, for which no kernel of a table can
   * be the reason.
   */
  readonly drift: number | null;
  readonly limitDrift: number | null;
}

/** What cells may differ in without a word from who measured them. */
const ASKED = ["experiment", "table", "op", "dataset", "n", "load_factor", "seed", "params"] as const;
const MOST_SHOWN = 3;

/** `: n is 30000 before, 40000 after; …`: the columns of which the sides have no value in common. */
function apart(before: Side, after: Side): string {
  const told = ASKED.flatMap((column) => {
    const [was, is] = [before, after].map((side) => {
      return new Set([...side.cells.values()].map(({ last }) => JSON.stringify(last[column])));
    }) as [Set<string>, Set<string>];
    if ([...was].some((value) => is.has(value))) return [];
    const [one, other] = [was, is].map((values) => [...values].slice(0, MOST_SHOWN).join(", "));
    return [`${column} is ${one} before, ${other} after`];
  });
  return told.length > 0 ? `: ${told.join("; ")}` : "";
}

/** Throws a UsageError where the environments differ, and an AnswerIsNo where the sides have no cell in common. */
export function compare(before: Side, after: Side, options: CompareOptions = defaultOptions): Comparison {
  const differences = differ(before, after, options.allow);
  const keys = [...before.cells.keys()].filter((key) => after.cells.has(key));
  if (keys.length === 0)
    throw new AnswerIsNo(`${before.path} and ${after.path} have no cell in common${apart(before, after)}`);
  const software = after.distinct("device").every(isSoftware);
  const gated = gates(options.gate, software);
  const broken: Omit<Unlike, "gap">[] = [];
  const unlike: Unlike[] = [];
  const pairs: Pair[] = [];
  for (const key of keys) {
    const pair = { before: before.cells.get(key), after: after.cells.get(key) } as Pair;
    const [was, is] = [pair.before.last, pair.after.last];
    const reason = is.reason === "" ? is.status : `${is.status}: ${is.reason}`;
    if (was.status === "ok" && is.status !== "ok") broken.push({ cell: pair.after, reason });
    else if (was.status === "skipped" && is.status === "skipped")
      unlike.push({ cell: pair.after, reason: "skipped on both sides", gap: false });
    else if (was.status !== "ok") unlike.push({ cell: pair.after, reason: `${was.status} before`, gap: true });
    else if (was.data_hash !== is.data_hash) unlike.push({ cell: pair.after, reason: "its input differs", gap: true });
    else {
      pairs.push(pair);
      unlike.push(...uncompared(pair, gated, options));
    }
  }
  const times = compareTimes(pairs, options);
  const verdicts = [
    ...times.filter(({ cell }) => decidesTime(cell.last, gated, options)),
    ...(gated.includes("counters") ? compareCounters(pairs) : []),
  ];
  const only = (side: Side, other: Side) => [...side.cells.keys()].filter((key) => !other.cells.has(key)).length;
  const [onlyBefore, onlyAfter] = [only(before, after), only(after, before)];
  const gaps = new Set(unlike.filter(({ gap }) => gap).map(({ cell }) => cell.key)).size;
  return {
    before,
    after,
    options,
    gated,
    differences,
    drift: medianChange(times),
    limitDrift: medianChange(
      times.filter(({ cell, decision }) => decision === "worse" && benchmarks[cell.last.bench]?.limits?.sets),
    ),
    onlyBefore,
    onlyAfter,
    missing: gaps + onlyBefore + onlyAfter,
    verdicts,
    broken,
    unlike,
  };
}

function medianChange(verdicts: readonly Verdict[]): number | null {
  return verdicts.length > 0 ? median(verdicts.map(({ change }) => change)) : null;
}

export function regressed({ verdicts, broken }: Comparison): boolean {
  return broken.length > 0 || verdicts.some(({ decision }) => decision === "worse");
}

/** Why the answer is no, a reason each; none where it is yes. */
export function objections(comparison: Comparison): string[] {
  const { verdicts, broken } = comparison;
  const all = [...broken, ...verdicts.filter(({ decision }) => decision === "worse")].map(({ cell }) =>
    cellName(cell.last),
  );
  const [first, ...more] = [...new Set(all)];
  const rest = more.length > 0 ? ` and ${count(more.length, "cell")} more` : "";
  const worse = first ? [`became worse: ${first}${rest} (the list is above)`] : [];
  return [...worse, ...shortcomings(comparison)];
}

/** Why too little was compared for a yes. */
export function shortcomings(comparison: Comparison): string[] {
  const { options, gated, verdicts, unlike, missing } = comparison;
  const timed = verdicts.some(({ metric }) => metric === TIME);
  const untimed = gated.includes("times") && !timed;
  // What a table keeps, whatever its kernels do, says nothing of these.
  const uncounted = !timed && gated.includes("counters") && !verdicts.some(({ metric }) => isOfWork(metric));
  const why = uncomparedCells(comparison).join(", ");
  const gaps = uncomparedCells({ ...comparison, unlike: unlike.filter(({ gap }) => gap) }).join(", ");
  return [
    ...(untimed ? [`no time was compared${why && ` (${why})`}`] : []),
    ...(uncounted && !untimed ? [`no counter of work was compared${why && ` (${why})`}`] : []),
    ...(options.requireAll && missing > 0 ? [`--require-all: not compared, or only in part: ${gaps}`] : []),
  ];
}

/** How many cells were not compared, by reason: `750 × times, no samples after`. */
export function uncomparedCells({ unlike, onlyBefore, onlyAfter }: Comparison): string[] {
  const counts = [...groupBy(unlike, ({ reason }) => reason)].map(([why, own]) => `${own.length} × ${why}`);
  return [
    ...counts,
    ...(onlyBefore > 0 ? [`${onlyBefore} × before only`] : []),
    ...(onlyAfter > 0 ? [`${onlyAfter} × after only`] : []),
  ];
}

function gates(gate: Gate, software: boolean): Gated[] {
  if (gate === "both" || (gate === "auto" && !software)) return ["times", "counters"];
  return [gate === "times" ? "times" : "counters"];
}

function differ(before: Side, after: Side, allow: readonly Alike[]): Comparison["differences"] {
  const differences = ENVIRONMENT.flatMap((column) => {
    const [was, is] = [before, after].map((side) => [...side.distinct(column)].sort().join("; ")) as [string, string];
    return was === is ? [] : [{ column, before: was, after: is }];
  });
  const refused = differences.find(({ column }) => ALIKE.some((c) => c === column) && !allow.some((c) => c === column));
  if (refused) {
    const { column, before: was, after: is } = refused;
    throw new UsageError(
      `${before.path} and ${after.path} differ in ${column} (${was || "none"}, ${is || "none"}); ` +
        `--allow ${column} compares them nevertheless`,
    );
  }
  return differences;
}

function compareTimes(pairs: readonly Pair[], options: CompareOptions): Verdict[] {
  const weighed: { cell: SideCell; evidence: TimeEvidence }[] = [];
  for (const { before, after } of pairs) {
    if (!(hasGpuTime(after.last) || options.cpuTimes) || !hasSamples(before) || !hasSamples(after)) continue;
    const runs = [before, after].map((cell) =>
      cell.runs.map(({ samples }) => samples).filter(({ length }) => length > 0),
    );
    const [a = [], b = []] = runs;
    const repetitions = Math.min(before.last.repetitions, after.last.repetitions);
    weighed.push({ cell: after, evidence: weighTimes(a, b, options.threshold, repetitions) });
  }
  const slower = holm(weighed.map(({ evidence }) => evidence.pSlower));
  const faster = holm(weighed.map(({ evidence }) => evidence.pFaster));
  return weighed.map(({ cell, evidence }, i) => {
    const [pSlower, pFaster] = [slower[i] ?? 1, faster[i] ?? 1];
    const { before, after, change, noise } = evidence;
    const decision = decideTime(evidence, pSlower, pFaster, options);
    const p = change > 0 ? pSlower : pFaster;
    return { cell, metric: TIME, unit: "ns", before, after, change, decision, noise, p };
  });
}

function compareCounters(pairs: readonly Pair[]): Verdict[] {
  return pairs.flatMap(({ before, after }) =>
    metricTypes.flatMap(({ name: metric, gate }) => {
      if (!gate || !hasCounter(before, metric) || !hasCounter(after, metric)) return [];
      const [a = [], b = []] = [before, after].map((cell) => valuesOf(cell, metric));
      const unit = [...(after.runs.at(-1)?.rows.values() ?? [])].find((row) => row.metric === metric)?.unit ?? "";
      return [{ cell: after, metric, unit, ...decideCounter(gate, after.last.n, a, b), noise: null, p: null }];
    }),
  );
}

function valuesOf(cell: SideCell, metric: string): number[] {
  return cell.runs.map(({ rows }) => rows.get(metric)?.value ?? null).filter((value) => value !== null);
}
