/**
 * Keeps a GPU's clocks up. Between samples of a few microseconds the device mostly waits for the host, and lowers its clocks
 * after a while; they need a second of work to rise again (results/studies/sampling.md, Clocks). So work of known duration goes
 * before each block of samples, and before each sample that is not long itself. It is repeated until it takes no longer than it
 * ever did.
 */

import { median } from "simple-statistics";
import { dispatch } from "../../kernels/device/bind.js";
import { GpuError } from "../../kernels/device/errors.js";
import type { Gpu } from "../../kernels/device/gpu.js";

/** Timed passes shorter than this leave the device mostly idle: what may be repeated in them is. */
export const SHORT_NS = 1e6;
/**
 * A host that needs longer than this between two passes lets the clocks fall (results/studies/implementations.md). Then work that lasts as long as
 * its wait, or up to twice, is submitted with each sample.
 */
const SLOW_HOST_MS = 2;
/** That wait is the median of so many: one may be a pause of the host. */
const WAITS = 15;
/** Passes shorter than this do not raise the clocks by themselves, and are preceded by work. */
const WORKLESS_NS = 1e7;
/**
 * Between passes that took so long together the host needs as long again, or three times as long. That keeps the clocks up
 * without work (results/studies/sampling.md, Clocks).
 */
const BUSY_NS = 2e5;
/** How long that work takes at the highest clocks seen, in ns: as much, or half of it. */
const WORK_NS = 3e5;
/** So many ticks of a coarse clock, half of which tell TOLERANCE: a tick of 20 is 5 %. */
const TICKS = 40;
/** Enough lanes for any GPU there is. */
const GROUPS = 2048;
const TRIAL_ITERATIONS = 256;
const MAX_ITERATIONS = 1 << 20;
/** The clocks are up once the work has not become faster for so long … */
const SETTLE_MS = 1000;
const MAX_SETTLE_MS = 5000;
/** … and still are if it takes no more than this, as a multiple of the fastest time. */
const TOLERANCE = 1.05;
/** Work whose timestamps are wrong is done again so many times. */
const RETRIES = 4;
/** While they are not, so many pieces of work at a time, at least, go between two that are looked at: the device hardly waits for the host. */
const PIECES = 8;
/** A device that has become slower for good, by its heat for one, is waited for only so long. */
const MAX_HEAT_MS = 2000;
/** Before a sample, of which there are many, a look is repeated for so long before the clocks are raised. */
const MAX_KEEP_MS = 5;

export interface Heater {
  /** Before a block of samples: the driver clears what was freed, then work until the clocks are up. */
  wake(): Promise<void>;
  /** Before a sample whose pass will take about `ns`: work until the clocks are up, or work that nobody looks at. */
  keep(ns: number): Promise<void>;
  /**
   * Between passes of one sample, of which there are hundreds: work that goes with the next of them, unless the passes since the last
   * call took `ns` and kept the clocks up themselves.
   */
  between(ns: number): Promise<void>;
}

/** A heater for a device, which wants one only. */
export async function makeHeater(gpu: Gpu): Promise<Heater> {
  const sink = await gpu.alloc("heater", 16);
  const step = async (iterations: number) => {
    const kernel = await gpu.kernel({ file: "bench/device/spin.wgsl", sizes: { iterations }, takes: ["sink"] });
    return dispatch(kernel, GROUPS, { sink });
  };
  const made = await heater(
    {
      // Behind a reset, which it need not wait for.
      timed: async (iterations) => (await gpu.timeNext([await step(iterations)])).ns,
      deferred: async (iterations) => {
        // It resolves at the next submission.
        void gpu.defer([await step(iterations)]);
      },
    },
    gpu.info.clock?.resolutionNs,
  );
  const wake = async () => {
    await gpu.cleared?.();
    await made.wake();
  };
  return { ...made, wake };
}

/** So many iterations on the device. */
interface Work {
  /** Resolves to the nanoseconds that they took. */
  timed(iterations: number): Promise<number>;
  /** They go with the next submission. */
  deferred(iterations: number): Promise<void>;
}

/**
 * Finds out how much work takes {@link WORK_NS}, or {@link TICKS} of a coarse clock, and how fast it can be.
 * @param resolutionNs of a coarse clock. @param now milliseconds.
 */
export async function heater(
  work: Work,
  resolutionNs = 0,
  now: () => number = () => performance.now(),
): Promise<Heater> {
  const workNs = Math.max(WORK_NS, TICKS * resolutionNs);
  let iterations = TRIAL_ITERATIONS;
  let fastest = Number.POSITIVE_INFINITY;
  /** What the host needed beside the last passes. */
  const waits: number[] = [];
  const hostMs = () => median(waits);
  const timed = async () => {
    for (let again = 0; again <= RETRIES; again++) {
      const start = now();
      const ns = Math.max(resolutionNs, await work.timed(iterations));
      if (waits.push(Math.max(0, now() - start - ns / 1e6)) > WAITS) waits.shift();
      if (ns > 0) return ns;
    }
    throw new GpuError("the heater's work took no time");
  };
  /** Pieces of work that take as long as the host waits, or up to twice: powers of two are few kernels. */
  const whileWaiting = () => 2 ** Math.ceil(Math.log2((1e6 * hostMs()) / fastest));
  /** There are two waits for each, and work takes four fifths of the time. */
  const raise = () => work.timed(Math.max(PIECES, 8 * whileWaiting()) * iterations);
  const begin = now();
  let changed = begin;
  while (now() - changed < SETTLE_MS && now() - begin < MAX_SETTLE_MS) {
    const ns = await timed();
    const more = ns < workNs / 2 && iterations < MAX_ITERATIONS;
    if (more || ns < 0.98 * fastest) changed = now();
    if (more) iterations *= 2;
    fastest = more ? Number.POSITIVE_INFINITY : Math.min(fastest, ns);
    if (!more) await raise();
  }
  /** Works until the clocks are up, or for so long; the fastest time. */
  const heat = async (maxMs: number, between: () => Promise<unknown>): Promise<number> => {
    const start = now();
    let reached = Number.POSITIVE_INFINITY;
    for (;;) {
      reached = Math.min(reached, await timed());
      if (reached <= TOLERANCE * fastest || now() - start >= maxMs) break;
      await between();
    }
    fastest = Math.min(fastest, reached);
    return reached;
  };
  const wake = async () => {
    const reached = await heat(MAX_HEAT_MS, raise);
    if (reached > TOLERANCE * fastest) fastest = reached;
  };
  return {
    wake,
    async keep(ns) {
      if (ns >= WORKLESS_NS) return;
      if (hostMs() >= SLOW_HOST_MS) await work.deferred(whileWaiting() * iterations);
      else if ((await heat(MAX_KEEP_MS, async () => undefined)) > TOLERANCE * fastest) await wake();
    },
    async between(ns) {
      if (ns < BUSY_NS) await work.deferred(iterations);
    },
  };
}
