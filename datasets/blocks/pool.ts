/** Generates blocks of data sets in worker threads and hands them out in order. */
import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { type BlockOf, type Kind, makeBlock } from "./makers.js";

/** Blocks a worker may be ahead of the consumer. Bounds the memory at threads * AHEAD * block size. */
const AHEAD = 3;
/** A consumer that looks for duplicates on its own thread cannot keep up with more generators than this. */
const MAX_THREADS = 8;
/** Below so many keys, starting threads takes longer than the work. */
const INLINE_KEYS = 1 << 21;

export interface PoolOptions {
  /** Worker threads; 0 generates on the calling thread. */
  readonly threads: number;
  /** The compiled worker. Where there is none, as under a runner of TypeScript sources, blocks are made inline. */
  readonly worker?: URL;
}

/** For so many keys on this machine: all cores but the consumer's, up to so many, where that is worth it. */
export function poolFor(keys: number, most = MAX_THREADS): PoolOptions {
  const threads = Math.min(most, Math.max(1, availableParallelism() - 1));
  return { threads: keys < INLINE_KEYS ? 0 : threads };
}

/** The words of each block, in the order of the blocks. Ends its threads when the consumer stops or an error comes. */
export async function* generateBlocks<K extends Kind>(
  kind: K,
  blocks: Iterable<BlockOf<K>>,
  { threads, worker = new URL("./worker.js", import.meta.url) }: PoolOptions,
): AsyncGenerator<Uint32Array> {
  if (threads === 0 || !existsSync(worker)) {
    for (const block of blocks) yield makeBlock(kind, block);
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
      pending.push(pool[requests++ % threads]!.generate({ kind, block: next.value }));
    };
    for (let i = 0; i < threads * AHEAD; i++) request();
    for (let words = pending.shift(); words; words = pending.shift()) {
      const ready = await words;
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
  private readonly waiting: { resolve(words: Uint32Array): void; reject(error: unknown): void }[] = [];

  constructor(script: URL) {
    this.worker = new Worker(script);
    this.worker.on("message", (words: Uint32Array) => this.waiting.shift()?.resolve(words));
    this.worker.on("error", (error) => {
      for (const request of this.waiting.splice(0)) request.reject(error);
    });
  }

  generate(request: unknown): Promise<Uint32Array> {
    const reply = new Promise<Uint32Array>((resolve, reject) => this.waiting.push({ resolve, reject }));
    // A reply that is never awaited, as another one failed first, must not end the process as unhandled.
    reply.catch(() => {});
    this.worker.postMessage(request);
    return reply;
  }

  async end(): Promise<void> {
    await this.worker.terminate();
  }
}
