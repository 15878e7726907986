/** Bulk operations of a cuckoo table by several threads, of which the caller is one. */
import { existsSync } from "node:fs";
import { type MessagePort, receiveMessageOnPort, Worker } from "node:worker_threads";
import { Cuckoo, type CuckooMemory } from "./cuckoo.js";

/** Items that a thread takes at a time. */
const CHUNK = 2 ** 12;
/** Threads begin to wait for work within it, or there is something wrong. */
const START_MS = 30_000;

/** A bulk operation; both arrays are of shared memory, and as long. */
export interface Job {
  readonly op: "insert" | "find";
  readonly keys: Uint32Array;
  /** To insert; of a find, room for its answers. */
  readonly values: Uint32Array;
}

/** Words of the control block: jobs begun; next item; threads that are done with the job; items that failed; threads. */
const JOBS = 0;
const NEXT = 1;
const DONE = 2;
const FAILED = 3;
const READY = 4;
const CONTROL_WORDS = 5;

/** What a worker thread is started with. */
export interface ThreadData {
  readonly memory: CuckooMemory;
  readonly control: Int32Array;
}

/** Takes chunks of the job until there are none. */
function work(table: Cuckoo, control: Int32Array, { op, keys, values }: Job): void {
  for (let from = Atomics.add(control, NEXT, CHUNK); from < keys.length; from = Atomics.add(control, NEXT, CHUNK)) {
    const to = Math.min(from + CHUNK, keys.length);
    let failed = 0;
    if (op === "find") {
      for (let i = from; i < to; i++) values[i] = table.find(keys[i] as number);
    } else {
      for (let i = from; i < to; i++) if (!table.insert(keys[i] as number, values[i] as number)) failed++;
    }
    if (failed > 0) Atomics.add(control, FAILED, failed);
  }
}

/** The life of a worker thread. It never returns: the thread is ended from outside. */
export function serve({ memory, control }: ThreadData, port: MessagePort): void {
  const table = new Cuckoo(memory);
  Atomics.add(control, READY, 1);
  Atomics.notify(control, READY);
  for (let jobs = 0; ; jobs++) {
    Atomics.wait(control, JOBS, jobs);
    const job = receiveMessageOnPort(port)?.message as Job;
    work(table, control, job);
    Atomics.add(control, DONE, 1);
    Atomics.notify(control, DONE);
  }
}

/** Threads whose table is no longer used are ended. */
const unused = new FinalizationRegistry<readonly Worker[]>((workers) => {
  for (const worker of workers) void worker.terminate();
});

export class Threads {
  private readonly control = new Int32Array(new SharedArrayBuffer(4 * CONTROL_WORDS));
  private readonly workers: readonly Worker[];
  private readonly table: Cuckoo;

  /**
   * @param count Threads, the caller's included.
   * @param script The compiled worker. Where there is none, as under a runner of TypeScript sources, the caller works alone.
   */
  constructor(memory: CuckooMemory, count: number, script = new URL("./cuckoo-worker.js", import.meta.url)) {
    this.table = new Cuckoo(memory);
    const workerData: ThreadData = { memory, control: this.control };
    const others = existsSync(script) ? count - 1 : 0;
    this.workers = Array.from({ length: others }, () => new Worker(script, { workerData }));
    for (const worker of this.workers) worker.unref();
    unused.register(this, this.workers);
    this.await(READY, START_MS);
  }

  /** Threads, the caller's included. */
  get count(): number {
    return this.workers.length + 1;
  }

  /** Does the job; how many items failed. The caller's thread works too, and waits for the others. */
  run(job: Job): number {
    const { control } = this;
    for (const word of [NEXT, DONE, FAILED]) Atomics.store(control, word, 0);
    for (const worker of this.workers) worker.postMessage(job);
    Atomics.add(control, JOBS, 1);
    Atomics.notify(control, JOBS);
    work(this.table, control, job);
    this.await(DONE, Number.POSITIVE_INFINITY);
    return Atomics.load(control, FAILED);
  }

  /** Ends the threads at once. */
  async end(): Promise<void> {
    await Promise.all(this.workers.map((worker) => worker.terminate()));
  }

  /** Waits until all workers have counted themselves there. */
  private await(word: number, ms: number): void {
    for (;;) {
      const there = Atomics.load(this.control, word);
      if (there === this.workers.length) return;
      if (Atomics.wait(this.control, word, there, ms) === "timed-out") {
        throw new Error(`${this.workers.length - there} worker threads did not start within ${ms} ms`);
      }
    }
  }
}
