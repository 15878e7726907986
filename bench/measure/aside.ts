/** Times beside those of a cell's samples, such as of what its time is compared with. */
import type { Gpu } from "../../kernels/device/gpu.js";
import { samplerDevice } from "./device.js";
import type { Sampled } from "./sampled.js";
import { measureGroup } from "./sampler.js";
import { type Summary, summarise } from "./statistics.js";

const STOPPING = { minSamples: 7, maxSamples: 50, maxNoise: 0.01, minTimeMs: 0, maxTimeMs: 500 };
/** On a software adapter they do not mean much. */
const STOPPING_SOFTWARE = { ...STOPPING, minSamples: 3, maxSamples: 3 };

/** Summaries of their nanoseconds, sampled in turn. Throws the first error of any of them. */
export async function timeAside(gpu: Gpu, cells: readonly Sampled[]): Promise<Summary[]> {
  const stopping = gpu.info.software ? STOPPING_SOFTWARE : STOPPING;
  const outcomes = await measureGroup(cells, stopping, await samplerDevice(gpu));
  return outcomes.map((outcome) => {
    if (!outcome.ok) throw outcome.error;
    return summarise(outcome.samples);
  });
}
