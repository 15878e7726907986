/** Runs a counting variant and adds up its records: probes, transactions, warp efficiency. */
import { COUNTER_WORDS } from "../../kernels/common/steps.js";
import type { RunSteps } from "../../kernels/table.js";
import type { Gpu, Step } from "../gpu/gpu.js";
import type { Metric } from "../results/record.js";

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
  };
  const run: RunSteps = async (steps, status) => {
    const bound: Step[] = [];
    for (const step of steps) {
      const words = step.groups * COUNTER_WORDS;
      bound.push(gpu.counts(step.pipeline) ? { ...step, counters: await gpu.alloc("counters", words * 4) } : step);
    }
    const result = await gpu.time(bound, status);
    for (const { counters, groups } of bound) {
      if (!counters) continue;
      addRecords(counts, await gpu.read(counters, groups * COUNTER_WORDS));
      counters.destroy();
    }
    return result;
  };
  return { run, counts };
}

function addRecords(counts: Counts, words: Uint32Array): void {
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
  }
}

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
    exact("warp_efficiency", "ratio", counts.warpSteps === 0 ? 0 : counts.steps / (WARP * counts.warpSteps)),
    exact("balance", "ratio", counts.balanceSlots === 0 ? 0 : counts.warpSteps / counts.balanceSlots),
  ];
}
