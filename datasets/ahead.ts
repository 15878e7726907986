/** Data sets that the host makes, made by threads of Node before they are asked for. */
import { existsSync } from "node:fs";
import { availableParallelism, totalmem } from "node:os";
import { Worker } from "node:worker_threads";
import type { KeySource } from "./dataset.js";
import { openDataset, pluginOf } from "./index.js";

/** A data set, and how many keys that are not in it will be asked for. */
export interface Wanted {
  readonly dataset: string;
  readonly n: number;
  readonly seed: number;
  readonly absent: number;
}

/** What the thread is told; the plug-in that the data set is from, if any. */
export type Told = Wanted & { readonly plugin: string | undefined };

/** What the thread says: keys, and at the end what is known then, or what went wrong. */
export type Said =
  | { readonly keys: Uint32Array }
  | { readonly unique: number; readonly absent: Uint32Array }
  | { readonly error: string };

/** The compiled thread. */
const THREAD = new URL("./ahead-thread.js", import.meta.url);
/** Threads at a time. */
const MOST = Math.min(5, Math.floor(availableParallelism() / 3));
/** Of fewer keys a data set is there before a thread is. */
export const LEAST = 2 ** 21;
/** Bytes of keys that are kept until they are asked for. */
const MOST_BYTES = Math.min(2 ** 33, totalmem() / 16);

export class MadeAhead {
  private readonly made = new Map<string, Making>();

  /** @param most data sets at a time; 0: none is made ahead. @param least keys of one that is worth a thread */
  constructor(
    private most = MOST,
    private readonly least = LEAST,
    private readonly thread = THREAD,
  ) {
    // As under a runner of TypeScript sources.
    if (!existsSync(thread)) this.most = 0;
  }

  /** Begins with these, in their order, as far as there are threads and memory for them. */
  begin(sets: readonly Wanted[]): void {
    for (const wanted of sets) {
      const all = [...this.made.values()];
      const bytes = all.reduce((sum, { wanted: { n } }) => sum + 4 * n, 4 * wanted.n);
      if (all.filter(({ ended }) => !ended).length >= this.most || bytes > MOST_BYTES) return;
      const name = nameOf(wanted);
      if (wanted.n < this.least || this.made.has(name)) continue;
      this.made.set(name, new Making(wanted, this.thread));
    }
  }

  /** The source, or one of the same data set that was begun: of its first keys while the others are made. It is the caller's then. */
  take(wanted: Named, source: KeySource): KeySource {
    const name = nameOf(wanted);
    const making = this.made.get(name);
    this.made.delete(name);
    return making?.as(source) ?? source;
  }

  /** Whether it is worth a thread, and no thread has made it yet. */
  lacks(wanted: Named): boolean {
    return this.most > 0 && wanted.n >= this.least && !this.made.get(nameOf(wanted))?.ended;
  }

  /** Gives up what was begun but these. */
  keep(sets: readonly Wanted[]): void {
    const kept = new Set(sets.map(nameOf));
    this.drop((_, name) => !kept.has(name));
  }

  /** Gives up what is being made; what is there stays. */
  pause(): void {
    this.drop(({ ended }) => !ended);
  }

  private drop(which: (making: Making, name: string) => boolean): void {
    for (const [name, making] of this.made) {
      if (!which(making, name)) continue;
      making.end();
      this.made.delete(name);
    }
  }
}

type Named = Omit<Wanted, "absent">;

const nameOf = ({ dataset, n, seed }: Named) => `${dataset} ${n} ${seed}`;

/** Whether a thread can make the data set: it is not made by the device, and no function goes with it. */
export async function isForThread({ dataset, n, seed }: Named): Promise<boolean> {
  try {
    const { asRandom, rankAt } = await openDataset(dataset, { n, seed });
    return !asRandom && !rankAt;
  } catch {
    // Who asks for it hears why.
    return false;
  }
}

/** One data set in the making. */
class Making {
  ended = false;
  private readonly worker: Worker;
  private readonly said: Said[] = [];
  private wake: () => void = () => undefined;

  constructor(
    readonly wanted: Wanted,
    thread: URL,
  ) {
    this.worker = new Worker(thread, { workerData: { ...wanted, plugin: pluginOf(wanted.dataset) } satisfies Told });
    // It keeps no process alive.
    this.worker.unref();
    this.worker.on("message", (said: Said) => this.note(said));
    this.worker.on("error", ({ message }) => this.note({ error: message }));
    this.worker.on("exit", () => this.note({ error: `${wanted.dataset}: its thread ended` }));
  }

  private note(said: Said): void {
    if (this.ended) return;
    this.ended = !("keys" in said);
    this.said.push(said);
    this.wake();
  }

  end(): void {
    this.ended = true;
    void this.worker.terminate();
  }

  /** As the source of the same data set. */
  as(source: KeySource): KeySource {
    let last: Extract<Said, { unique: number }> | null = null;
    const next = async (): Promise<Said> => {
      while (this.said.length === 0) {
        // What is waited for keeps the process alive.
        this.worker.ref();
        await new Promise<void>((resolve) => {
          this.wake = resolve;
        });
      }
      return this.said.shift() as Said;
    };
    const known = () => {
      if (!last) throw new Error(`${source.id}: asked before its keys were read`);
      return last;
    };
    return {
      ...source,
      async *chunks() {
        for (let said = await next(); ; said = await next()) {
          if ("error" in said) throw new Error(said.error);
          if ("keys" in said) yield said.keys;
          else {
            last = said;
            return;
          }
        }
      },
      absent: async (count) => known().absent.subarray(0, count),
      unique: () => known().unique,
    };
  }
}
