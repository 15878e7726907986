/** Samples a group of cells in turn, so that a drift of the device hits all of them alike. */

import { Bench } from "tinybench";
import { UsageError } from "../../kernels/device/errors.js";
import { significant } from "../base/format.js";
import { SHORT_NS } from "../device/heater.js";
import { whyUntimed } from "../device/timer.js";
import type { StopReason } from "../results/record.js";
import { IDLE_DEVICE, type SamplerDevice } from "./device.js";
import type { Sampled } from "./sampled.js";
import { summarise } from "./statistics.js";
import { alike, forLong, forMany, forSettled, MANY_NS, type StoppingOptions, stopReason } from "./stopping.js";

/** Samples of short passes that a cell takes before the next cell has its turn. */
const BLOCK = 5;
/** Warm-up goes on while runs become faster by more than a tenth, but never longer than this. */
const MAX_WARMUP_MS = 1500;

export interface Sampling {
  /** Nanoseconds of one operation, in time order. */
  readonly samples: readonly number[];
  /** Which call of the cell's `sample` each of them was, from 0. */
  readonly calls: readonly number[];
  /** Operations that the timed pass of each sample repeated. */
  readonly repetitions: number;
  /** By how much the clock may be wrong about a sample, in ns, where that is looked at; 0 else. */
  readonly tickNs: number;
  readonly stopped: StopReason;
}

export type Outcome = (Sampling & { readonly ok: true }) | { readonly ok: false; readonly error: Error };

type Phase = "warm-up" | "reset" | "heat" | "sample";

/** A run whose timestamps are wrong is measured again so many times. */
const RETRIES = 4;

/** The nanoseconds, if they are some: finite and above zero. Throws an Error else. */
function checkDuration(ns: number): number {
  if (!Number.isFinite(ns) || ns <= 0) throw new Error(`a run was measured to take ${ns} ns`);
  return ns;
}

/** Why passes of so many ticks give no number. */
function tooShort(ticks: number, { fewestTicks, resolutionNs }: SamplerDevice): UsageError {
  const number = (value: number) => significant(value, 3);
  const tick = `${number(resolutionNs / 1000)} µs`;
  return new UsageError(
    `it takes ${number(ticks)} ticks of this clock (${tick}), ${fewestTicks} are needed: take a larger size`,
  );
}

export class Sampler {
  /** How it ended; null while it goes on. */
  outcome: Outcome | null = null;
  private readonly samples: number[] = [];
  private readonly calls: number[] = [];
  private called = 0;
  private repetitions = 1;
  private spentMs = 0;
  private lastNs = Number.POSITIVE_INFINITY;
  /** The only sample is the run that warmed the cell up: it stays one if it is even with those after it. */
  private warmed = false;
  /** Wall time of the last run, reset included. */
  private runMs = 0;

  /** @param beat called before everything that takes time, so that a watchdog knows who is running. */
  constructor(
    private readonly cell: Sampled,
    private readonly options: StoppingOptions,
    private readonly device: SamplerDevice = IDLE_DEVICE,
    private readonly beat: (phase: Phase, samples: number) => void = () => undefined,
  ) {}

  /** Wall time in ms that the fewest samples will take, as far as the warm-up tells. */
  get leastMs(): number {
    if (this.outcome) return 0;
    const { fewestSamples, minSamples } = this.stopping;
    return this.runMs * Math.max(0, (fewestSamples ?? minSamples) - this.samples.length);
  }

  /** The run that warms it up may be a sample: then it does so alone, and was rehearsed. */
  get beginsAlone(): boolean {
    return this.cell.long === true || (this.cell.ofMany === true && this.options.enoughOfMany !== undefined);
  }

  private get stopping(): StoppingOptions {
    const { cell, lastNs, options } = this;
    if (cell.ofMany) return forMany(options, lastNs, cell.steady ? this.device.oneNs : Number.POSITIVE_INFINITY);
    if (lastNs >= this.device.longPassNs) return forLong(options);
    return this.hasSettled ? forSettled(options) : options;
  }

  /** Whether the passes are single ones of which three may be enough. */
  private get hasSettled(): boolean {
    return !this.cell.ofMany && this.lastNs >= this.device.settledPassNs && Number.isFinite(this.lastNs);
  }

  /** Rehearses, or runs once, beside others or not: a first run may wait for the compiler, so its time is not used. */
  async rehearse(): Promise<void> {
    const { cell } = this;
    await this.guarded(async () => {
      if (!cell.rehearse) {
        await this.run("warm-up");
        return;
      }
      this.beat("warm-up", 0);
      await cell.rehearse();
    });
  }

  /**
   * Runs until the runs become no faster; then as many operations share a pass as make it long enough. Others may warm up at
   * the same time, and the clocks are not waited for, as these times are not samples. Of a cell that {@link beginsAlone} the run that warms
   * it up may be one, and the cell has ended if that one is enough.
   */
  async warmUp(): Promise<void> {
    if (this.outcome) return;
    const begin = performance.now();
    const spent = () => performance.now() - begin;
    const { warmUpRuns, warmUpMs, settledNs, longWarmUp } = this.device;
    await this.guarded(async () => {
      let best = Number.POSITIVE_INFINITY;
      for (let run = 0; spent() < MAX_WARMUP_MS; run++) {
        const ns = await this.run("warm-up");
        const runs = this.settled(ns) ? Math.min(1, warmUpRuns) : warmUpRuns;
        const steady = run >= runs && spent() >= warmUpMs && ns > 0.9 * best;
        best = Math.min(best, ns);
        if (this.cell.ofMany && ns >= SHORT_NS) {
          if (this.beginsAlone && ns >= MANY_NS) this.keep(ns);
          break;
        }
        const long = ns >= settledNs && run + 1 >= longWarmUp;
        if (long && this.hasSettled) {
          this.keep(ns);
          this.warmed = true;
        }
        if (steady || long) break;
      }
      if (!this.cell.mutates && this.cell.repeats)
        this.repetitions = Math.min(this.device.maxRepetitions, Math.ceil(this.device.passNs / best));
    });
    this.spentMs = 0;
    if (this.samples.length > 0 && !this.warmed) this.endIfEnough();
  }

  /** Takes some samples, and notes the outcome if they are enough. */
  async block(): Promise<void> {
    const { lastNs } = this;
    // Such a cell has its turns sample by sample: the few that may be enough are of as many turns.
    const long = lastNs >= (this.cell.ofMany ? MANY_NS : this.device.longNs);
    await this.guarded(async () => {
      // Of many passes every run begins with that.
      if (!this.cell.ofMany) await this.wake();
      // The caches hold another cell's data.
      if (!this.settled(lastNs)) await this.run("warm-up");
      // Exactly so many runs: `time` 0 leaves the count to `iterations`.
      const iterations = long ? 1 : BLOCK;
      const bench = new Bench({ iterations, time: 0, warmup: false, retainSamples: false, throws: true });
      bench.add("cell", async () => {
        const ns = await this.run("sample");
        this.keep(ns);
        return { overriddenDuration: ns / 1e6 };
      });
      await bench.getTask("cell")?.run();
    });
    if (this.warmed && !alike(this.samples, this.options)) {
      this.samples.shift();
      this.calls.shift();
    }
    this.warmed = false;
    this.endIfEnough();
  }

  /** Notes the outcome if there is none yet and the samples are enough. */
  private endIfEnough(): void {
    if (this.outcome) return;
    const { samples, calls, repetitions } = this;
    const pass = { repetitions, resolutionNs: this.device.resolutionNs };
    const stopped = stopReason(samples, this.spentMs, this.stopping, pass);
    if (!stopped) return;
    const { fewestTicks, resolutionNs } = this.device;
    const ticks = (summarise(samples).median * repetitions) / resolutionNs;
    const tickNs = fewestTicks > 0 ? resolutionNs / repetitions : 0;
    this.outcome =
      ticks < fewestTicks
        ? { ok: false, error: tooShort(ticks, this.device) }
        : { ok: true, samples, calls, repetitions, tickNs, stopped };
  }

  /**
   * Whether a run of that time does without another one before it: nothing of what the caches held shows in it, or they hold
   * what the reset has left in them.
   */
  private settled(ns: number): boolean {
    return ns >= (this.cell.mutates ? SHORT_NS : this.device.settledNs);
  }

  /** The last run is a sample. */
  private keep(ns: number): void {
    this.samples.push(ns);
    this.calls.push(this.called - 1);
  }

  private async wake(): Promise<void> {
    this.beat("heat", this.samples.length);
    await this.device.heater.wake();
  }

  /** One run that was timed, in nanoseconds of one of its operations. Throws an Error where the device times none of several. */
  private async run(phase: Phase): Promise<number> {
    for (let again = 0; again <= RETRIES; again++) {
      const ns = await this.once(phase);
      // tinybench silently replaces an invalid duration by wall time, so it is checked here.
      if (!Number.isNaN(ns)) return checkDuration(ns);
    }
    throw new Error(`${RETRIES + 1} runs were not timed: ${whyUntimed()}`);
  }

  /** One timed pass, after the reset and what keeps the device awake. NaN where it could not be timed. */
  private async once(phase: Phase): Promise<number> {
    const begin = performance.now();
    const beat = (now: Phase) => this.beat(now, this.samples.length);
    if (this.cell.mutates) {
      beat("reset");
      await this.cell.reset();
    }
    const { heater } = this.device;
    const keep = async (ns: number) => {
      beat(phase);
      await heater.between(ns);
    };
    // That of a long cell's warm-up may become one.
    const sample = phase === "sample" || this.beginsAlone;
    const between = sample ? keep : undefined;
    if (sample) {
      beat("heat");
      // Most of a run of many passes the device waits for the host: its length says nothing of the clocks.
      await (this.cell.ofMany ? heater.wake() : heater.keep(this.lastNs));
    }
    beat(phase);
    this.called += 1;
    const ns = this.seen(await this.cell.sample(this.repetitions, between));
    if (!Number.isNaN(ns)) this.lastNs = ns * this.repetitions;
    this.runMs = performance.now() - begin;
    return ns;
  }

  /** A coarse clock may see a short pass begin and end at the same time: it took a tick at most. */
  private seen(ns: number): number {
    const { fewestTicks, resolutionNs } = this.device;
    return fewestTicks > 0 && ns >= 0 ? Math.max(ns, resolutionNs / this.repetitions) : ns;
  }

  /** Does `work`; an error ends this cell only. */
  private async guarded(work: () => Promise<void>): Promise<void> {
    const begin = performance.now();
    try {
      await work();
    } catch (error) {
      this.outcome = { ok: false, error: error instanceof Error ? error : new Error(String(error)) };
    }
    this.spentMs += performance.now() - begin;
  }
}

/**
 * Samples cells that are warm, a block of each in turn, until each one's stopping rule ends it.
 * @param ended awaited once for every cell, as soon as it has ended; the others wait.
 */
export async function roundRobin(
  samplers: readonly Sampler[],
  ended: (outcome: Outcome, cell: number) => Promise<void>,
): Promise<void> {
  let live = samplers.map((sampler, cell) => ({ sampler, cell }));
  while (live.length > 0) {
    const going = [];
    for (const one of live) {
      const { sampler, cell } = one;
      if (sampler.outcome === null) await sampler.block();
      if (sampler.outcome === null) going.push(one);
      else await ended(sampler.outcome, cell);
    }
    live = going;
  }
}

/** Warms all cells up and samples them in turn. */
export async function measureGroup(
  cells: readonly Sampled[],
  options: StoppingOptions,
  device: SamplerDevice = IDLE_DEVICE,
): Promise<Outcome[]> {
  const samplers = cells.map((cell) => new Sampler(cell, options, device));
  for (const sampler of samplers) await sampler.warmUp();
  const outcomes: Outcome[] = [];
  await roundRobin(samplers, async (outcome, cell) => {
    outcomes[cell] = outcome;
  });
  return outcomes;
}
