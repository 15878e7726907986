/** For the tests of the slab hash: a table of host arrays, and what its lists hold, slab by slab. */
import { Bulk } from "../../bench/verify/bulk.js";
import { DELETED, EMPTY } from "../common/steps.js";
import { createTable } from "../create.js";
import type { Gpu } from "../device/gpu.js";
import type { Owned, Owner } from "../device/owned.js";
import type { OpResult, Params, TableType } from "../table.js";
import { altered } from "../testing.js";
import type { SlabHash } from "./table.js";

const WORDS = 32;
/** Storage buffers that insertions bind beside the slabs, without counting. */
const OTHERS = 4;

/** The table, on a device that binds arrays of so many slabs: an allocator's array lies in so many of them at most. */
export function binding(type: TableType, slabs: number, banks: number): TableType {
  return altered(type, ({ create }) => ({
    create(own, making) {
      const limits = { ...own.info.limits, maxStorageBuffersPerShaderStage: banks + OTHERS + Number(making.counting) };
      const info = { ...own.info, limits };
      const small: Owner = Object.create(own, { maxBinding: { value: slabs * 128 }, info: { value: info } });
      return create(small, making);
    },
  }));
}

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
      await work(new Slabs(gpu, table as Owned<SlabHash>));
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
    const { pool } = this.table;
    const banks: Uint32Array[] = [];
    for (const buffer of Object.values(pool.slabs)) banks.push(await this.gpu.read(buffer, buffer.size / 4));
    const several = pool.allocator === "slab-alloc";
    const { BANK_BLOCKS = Number.POSITIVE_INFINITY } = pool.constants;
    const at = (slab: number) => {
      const bank = several ? Math.min(slab >>> 24, banks.length - 1) : Math.floor(slab / BANK_BLOCKS);
      const index = several ? slab & 0xffffff : slab - (bank && bank * BANK_BLOCKS);
      return (banks[bank] ?? new Uint32Array()).subarray(WORDS * index, WORDS * (index + 1));
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
