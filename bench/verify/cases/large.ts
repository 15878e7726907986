/**
 * Tables of the sizes that are timed, at which they use other layouts, more passes or several buffers. Keys are made, and answers
 * checked, on the device.
 */
import { KEY_SPACE, keyConstants } from "../../../datasets/random.js";
import { fillStep } from "../../../kernels/common/steps.js";
import { createTable } from "../../../kernels/create.js";
import { DoesNotFit, UsageError } from "../../../kernels/device/errors.js";
import type { Gpu } from "../../../kernels/device/gpu.js";
import { type Owner, scoped } from "../../../kernels/device/owned.js";
import type { GpuTable, Pairs, RunSteps, TableType } from "../../../kernels/table.js";
import { whole } from "../../base/format.js";
import { type DeviceKeys, loadKeys, partsOf } from "../../scenarios/workload/keys.js";
import { type DeviceLookups, deviceLookups, writeValues } from "../../scenarios/workload/workload.js";
import { Mismatch } from "../bulk.js";
import { type Case, Inconclusive, isSlow } from "../case.js";
import { ran } from "../tally.js";

const LOAD_FACTOR = 0.8;
const SEED = 77;
/** Keys that lookups ask for at a time: more would need as much memory as the table. */
const MOST_LOOKUPS = 2 ** 27;
/** On a software adapter about ten seconds' work. */
const MOST_WHERE_SLOW = 2 ** 22;

const answersInPlace = ({ answers }: TableType) =>
  !answers || answers === "member" ? "" : `answers with a place in a list, by ${answers}`;

/** A little beyond the threshold: the size is rounded. */
const beyond = (pairs: number) => Math.ceil(pairs * 1.01) + 17;

/** As many as any table has. */
const THRESHOLDS = ["first", "second", "third"];

export const cases: readonly Case[] = [
  ...THRESHOLDS.map((which, i) => ({
    name: `pairs beyond the ${which} number from which on it works in another way`,
    core: true,
    applies: (type: TableType) =>
      answersInPlace(type) || (i < type.thresholds.length ? "" : "works in the same way at all sizes beyond"),
    async check(gpu: Gpu, type: TableType) {
      const n = beyond(type.thresholds[i] ?? 0);
      if (isSlow(gpu, type) && n > MOST_WHERE_SLOW) throw tooSlow(n);
      await large(gpu, type, n);
    },
  })),
  sized("a table beyond the caches", () => 2 ** 24 + 12_345),
  { ...sized("a hundred million pairs", () => 100_000_000), large: true },
  {
    ...sized("a table larger than the largest binding", (gpu, type) => pairsBeyond(gpu.maxBinding, type)),
    large: true,
  },
];

function sized(name: string, pairs: (gpu: Gpu, type: TableType) => number): Case {
  return {
    name,
    applies: answersInPlace,
    async check(gpu, type) {
      const n = pairs(gpu, type);
      if (isSlow(gpu, type)) throw tooSlow(n);
      if (n > KEY_SPACE / 2) throw new Inconclusive(`${n} pairs: there are not so many keys`);
      try {
        await large(gpu, type, n);
      } catch (error) {
        if (!(error instanceof DoesNotFit || error instanceof UsageError)) throw error;
        throw new Inconclusive(error.message);
      }
    },
  };
}

const tooSlow = (n: number) => new Inconclusive(`${whole(n)} pairs take minutes here`);

/** So many pairs that the table itself, without what operations take beside it, takes a quarter more than that, or, in powers of two, twice as much. */
export function pairsBeyond(bytes: number, { held, safeLoadFactor }: TableType): number {
  const loadFactor = Math.min(LOAD_FACTOR, safeLoadFactor);
  const probe = 2 ** 20;
  const n = Math.ceil((1.25 * bytes * probe) / held(probe, loadFactor));
  return held(n, loadFactor) > 1.2 * bytes ? n : 2 * n;
}

/** Inserts n pairs, replaces their values and erases half of them, as far as the table has that; asks for all keys after each. */
async function large(gpu: Gpu, type: TableType, n: number): Promise<void> {
  await scoped(gpu, async (own) => {
    const loadFactor = type.dense ? 1 : Math.min(LOAD_FACTOR, type.safeLoadFactor);
    const table = await createTable(type, own, { n, loadFactor, seed: SEED, params: {}, counting: false });
    await table.clear();
    const work = new Large(own, type, table, await loadKeys(own, "random", n, SEED, type.incremental));
    await work.insert(1);
    await work.expect(1);
    const replaces = type.duplicates && type.incremental;
    if (replaces) {
      await work.insert(2);
      await work.expect(2);
    }
    if (!type.ops.includes("erase") || work.data.inParts) return;
    const half = n >>> 1;
    await work.erase(half);
    await work.expect(replaces ? 2 : 1, half);
  });
}

class Large {
  private readonly run: RunSteps = (...pass) => this.gpu.time(...pass);

  constructor(
    private readonly gpu: Owner,
    private readonly type: TableType,
    private readonly table: GpuTable,
    readonly data: DeviceKeys,
  ) {}

  async insert(salt: number): Promise<void> {
    for (const { keys, n } of partsOf(this.data)) {
      await scoped(this.gpu, async (own) => {
        const pairs: Pairs = { keys, values: await own.alloc("values", n * 4), n };
        await writeValues(own, keys, pairs.values, n, salt);
        ran(n);
        const { count } = await this.table.insert(this.run, pairs);
        if (count > 0) throw new Mismatch(`insert refused ${count} of ${n} pairs`);
      });
    }
  }

  async erase(n: number): Promise<void> {
    ran(n);
    const erased = (await this.table.erase?.(this.run, { keys: this.data.keys, n }))?.count;
    if (erased !== n) throw new Mismatch(`erase said ${erased} keys, expected ${n}`);
  }

  /** Asks for all keys, of which the first `gone` are erased and the others have values of that salt, and for many that were never inserted. */
  async expect(salt: number, gone = 0): Promise<void> {
    const { n } = this.data;
    if (gone > 0) await this.ask(0, gone, null, 1);
    await this.ask(gone, n - gone, salt, 1);
    await this.ask(0, gone > 0 ? gone : n, gone > 0 ? null : salt, 0);
  }

  /** @param salt of the values of n keys from `first` on; null: they are absent */
  private async ask(first: number, n: number, salt: number | null, positiveRatio: number): Promise<void> {
    const { data } = this;
    for (let at = first; at < first + n; at += MOST_LOOKUPS) {
      const lookups = Math.min(MOST_LOOKUPS, first + n - at);
      const inParts = { parts: [], first: at, constants: keyConstants(SEED) };
      const asked = { ...data, n: lookups, unique: lookups, inParts };
      await scoped(this.gpu, async (own) => {
        const options = { lookups, positiveRatio, seed: SEED, eachOnce: positiveRatio === 1 };
        const made = await deviceLookups(own, asked, options);
        await made.poison();
        ran(lookups);
        await this.table.find(this.run, made);
        const wrong = await this.check(own, made, at, salt);
        if (wrong) throw new Mismatch(wrong);
      });
    }
  }

  private async check(own: Owner, made: DeviceLookups, first: number, salt: number | null): Promise<string> {
    if (salt === null) return made.checkAllAbsent();
    const { type, data } = this;
    if (type.keysOnly) {
      if (first > 0) throw new Inconclusive("without values the keys of one buffer can be checked, no more");
      return made.check(salt, data.keys);
    }
    if (type.answers !== "member") return made.check(salt);
    const ones = await own.alloc("known answers", made.n * 4);
    await own.run([await fillStep(own, ones, 1)]);
    return made.check(salt, ones);
  }
}
