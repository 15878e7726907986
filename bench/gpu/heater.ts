/**
 * Keeps a GPU's clocks up. Between samples of a few microseconds the device mostly waits for the host, and after a while
 * lowers its clocks: on an H200 cells of 20 µs became 15 to 20 % slower once their group's long cells had ended.
 */
import { type Gpu, GpuError, type Step } from "./gpu.js";

/** Samples shorter than this are preceded by work. */
const SHORT_NS = 1e6;
/** How long that work takes, in ns. */
const WORK_NS = 3e5;
/** Enough lanes for any GPU there is. */
const GROUPS = 2048;
const TRIAL_ITERATIONS = 256;
const MAX_ITERATIONS = 1 << 20;

/** What to await before a sample of a cell whose last one took `lastNs`. */
export type KeepWarm = (lastNs: number) => Promise<void>;

/** Finds out how much work takes {@link WORK_NS}. On a software adapter there is nothing to keep up. */
export async function makeHeater(gpu: Gpu): Promise<KeepWarm> {
  if (gpu.info.software) return async () => undefined;
  const sink = await gpu.alloc("heater", 16);
  const spin = async (iterations: number): Promise<Step> => {
    const pipeline = await gpu.pipeline({ file: "bench/gpu/spin.wgsl", constants: { ITERATIONS: iterations } });
    return { pipeline, bindings: { 0: sink }, groups: GROUPS };
  };
  const trial = await spin(TRIAL_ITERATIONS);
  let fastest = Number.POSITIVE_INFINITY;
  for (let i = 0; i < 20; i++) fastest = Math.min(fastest, (await gpu.time([trial])).ns);
  if (!(fastest > 0)) throw new GpuError("the heater's trial took no time");
  const iterations = Math.round((TRIAL_ITERATIONS * WORK_NS) / fastest);
  const step = await spin(Math.min(MAX_ITERATIONS, Math.max(1, iterations)));
  return async (lastNs) => {
    if (lastNs < SHORT_NS) await gpu.run([step]);
  };
}
