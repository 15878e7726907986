/** Generates blocks of data sets in worker threads and hands them out in order. */
import { type BlockOf, type Kind, makeBlock } from "./makers.js";
import { canStart, GeneratorThread, spareThreads, WORKER } from "./threads.js";

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
  return { threads: keys < INLINE_KEYS ? 0 : Math.min(most, spareThreads()) };
}

/** The words of each block, in the order of the blocks. Ends its threads when the consumer stops or an error comes. */
export async function* generateBlocks<K extends Kind>(
  kind: K,
  blocks: Iterable<BlockOf<K>>,
  { threads, worker = WORKER }: PoolOptions,
): AsyncGenerator<Uint32Array> {
  if (threads === 0 || !canStart(worker)) {
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
