/**
 * Keeps a GPU's clocks up. Between samples of a few microseconds the device mostly waits for the host, and after a while
 * lowers its clocks: on an H200 cells of 20 µs became 15 to 20 % slower once their group's long cells had ended, and single
 * cells of 0.2 to 0.4 ms half as fast for as long as they were sampled. So work of known duration goes before samples: at the
 * begin of each block again until it takes no longer than it ever did, before each short sample once.
 */

import { GpuError } from "../../kernels/device/errors.js";
import type { Gpu } from "../../kernels/device/gpu.js";

/** Timed passes shorter than this leave the device mostly idle, and are preceded by work. */
export const SHORT_NS = 1e6;
/** How long that work takes at the highest clocks seen, in ns: as much, or half of it. */
const WORK_NS = 3e5;
/** Enough lanes for any GPU there is. */
const GROUPS = 2048;
const TRIAL_ITERATIONS = 256;
const MAX_ITERATIONS = 1 << 20;
/** The clocks are up once the work has not become faster for so long … */
const SETTLE_MS = 100;
const MAX_SETTLE_MS = 2000;
/** … and still are if it takes no more than this, as a multiple of the fastest time. */
const TOLERANCE = 1.1;
/** A device that has become slower for good, by its heat for one, is waited for only so long. */
const MAX_HEAT_MS = 250;

export interface Heater {
  /** Before a block of samples: work until the clocks are up. */
  wake(): Promise<void>;
  /** Before a sample whose pass will take about `ns`: one piece of work, if that is short. */
  keep(ns: number): Promise<void>;
}

/** A heater for a device, which wants one only. */
export async function makeHeater(gpu: Gpu): Promise<Heater> {
  const sink = await gpu.alloc("heater", 16);
  return heater(async (iterations) => {
    const kernel = await gpu.kernel({ file: "bench/gpu/spin.wgsl", sizes: { iterations } });
    return (await gpu.time([{ kernel, bindings: { 0: sink }, groups: GROUPS }])).ns;
  });
}

/**
 * Finds out how much work takes {@link WORK_NS}, and how fast it can be.
 * @param work does so many iterations and resolves to the nanoseconds that the device took.
 * @param now milliseconds.
 */
export async function heater(
  work: (iterations: number) => Promise<number>,
  now: () => number = () => performance.now(),
): Promise<Heater> {
  let iterations = TRIAL_ITERATIONS;
  let fastest = Number.POSITIVE_INFINITY;
  const timed = async () => {
    const ns = await work(iterations);
    if (!(ns > 0)) throw new GpuError("the heater's work took no time");
    return ns;
  };
  const begin = now();
  let changed = begin;
  while (now() - changed < SETTLE_MS && now() - begin < MAX_SETTLE_MS) {
    const ns = await timed();
    const more = ns < WORK_NS / 2 && iterations < MAX_ITERATIONS;
    if (more || ns < 0.98 * fastest) changed = now();
    if (more) iterations *= 2;
    fastest = more ? Number.POSITIVE_INFINITY : Math.min(fastest, ns);
  }
  return {
    async wake() {
      const start = now();
      let reached = Number.POSITIVE_INFINITY;
      while (now() - start < MAX_HEAT_MS) {
        reached = Math.min(reached, await timed());
        if (reached <= TOLERANCE * fastest) {
          fastest = Math.min(fastest, reached);
          return;
        }
      }
      fastest = reached;
    },
    async keep(ns) {
      if (ns < SHORT_NS) fastest = Math.min(fastest, await timed());
    },
  };
}
