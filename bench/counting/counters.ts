/** Runs a counting variant and adds up its records: probes, transactions, warp efficiency. */
import { COUNTER_WORDS, ownWidth } from "../../kernels/common/steps.js";
import type { RunSteps } from "../../kernels/table.js";
import type { Gpu, Step } from "../gpu/gpu.js";
import type { Metric } from "../results/record.js";
import { type KernelText, REGION_NAMES, regionOperations } from "./weights.js";

/** The papers' warp width: WARP of kernels/common/count.wgsl. */
const WARP = 32;
const WARPS_PER_GROUP = 8;

export interface Counts {
  items: number;
  steps: number;
  warpSteps: number;
  reads: number;
  writes: number;
  rmws: number;
  failedCas: number;
  /** Σ over workgroups of the longest warp's steps times its warps: the denominator of balance. */
  balanceSlots: number;
  /** Warp steps, and the lanes they could have, at the adapter's own width. */
  ownWarpSteps: number;
  ownWidth: number;
  /** Σ over regions of static operations times executions, by lanes and by warps. */
  laneOperations: number;
  warpOperations: number;
  /** Static operations of the regions that were executed, by kernel and region. */
  readonly weights: Map<string, number>;
}

/** A runner that collects the counters of every step that counts, in `counts`. */
export function countingRunner(gpu: Gpu): { run: RunSteps; counts: Counts } {
  const counts: Counts = {
    items: 0,
    steps: 0,
    warpSteps: 0,
    reads: 0,
    writes: 0,
    rmws: 0,
    failedCas: 0,
    balanceSlots: 0,
    ownWarpSteps: 0,
    ownWidth: ownWidth(gpu.info),
    laneOperations: 0,
    warpOperations: 0,
    weights: new Map(),
  };
  const run: RunSteps = async (steps, status) => {
    const bound: Step[] = [];
    for (const step of steps) {
      const words = step.groups * COUNTER_WORDS;
      bound.push(gpu.counted(step.pipeline) ? { ...step, counters: await gpu.alloc("counters", words * 4) } : step);
    }
    const result = await gpu.time(bound, status);
    for (const { counters, groups, pipeline } of bound) {
      const source = gpu.counted(pipeline);
      if (!counters || !source) continue;
      addRecords(counts, await gpu.read(counters, groups * COUNTER_WORDS), source);
      counters.destroy();
    }
    return result;
  };
  return { run, counts };
}

/** Where a record's region pairs begin: SUMS of count.wgsl. */
const SUMS = 9;
const weightsOf = new Map<string, number[]>();

function addRecords(counts: Counts, words: Uint32Array, source: KernelText): void {
  const lanes = REGION_NAMES.map(() => 0);
  const warps = REGION_NAMES.map(() => 0);
  for (let at = 0; at < words.length; at += COUNTER_WORDS) {
    const word = (i: number) => words[at + i] ?? 0;
    counts.items += word(0);
    counts.steps += word(1);
    counts.warpSteps += word(2);
    counts.reads += word(3);
    counts.writes += word(4);
    counts.rmws += word(5);
    counts.failedCas += word(6);
    counts.balanceSlots += Math.min(WARPS_PER_GROUP, Math.ceil(word(0) / WARP)) * word(7);
    counts.ownWarpSteps += word(8);
    for (let region = 0; region < REGION_NAMES.length; region++) {
      lanes[region] = (lanes[region] ?? 0) + word(SUMS + 2 * region);
      warps[region] = (warps[region] ?? 0) + word(SUMS + 2 * region + 1);
    }
  }
  const operations = memoised(source);
  for (const [region, name] of REGION_NAMES.entries()) {
    if (!warps[region]) continue;
    const weight = operations[region] ?? 0;
    counts.laneOperations += weight * (lanes[region] ?? 0);
    counts.warpOperations += weight * (warps[region] ?? 0);
    counts.weights.set(`${source.entry === "main" ? "" : `${source.entry}_`}${name}`, weight);
  }
}

function memoised(source: KernelText): number[] {
  const key = JSON.stringify(source);
  const known = weightsOf.get(key);
  if (known) return known;
  const made = regionOperations(source);
  weightsOf.set(key, made);
  return made;
}

const share = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);

/** Metrics of `operations` operations. Efficiency: Σ active lane-steps / (32 · Σ warp steps), step-weighted. */
export function countMetrics(counts: Counts, operations: number): Metric[] {
  const exact = (metric: string, unit: string, value: number): Metric => ({ metric, unit, value, lo: null, hi: null });
  const per = (value: number) => value / operations;
  return [
    exact("probes", "1/op", per(counts.steps)),
    exact("table_reads", "sectors/op", per(counts.reads)),
    exact("table_writes", "sectors/op", per(counts.writes)),
    exact("table_rmws", "1/op", per(counts.rmws)),
    exact("failed_cas", "1/op", per(counts.failedCas)),
    exact("transactions", "sectors/op", per(counts.reads + counts.writes + counts.rmws)),
    exact("warp_efficiency", "ratio", share(counts.steps, WARP * counts.warpSteps)),
    exact("warp_efficiency_own", "ratio", share(counts.steps, counts.ownWidth * counts.ownWarpSteps)),
    exact("warp_efficiency_instructions", "ratio", share(counts.laneOperations, WARP * counts.warpOperations)),
    ...[...counts.weights].map(([region, weight]) => exact(`operations_${region}`, "operations", weight)),
    exact("balance", "ratio", share(counts.warpSteps, counts.balanceSlots)),
  ];
}
