/** For the tests of the slab hash: a table of host arrays, and what its lists hold, slab by slab. */
import { Bulk } from "../../bench/verify/harness.js";
import { DELETED, EMPTY } from "../common/steps.js";
import { createTable } from "../create.js";
import type { Gpu } from "../device/gpu.js";
import type { Owned } from "../device/owned.js";
import type { OpResult, Params, TableType } from "../table.js";
import { SlabHash } from "./table.js";

const WORDS = 32;

export interface Lists {
  /** Each list's slots up to its end, (key, value), or (key, 1) of a set; EMPTY and DELETED ones too. */
  readonly slots: readonly (readonly (readonly [number, number])[])[];
  /** Slabs of each list. */
  readonly slabs: readonly number[];
}

export class Slabs extends Bulk<Owned<SlabHash>> {
  /** Does `work` with a table for n pairs at utilisation 0.6. */
  static async on(gpu: Gpu, type: TableType, n: number, params: Params, work: (it: Slabs) => Promise<void>) {
    const table = await createTable(type, gpu, { n, loadFactor: 0.6, seed: 7, params, counting: false });
    try {
      if (!(table instanceof SlabHash)) throw new Error("no slab hash");
      await work(new Slabs(gpu, table));
    } finally {
      table.destroy();
    }
  }

  flush(): Promise<OpResult> {
    return this.table.nodes.flush(this.run);
  }

  /** Slabs of the pool that are in use, by its bits. */
  async allocated(): Promise<number> {
    return (await this.table.pool.used()) ?? 0;
  }

  /** Reads every slab, and follows every list. Throws if two lists, or two places of one, share a slab. */
  async lists(): Promise<Lists> {
    const arrays = new Map<string, Uint32Array>();
    for (const [name, buffer] of Object.entries(this.table.pool.slabs)) {
      arrays.set(name, await this.gpu.read(buffer, buffer.size / 4));
    }
    const several = arrays.size > 1;
    const at = (slab: number) => {
      const bank = slab >>> 24 < 4 ? `bank${slab >>> 24}` : "last_bank";
      const array = several ? bank : "table";
      const index = several ? slab & 0xffffff : slab;
      return (arrays.get(array) ?? new Uint32Array()).subarray(WORDS * index, WORDS * (index + 1));
    };
    const seen = new Set<number>();
    const pitch = this.table.pairBytes / 4;
    const [slots, slabs]: [[number, number][][], number[]] = [[], []];
    for (let bucket = 0; bucket < this.table.buckets; bucket++) {
      const list: [number, number][] = [];
      let slab = several ? ((0xfe << 24) | bucket) >>> 0 : bucket;
      for (slabs[bucket] = 0; slab !== EMPTY; slabs[bucket] = (slabs[bucket] ?? 0) + 1) {
        if (seen.has(slab)) throw new Error(`slab ${slab.toString(16)} is linked twice`);
        seen.add(slab);
        const words = at(slab);
        for (let i = 0; i < 30; i += pitch) list.push([words[i] ?? 0, pitch === 1 ? 1 : (words[i + 1] ?? 0)]);
        slab = words[31] ?? 0;
      }
      slots.push(list);
    }
    return { slots, slabs };
  }

  /** The pairs that are in the table. Throws if a key is there twice. */
  async pairs(): Promise<Map<number, number>> {
    const pairs = new Map<number, number>();
    for (const [key, value] of (await this.lists()).slots.flat()) {
      if (key >= DELETED) continue;
      if (pairs.has(key)) throw new Error(`key ${key} is stored twice`);
      pairs.set(key, value);
    }
    return pairs;
  }
}
