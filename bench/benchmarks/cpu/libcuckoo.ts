/** The CPU's cuckoo table as a CPU table: all cores of the host. */
import { availableParallelism } from "node:os";
import { EMPTY } from "../../../datasets/dataset.js";
import { UsageError } from "../../../kernels/device/errors.js";
import { cuckooMemory, sharedWords } from "./cuckoo.js";
import type { CpuTable, CpuTableType } from "./tables.js";
import { Threads } from "./threads.js";

/** Two choices of buckets of four slots reach 0.98 in theory, in large tables. */
const MAX_LOAD_FACTOR = 0.95;

/** Bucketised cuckoo hashing over the host's cores, for up to n different keys. */
export const libcuckoo: CpuTableType = {
  id: "libcuckoo",
  title: "Cuckoo after libcuckoo, all cores",
  maxPairs: 2 ** 28,
  limit: "words are numbered in 32 bits",
  allCores: true,
  create(n, loadFactor) {
    if (loadFactor > MAX_LOAD_FACTOR) {
      throw new UsageError(`libcuckoo: load factor ${loadFactor} is beyond its ${MAX_LOAD_FACTOR}`);
    }
    return threadedCuckoo(n, loadFactor, availableParallelism());
  },
};

/** The table and its threads, which end some time after it is no longer used, or at `end`. */
export function threadedCuckoo(
  n: number,
  loadFactor: number,
  count: number,
  script?: URL,
): CpuTable & { readonly threads: number; end(): Promise<void> } {
  const memory = cuckooMemory(n, loadFactor);
  const threads = new Threads(memory, count, script);
  return {
    threads: threads.count,
    end: () => threads.end(),
    clear: () => void memory.words.fill(EMPTY),
    insert(keys, values) {
      const failed = threads.run({ op: "insert", keys: shared(keys), values: shared(values) });
      if (failed > 0) throw new RangeError(`no room for ${failed} pairs in a table for ${n} keys`);
    },
    find(queries, results) {
      const own = results.buffer instanceof SharedArrayBuffer;
      const values = own ? results : sharedWords(results.length);
      threads.run({ op: "find", keys: shared(queries), values });
      if (!own) results.set(values);
    },
  };
}

/** The words in shared memory: themselves, if they are. */
function shared(words: Uint32Array): Uint32Array {
  if (words.buffer instanceof SharedArrayBuffer) return words;
  const copy = sharedWords(words.length);
  copy.set(words);
  return copy;
}
