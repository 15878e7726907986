/** Samples a group of cells in turn, so that a drift of the device hits all of them alike. */
import { Bench, type Task } from "tinybench";
import type { KeepWarm } from "../gpu/heater.js";
import type { Sampled } from "./sampled.js";
import { type StoppingOptions, stopReason } from "./stopping.js";

/** Samples a cell takes before the next cell has its turn. */
const BLOCK = 5;
/** Warm-up: at least this many runs, because first dispatches are 15 to 80 times slower … */
const MIN_WARMUP = 3;
/** … and for so long, because an idle GPU's clocks take tens of milliseconds to rise (an H200 idles at 345 MHz and works at 1,980) … */
const MIN_WARMUP_MS = 40;
/** … and until a run is no more than 10 % faster than the fastest before it, but never longer than this. */
const MAX_WARMUP_MS = 1500;

export type Outcome =
  | {
      readonly ok: true;
      /** Nanoseconds in time order. */
      readonly samples: readonly number[];
      readonly stopped: "quiet" | "samples" | "time";
    }
  | { readonly ok: false; readonly error: Error };

export type Phase = "warm-up" | "sample";

/** The nanoseconds, if they are some: finite and above zero. Throws an Error else. */
export function checkDuration(ns: number): number {
  if (!Number.isFinite(ns) || ns <= 0) throw new Error(`a run was measured to take ${ns} ns`);
  return ns;
}

class Sampling {
  readonly samples: number[] = [];
  outcome: Outcome | null = null;
  private readonly task: Task;
  private spentMs = 0;
  private lastNs = Number.POSITIVE_INFINITY;

  constructor(
    private readonly cell: Sampled,
    private readonly beat: (phase: Phase) => void,
    private readonly keepWarm: KeepWarm,
  ) {
    // Exactly BLOCK runs a call: `time` 0 leaves the count to `iterations`.
    const bench = new Bench({ iterations: BLOCK, time: 0, warmup: false, retainSamples: false, throws: true });
    const run = async () => {
      const ns = await this.once("sample");
      this.samples.push(ns);
      return { overriddenDuration: ns / 1e6 };
    };
    bench.add("cell", run, { beforeEach: () => this.ready() });
    this.task = bench.getTask("cell") as Task;
  }

  /** What has to happen before a run: the reset, then work for the device where its runs are too short to keep it awake. */
  private async ready(): Promise<void> {
    if (this.cell.mutates) await this.cell.reset();
    await this.keepWarm(this.lastNs);
  }

  /** One run. tinybench would silently put wall time in place of a duration that is none, so it is checked here. */
  private async once(phase: Phase): Promise<number> {
    this.beat(phase);
    this.lastNs = checkDuration(await this.cell.sample());
    return this.lastNs;
  }

  /** Runs `work`; an error ends this cell only. */
  private async guarded(work: () => Promise<void>): Promise<void> {
    const begin = performance.now();
    try {
      await work();
    } catch (error) {
      this.outcome = { ok: false, error: error instanceof Error ? error : new Error(String(error)) };
    }
    this.spentMs += performance.now() - begin;
  }

  async warmUp(): Promise<void> {
    const begin = performance.now();
    const spent = () => performance.now() - begin;
    await this.guarded(async () => {
      let best = Number.POSITIVE_INFINITY;
      for (let run = 0; spent() < MAX_WARMUP_MS; run++) {
        const ns = await this.discarded();
        if (run >= MIN_WARMUP && spent() >= MIN_WARMUP_MS && ns > 0.9 * best) break;
        best = Math.min(best, ns);
      }
    });
    this.spentMs = 0;
  }

  private async discarded(): Promise<number> {
    await this.ready();
    return this.once("warm-up");
  }

  async block(options: StoppingOptions): Promise<void> {
    await this.guarded(async () => {
      // The caches hold another cell's data, and while that was prepared the clocks may have fallen.
      await this.discarded();
      this.task.reset();
      await this.task.run();
    });
    if (this.outcome) return;
    const stopped = stopReason(this.samples, this.spentMs, options);
    if (stopped) this.outcome = { ok: true, samples: this.samples, stopped };
  }
}

/**
 * Measures all cells, a block of samples of each in turn, until each one's stopping rule ends it.
 * @param beat called before every run with the cell's index, so that a watchdog knows who is running.
 * @param keepWarm awaited before every run, with the nanoseconds of the cell's last one.
 */
export async function measureGroup(
  cells: readonly Sampled[],
  options: StoppingOptions,
  beat: (cell: number, phase: Phase) => void = () => undefined,
  keepWarm: KeepWarm = async () => undefined,
): Promise<Outcome[]> {
  const all = cells.map((cell, index) => new Sampling(cell, (phase) => beat(index, phase), keepWarm));
  for (const sampling of all) await sampling.warmUp();
  for (;;) {
    const live = all.filter(({ outcome }) => outcome === null);
    if (live.length === 0) return all.map(({ outcome }) => outcome as Outcome);
    for (const sampling of live) await sampling.block(options);
  }
}
