import type { Gpu, Step } from "../device/gpu.js";
import type { OpResult, RunSteps } from "../table.js";
import { drawBuckets } from "./buckets.js";

/** Builds tried before the input is given up as unbuildable. */
export const MAX_ATTEMPTS = 25;

export interface Build {
  /** Parameters of buckets.wgsl. */
  readonly parameters: GPUBuffer;
  /** Words: [0] keys that are none; [1] overfull buckets; [2] buckets for which no seed was found; [3] the steps' own. */
  readonly status: GPUBuffer;
  /** Pairs of the input. */
  readonly n: number;
  readonly seed: number;
}

/** Runs a build's steps with one bucket function after another, until every bucket is built; with the last fourth word. */
export async function buildInAttempts(
  gpu: Gpu,
  run: RunSteps,
  steps: readonly Step[],
  { parameters, status, n, seed }: Build,
): Promise<{ readonly result: OpResult; readonly word: number }> {
  let sum = 0;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    gpu.write(parameters, 0, Uint32Array.from([n, ...drawBuckets(seed, attempt)]));
    await gpu.zero(status);
    const { ns, status: words } = await run(steps, status);
    sum += ns;
    const [refused = 0, overfull = 0, unplaced = 0, word = 0] = words;
    if (overfull + unplaced === 0) return { result: { ns: sum, count: refused, restarts: attempt }, word };
  }
  return { result: { ns: sum, count: n, restarts: MAX_ATTEMPTS }, word: 0 };
}
