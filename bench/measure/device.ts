/** What the sampler has to know of a device. */
import type { CoarseClock, Gpu } from "../../kernels/device/gpu.js";
import { deviceOf } from "../../kernels/device/owned.js";
import { onceEach } from "../base/once.js";
import { type Heater, makeHeater, SHORT_NS } from "../device/heater.js";
import { tickOf } from "../device/timer.js";
import { EVEN_NS, LONG_PASS_NS, ONE_NS, SETTLED_PASS_NS } from "./stopping.js";

export interface SamplerDevice {
  readonly heater: Heater;
  /** A cell's warm-up lasts so long, and so many runs, at least: first dispatches are far slower. */
  readonly warmUpMs: number;
  readonly warmUpRuns: number;
  /** Runs that warm up a cell whose runs take so long: 2 where a kernel may be compiled at its first one. */
  readonly longWarmUp: number;
  /**
   * A run of so many ns does not notice what the caches held before it: none is discarded before its samples, and
   * `longWarmUp` runs warm its cell up.
   */
  readonly settledNs: number;
  /** Cells whose runs take so many ns have their turns sample by sample, not by blocks. */
  readonly longNs: number;
  /** Of single passes that take so many ns three are enough if they are even, */
  readonly settledPassNs: number;
  /** and two of those that take so many, which are long. */
  readonly longPassNs: number;
  /** One run of many passes that takes so many ns is enough. */
  readonly oneNs: number;
  /** Operations that a timed pass may repeat, … */
  readonly maxRepetitions: number;
  /** … and how long it should become by that, in ns. */
  readonly passNs: number;
  /** Smallest difference in ns that the clock shows. */
  readonly resolutionNs: number;
  /** A pass of fewer of these is no measurement; 0: any is. */
  readonly fewestTicks: number;
}

/** A run that takes so long notices neither what the caches held before it nor what the clocks were, on any device. */
const LONG_NS = 1e8;
/** A GPU's: its cache is filled within a small part of such a run, which no median of ten notices. */
const SETTLED_NS = SETTLED_PASS_NS;

/** A device that takes no time to wake, and that nothing is repeated on. */
export const IDLE_DEVICE: SamplerDevice = {
  heater: { wake: async () => undefined, keep: async () => undefined, between: async () => undefined },
  warmUpMs: 0,
  warmUpRuns: 3,
  longWarmUp: 2,
  settledNs: LONG_NS,
  longNs: LONG_NS,
  settledPassNs: Number.POSITIVE_INFINITY,
  longPassNs: 1e9,
  // What else a CPU does shows in every run.
  oneNs: Number.POSITIVE_INFINITY,
  maxRepetitions: 1,
  passNs: SHORT_NS,
  resolutionNs: 0,
  fewestTicks: 0,
};

/** A run that takes so long on a CPU has been compiled within itself, and three of them are all the time that its cell has. */
const LONG_CPU_NS = 2e7;
/** The CPU, by its own clock: a just-in-time compiler wants to see them run for a while. */
export const CPU_DEVICE: SamplerDevice = {
  ...IDLE_DEVICE,
  warmUpMs: 40,
  warmUpRuns: 1,
  longWarmUp: 1,
  settledNs: LONG_CPU_NS,
  longNs: LONG_CPU_NS,
};

/** Enough that the timestamps of a tick have no other common divisor. */
const EMPTY_PASSES = 16;
/** With more the host needs longer to write a pass down than the device to run it. */
const MAX_REPETITIONS = 128;

/**
 * Of a coarse clock. A pass that is off by a tick is off by 5 % in 20 ticks; one that may repeat its operation has 100. What the host needs to write
 * a pass of that many operations down is little beside it.
 */
const FEWEST_TICKS = 20;
const PASS_TICKS = 100;
const COARSE_REPETITIONS = 2048;

/** Examined once for each device. On a software adapter kernels are long, and there are no clocks to keep up. */
export function samplerDevice(gpu: Gpu): Promise<SamplerDevice> {
  return examined(deviceOf(gpu));
}

const examined = onceEach(async (gpu: Gpu): Promise<SamplerDevice> => {
  const { software, clock } = gpu.info;
  const own = software ? IDLE_DEVICE : await lookAt(gpu);
  return clock ? coarse(own, clock) : own;
});

/** The device as a coarse clock sees it. */
export function coarse(device: SamplerDevice, { resolutionNs }: CoarseClock): SamplerDevice {
  return {
    ...device,
    maxRepetitions: COARSE_REPETITIONS,
    passNs: Math.max(SHORT_NS, PASS_TICKS * resolutionNs),
    resolutionNs,
    fewestTicks: FEWEST_TICKS,
  };
}

async function lookAt(gpu: Gpu): Promise<SamplerDevice> {
  const heater = await makeHeater(gpu);
  const durations: number[] = [];
  for (let i = 0; i < EMPTY_PASSES; i++) durations.push((await gpu.time([])).ns);
  const told = durations.filter((ns) => !Number.isNaN(ns));
  return {
    ...IDLE_DEVICE,
    heater,
    // What is slow at first becomes faster, and goes on until it does not.
    warmUpRuns: 1,
    longWarmUp: 1,
    settledNs: SETTLED_NS,
    longNs: EVEN_NS,
    settledPassNs: SETTLED_PASS_NS,
    longPassNs: LONG_PASS_NS,
    oneNs: ONE_NS,
    maxRepetitions: MAX_REPETITIONS,
    resolutionNs: tickOf(told),
  };
}
