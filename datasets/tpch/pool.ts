/** Generates the key blocks of `lineitem` in worker threads and hands them out in order. */
import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { blockKeys, type KeyBlock } from "./keys.js";

/** Blocks a worker may be ahead of the consumer. Bounds the memory at threads * AHEAD * block size. */
const AHEAD = 3;
/** The consumer removes duplicates on its own thread and cannot keep up with more generators than this. */
const MAX_THREADS = 8;

export interface PoolOptions {
  /** Worker threads; 0 generates on the calling thread. */
  readonly threads: number;
  /** The compiled worker. Where there is none, as under a runner of TypeScript sources, blocks are made inline. */
  readonly worker?: URL;
}

/** Threads for a large data set on this machine: all cores but the consumer's. */
export function defaultThreads(): number {
  return Math.min(MAX_THREADS, Math.max(1, availableParallelism() - 1));
}

/** The keys of each block, in the order of the blocks. Ends its threads when the consumer stops or an error comes. */
export async function* generateBlocks(
  blocks: Iterable<KeyBlock>,
  { threads, worker = new URL("./worker.js", import.meta.url) }: PoolOptions,
): AsyncGenerator<Uint32Array> {
  if (threads === 0 || !existsSync(worker)) {
    for (const block of blocks) yield blockKeys(block);
    return;
  }
  const pool = Array.from({ length: threads }, () => new GeneratorThread(worker));
  try {
    const pending: Promise<Uint32Array>[] = [];
    let requests = 0;
    const iterator = blocks[Symbol.iterator]();
    const request = () => {
      const next = iterator.next();
      if (next.done) return;
      pending.push(pool[requests++ % threads]!.generate(next.value));
    };
    for (let i = 0; i < threads * AHEAD; i++) request();
    for (let keys = pending.shift(); keys; keys = pending.shift()) {
      const ready = await keys;
      request();
      yield ready;
    }
  } finally {
    await Promise.all(pool.map((thread) => thread.end()));
  }
}

/** One worker and the requests it has yet to answer, oldest first. */
class GeneratorThread {
  private readonly worker: Worker;
  private readonly waiting: { resolve(keys: Uint32Array): void; reject(error: unknown): void }[] = [];

  constructor(script: URL) {
    this.worker = new Worker(script);
    this.worker.on("message", (keys: Uint32Array) => this.waiting.shift()?.resolve(keys));
    this.worker.on("error", (error) => {
      for (const request of this.waiting.splice(0)) request.reject(error);
    });
  }

  generate(block: KeyBlock): Promise<Uint32Array> {
    const reply = new Promise<Uint32Array>((resolve, reject) => this.waiting.push({ resolve, reject }));
    // A reply that is never awaited, as another one failed first, must not end the process as unhandled.
    reply.catch(() => {});
    this.worker.postMessage(block);
    return reply;
  }

  async end(): Promise<void> {
    await this.worker.terminate();
  }
}
