/** For the tests of GPH: a table of host arrays, and what its buckets hold. */
import { Bulk } from "../../bench/verify/bulk.js";
import { EMPTY } from "../common/steps.js";
import { createTable } from "../create.js";
import type { Gpu } from "../device/gpu.js";
import type { Owned } from "../device/owned.js";
import type { Params } from "../table.js";
import { type Gph, gph } from "./gph.js";
import { parameters } from "./parameters.js";

export class Buckets extends Bulk<Owned<Gph>> {
  private constructor(
    gpu: Gpu,
    table: Owned<Gph>,
    private readonly slotsPerBucket: number,
  ) {
    super(gpu, table);
  }

  /** Does `work` with a table for n pairs at a load factor at which some may be refused. */
  static async on(gpu: Gpu, n: number, loadFactor: number, given: Params, work: (it: Buckets) => Promise<void>) {
    const params: Params = { refusals: true, ...given };
    const table = await createTable(gph, gpu, { n, loadFactor, seed: 7, params, counting: false });
    try {
      await work(new Buckets(gpu, table as Owned<Gph>, parameters.of(params).M));
    } finally {
      table.destroy();
    }
  }

  /** The pairs in the table. Throws if a key is there twice, or a lock is held. */
  async pairs(): Promise<Map<number, number>> {
    const { locks } = this.table.memory;
    if ((await this.gpu.read(locks, locks.size / 4)).some((word) => word !== 0)) throw new Error("a lock is held");
    const words = await this.words();
    const pairs = new Map<number, number>();
    for (let at = 0; at < words.length; at += 2) {
      const [key = 0, value = 0] = [words[at], words[at + 1]];
      if (key === EMPTY) continue;
      if (pairs.has(key)) throw new Error(`key ${key} is stored twice`);
      pairs.set(key, value);
    }
    return pairs;
  }

  /** Of the buckets. */
  async words(): Promise<Uint32Array> {
    const { buckets } = this.table.memory;
    const banks = await Promise.all(buckets.map((bank) => this.gpu.read(bank, bank.size / 4)));
    return Uint32Array.from(banks.flatMap((bank) => [...bank]));
  }

  /** Buckets whose slots are all taken. */
  async full(): Promise<number> {
    const words = await this.words();
    const { slotsPerBucket: m } = this;
    return Array.from({ length: this.table.sizes.buckets }, (_, bucket) => bucket).filter((bucket) =>
      Array.from({ length: m }, (_, slot) => words[2 * (bucket * m + slot)]).every((key) => key !== EMPTY),
    ).length;
  }
}
