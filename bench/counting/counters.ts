/** Runs a counting variant and adds up its records: probes, transactions, warp efficiency. */
import { basename } from "node:path";
import { COUNTER_WORDS, ownWidth } from "../../kernels/common/steps.js";
import { type CountedKernel, type Gpu, gridOf, type Step } from "../../kernels/device/gpu.js";
import { scoped } from "../../kernels/device/owned.js";
import type { RunSteps } from "../../kernels/table.js";
import { exact, type Metric } from "../results/record.js";
import { type KernelText, REGION_NAMES, regionOperations } from "./weights.js";

/** The papers' warp width: WARP of kernels/common/count.wgsl. */
const WARP = 32;
const WARPS_PER_GROUP = 8;

/** Counters of one kernel, summed over its workgroups and dispatches. */
interface KernelCounts {
  items: number;
  steps: number;
  warpSteps: number;
  reads: number;
  writes: number;
  rmws: number;
  failedCas: number;
  /** Σ over workgroups of the longest warp's steps times its warps: the denominator of balance. */
  balanceSlots: number;
  /** Warp steps at the adapter's own width. */
  ownWarpSteps: number;
  /** Σ over regions of static operations times executions, by lanes and by warps. */
  laneOperations: number;
  warpOperations: number;
}

export interface Counts {
  /** Lanes of the adapter's own warps. */
  readonly ownWidth: number;
  /** By the kernel's name: its entry point, or its file where that is `main`. */
  readonly kernels: Map<string, KernelCounts>;
  /** Static operations of the regions that were executed, by kernel and region. */
  readonly weights: Map<string, ReadonlyMap<string, number>>;
}

const none = (): KernelCounts => ({
  items: 0,
  steps: 0,
  warpSteps: 0,
  reads: 0,
  writes: 0,
  rmws: 0,
  failedCas: 0,
  balanceSlots: 0,
  ownWarpSteps: 0,
  laneOperations: 0,
  warpOperations: 0,
});

/** A runner that collects the counters of every step that counts, in `counts`. */
export function countingRunner(gpu: Gpu): { run: RunSteps; counts: Counts } {
  const counts: Counts = { ownWidth: ownWidth(gpu.info), kernels: new Map(), weights: new Map() };
  const run: RunSteps = (steps, status) =>
    scoped(gpu, async (own) => {
      const bound: Step[] = [];
      for (const step of steps) {
        // Workgroups past the last item write a record too.
        const [x, y] = gridOf(step.groups);
        const bytes = x * y * COUNTER_WORDS * 4;
        bound.push(step.kernel.counted ? { ...step, counters: await own.alloc("counters", bytes) } : step);
      }
      const result = await gpu.time(bound, status);
      for (const { counters, groups, kernel } of bound) {
        const source = kernel.counted;
        if (!counters || !source) continue;
        addRecords(counts, await gpu.read(counters, groups * COUNTER_WORDS), source);
      }
      return result;
    });
  return { run, counts };
}

/** Where a record's region pairs begin: SUMS of count.wgsl. */
const SUMS = 9;
const weightsOf = new Map<string, number[]>();

function addRecords(counts: Counts, words: Uint32Array, source: CountedKernel): void {
  const name = source.entry === "main" ? basename(source.file, ".wgsl") : source.entry;
  const sums = counts.kernels.get(name) ?? none();
  counts.kernels.set(name, sums);
  const lanes = REGION_NAMES.map(() => 0);
  const warps = REGION_NAMES.map(() => 0);
  for (let at = 0; at < words.length; at += COUNTER_WORDS) {
    const word = (i: number) => words[at + i] ?? 0;
    sums.items += word(0);
    sums.steps += word(1);
    sums.warpSteps += word(2);
    sums.reads += word(3);
    sums.writes += word(4);
    sums.rmws += word(5);
    sums.failedCas += word(6);
    sums.balanceSlots += Math.min(WARPS_PER_GROUP, Math.ceil(word(0) / WARP)) * word(7);
    sums.ownWarpSteps += word(8);
    for (let region = 0; region < REGION_NAMES.length; region++) {
      lanes[region] = (lanes[region] ?? 0) + word(SUMS + 2 * region);
      warps[region] = (warps[region] ?? 0) + word(SUMS + 2 * region + 1);
    }
  }
  const operations = memoised(source);
  const weights = new Map(counts.weights.get(name));
  for (const [region, label] of REGION_NAMES.entries()) {
    if (!warps[region]) continue;
    const weight = operations[region] ?? 0;
    sums.laneOperations += weight * (lanes[region] ?? 0);
    sums.warpOperations += weight * (warps[region] ?? 0);
    weights.set(label, weight);
  }
  counts.weights.set(name, weights);
}

function memoised(source: KernelText): number[] {
  const key = JSON.stringify(source);
  const known = weightsOf.get(key);
  if (known) return known;
  const made = regionOperations(source);
  weightsOf.set(key, made);
  return made;
}

/** part / whole; 0 where there is nothing. */
const share = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);

/**
 * Metrics of `operations` operations. Where several kernels made steps, each one's warp efficiency and weights follow those
 * of all, with its name.
 */
export function countMetrics({ kernels, weights, ownWidth }: Counts, operations: number): Metric[] {
  const all = none();
  for (const sums of kernels.values()) {
    for (const key of Object.keys(all) as (keyof KernelCounts)[]) all[key] += sums[key];
  }
  const stepping = [...kernels].filter(([, { steps }]) => steps > 0);
  const per = (value: number) => value / operations;
  return [
    exact("probes", "1/op", per(all.steps)),
    exact("table_reads", "sectors/op", per(all.reads)),
    exact("table_writes", "sectors/op", per(all.writes)),
    exact("table_rmws", "1/op", per(all.rmws)),
    exact("failed_cas", "1/op", per(all.failedCas)),
    exact("transactions", "sectors/op", per(all.reads + all.writes + all.rmws)),
    exact("balance", "ratio", share(all.warpSteps, all.balanceSlots)),
    exact("warp_efficiency_own", "ratio", share(all.steps, ownWidth * all.ownWarpSteps)),
    ...efficiencies(all, ""),
    ...(stepping.length > 1 ? stepping.flatMap(([name, sums]) => efficiencies(sums, `_${name}`)) : []),
    ...[...weights].flatMap(([name, regions]) =>
      [...regions].map(([region, weight]) => {
        const kernel = stepping.length > 1 ? `${name}_` : "";
        return exact(`operations_${kernel}${region}`, "operations", weight);
      }),
    ),
  ];
}

/** Σ active lane-steps / (32 · Σ warp steps), and the same with each region's executions times its operations. */
function efficiencies(sums: KernelCounts, suffix: string): Metric[] {
  return [
    exact(`warp_efficiency${suffix}`, "ratio", share(sums.steps, WARP * sums.warpSteps)),
    exact(`warp_efficiency_instructions${suffix}`, "ratio", share(sums.laneOperations, WARP * sums.warpOperations)),
  ];
}
