/** CPU tables: the tables a JavaScript programmer would use instead. */
import { EMPTY } from "../../../datasets/dataset.js";
import { mix } from "../../../datasets/random.js";

/** Bulk operations on u32 keys and values; `find` writes EMPTY for an absent key. */
export interface CpuTable {
  clear(): void;
  insert(keys: Uint32Array, values: Uint32Array): void;
  find(queries: Uint32Array, results: Uint32Array): void;
}

export interface CpuTableType {
  readonly id: string;
  readonly title: string;
  readonly maxPairs: number;
  /** Why not more than `maxPairs`. */
  readonly limit: string;
  /** A table for at most `n` distinct keys, none of them EMPTY. */
  create(n: number, loadFactor: number): CpuTable;
}

export const jsMap: CpuTableType = {
  id: "js-map",
  title: "JavaScript Map",
  maxPairs: 2 ** 24,
  limit: "a Map holds at most 2^24 entries",
  create() {
    const map = new Map<number, number>();
    return {
      clear: () => map.clear(),
      insert(keys, values) {
        for (let i = 0; i < keys.length; i++) map.set(keys[i] as number, values[i] as number);
      },
      find(queries, results) {
        for (let i = 0; i < queries.length; i++) results[i] = map.get(queries[i] as number) ?? EMPTY;
      },
    };
  },
};

/** Open addressing with linear probing; (key, value) beside each other in one Uint32Array. */
export const typedArray: CpuTableType = {
  id: "typed-array",
  title: "Typed array, linear probing",
  maxPairs: 2 ** 29,
  limit: "a typed array of pairs is not larger",
  create(n, loadFactor) {
    // One slot stays free, so that a search for an absent key ends.
    const slots = Math.max(n + 1, Math.ceil(n / loadFactor));
    const table = new Uint32Array(2 * slots).fill(EMPTY);
    /** Index of the key's word, or of the free slot where it would go. Throws a RangeError if there is neither. */
    const locate = (key: number): number => {
      let slot = Math.floor((mix(key) * slots) / 2 ** 32);
      let round = 0;
      for (;;) {
        const seen = table[2 * slot];
        if (seen === key || seen === EMPTY) return 2 * slot;
        slot += 1;
        if (slot < slots) continue;
        if (++round === 2) throw new RangeError(`no free slot: more than the ${n} keys that the table was made for`);
        slot = 0;
      }
    };
    return {
      clear: () => table.fill(EMPTY),
      insert(keys, values) {
        for (let i = 0; i < keys.length; i++) {
          const at = locate(keys[i] as number);
          table[at] = keys[i] as number;
          table[at + 1] = values[i] as number;
        }
      },
      find(queries, results) {
        for (let i = 0; i < queries.length; i++) {
          const at = locate(queries[i] as number);
          results[i] = table[at] === EMPTY ? EMPTY : (table[at + 1] as number);
        }
      },
    };
  },
};

/** All CPU tables. */
export const cpuTables: readonly CpuTableType[] = [jsMap, typedArray];
