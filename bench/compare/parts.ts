/** Which parts of a cell that both sides have cannot be compared, and whether something is missing or the cell is measured so. */

import { metricType, metricTypes } from "../results/metrics.js";
import type { ResultRow } from "../results/record.js";
import { benchmarks } from "../scenarios/index.js";
import type { SideCell } from "./side.js";

export interface Pair {
  readonly before: SideCell;
  readonly after: SideCell;
}

/** A cell that was not compared, or not in full. */
export interface Unlike {
  readonly cell: SideCell;
  readonly reason: string;
  /** Whether the comparison lacks something: a cell that both sides skipped, or that is not judged, does not count. */
  readonly gap: boolean;
}

export type Gated = "times" | "counters";

/** Whether times are by the GPU's clock: others depend on what else the CPU did. */
export function hasGpuTime({ bench, api }: Pick<ResultRow, "bench" | "api">): boolean {
  return benchmarks[bench]?.clock !== "cpu" && api !== "cpu";
}

interface CpuTimes {
  readonly cpuTimes?: boolean;
}

/** Whether the cell's time decides. */
export function decidesTime(row: ResultRow, gated: readonly Gated[], { cpuTimes }: CpuTimes): boolean {
  return hasGpuTime(row) ? gated.includes("times") : cpuTimes === true;
}

/** Whether a counter is of what kernels do. */
export function isOfWork(metric: string): boolean {
  const gate = metricType(metric)?.gate;
  return gate !== undefined && gate.ofTable !== true;
}

/** Older runs say nothing about the run that is to be judged. */
export function hasSamples({ runs }: SideCell): boolean {
  return (runs.at(-1)?.samples.length ?? 0) > 0;
}

export function hasCounter({ runs }: SideCell, metric: string): boolean {
  return (runs.at(-1)?.rows.get(metric)?.value ?? null) !== null;
}

/** Of a cell that is ok on both sides. */
export function uncompared(pair: Pair, gated: readonly Gated[], cpu: CpuTimes): Unlike[] {
  const { before, after } = pair;
  const counters = gated.includes("counters");
  const timed = decidesTime(after.last, gated, cpu);
  const names = metricTypes.flatMap(({ name, gate }) => (gate ? [name] : []));
  const [had, has] = [before, after].map((cell) => names.filter((name) => hasCounter(cell, name))) as [
    string[],
    string[],
  ];
  const decided = timed || (counters && [...had, ...has].some(isOfWork));
  if (decided) {
    const gone = had.filter((name) => !has.includes(name)).join(", ");
    const fresh = has.filter((name) => !had.includes(name)).join(", ");
    const reasons = [
      timed && !(hasSamples(before) && hasSamples(after)) && `times, no samples ${sideWithout(pair)}`,
      counters && gone && `no ${gone} after`,
      counters && fresh && `no ${fresh} before`,
    ];
    return reasons.flatMap((reason) => (reason ? [{ cell: after, reason, gap: true }] : []));
  }
  const reason = hasGpuTime(after.last) ? "no counters of work on either side" : "timed by the CPU's clock";
  return [{ cell: after, reason, gap: false }];
}

function sideWithout({ before, after }: Pair): string {
  if (hasSamples(before)) return "after";
  return hasSamples(after) ? "before" : "on either side";
}
