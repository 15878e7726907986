/** The operations of a table that answer with a promise. */
import { UsageError } from "../device/errors.js";
import type { Owned } from "../device/owned.js";
import type { Erasures, GpuTable, Lookups, MixedBatch, Pairs, RunSteps, TableType } from "../table.js";
import { bufferCheck } from "./check.js";
import type { UserDevice } from "./device.js";
import type { Erased, Inserted } from "./types.js";

/** @param type with the table's own parameters */
export function promises(gpu: UserDevice, type: TableType, table: Owned<GpuTable>, capacity: number) {
  const run: RunSteps = (...pass) => gpu.time(...pass);
  const check = bufferCheck(gpu.device.limits);
  const { ops, incremental } = type;
  let last: Promise<unknown> = Promise.resolve();
  /** Operations that were called and have not ended. */
  let under = 0;
  let destroyed = false;
  /** An insertion was made since the table was cleared. */
  let built = false;
  const gone = () => new UsageError("the table was destroyed");
  const free = () => {
    table.destroy();
    gpu.destroy();
  };
  /** After what was called before. What is under way when the table is destroyed ends first. */
  const next = <T>(work: () => Promise<T>): Promise<T> => {
    if (destroyed) return Promise.reject(gone());
    under++;
    const done = last.then(() => {
      if (destroyed) throw gone();
      return work();
    });
    const ended = () => {
      under--;
      if (destroyed && under === 0) free();
    };
    last = done.then(ended, ended);
    return done;
  };
  const cleared = () => {
    built = false;
  };
  const clear = async () => {
    await table.clear();
    cleared();
  };
  /** Throws a UsageError for pairs of which the table cannot be built, or not now. */
  const begin = ({ first = 0 }: Pairs) => {
    if (!incremental) {
      if (first !== 0) throw new UsageError(`${type.id}: first is ${first}; a build begins with the first pair`);
      if (built) throw new UsageError(`${type.id}: an insertion builds the table, which has to be cleared before`);
    }
    built = true;
  };
  const { erase, mixed } = table;
  const operations = {
    capacity,
    get slots() {
      return table.slots;
    },
    get bytes() {
      return table.bytes;
    },
    clear: () => next(clear),
    insert: (pairs: Pairs): Promise<Inserted> =>
      next(async () => {
        check.pairs(pairs);
        const { n } = pairs;
        if (n === 0) return { stored: 0, refused: 0 };
        begin(pairs);
        const { count } = await table.insert(run, pairs);
        // A build that was given up may have left some of its pairs.
        if (!incremental && count === n) await clear();
        return { stored: n - count, refused: count };
      }),
    find: (lookups: Lookups): Promise<void> =>
      next(async () => {
        check.lookups(lookups);
        if (lookups.n > 0) await table.find(run, lookups);
      }),
    ...(erase &&
      ops.includes("erase") && {
        erase: (keys: Erasures): Promise<Erased> =>
          next(async () => {
            check.erasures(keys);
            if (keys.n === 0) return { erased: 0 };
            const { count } = await erase.call(table, run, keys);
            return { erased: count };
          }),
      }),
    ...(mixed &&
      ops.includes("mixed") &&
      incremental && {
        mixed: (batch: MixedBatch): Promise<Pick<Inserted, "refused">> =>
          next(async () => {
            check.batch(batch);
            const slices = batch.slices.filter((slice) => slice.count > 0);
            if (slices.length === 0) return { refused: 0 };
            const { count } = await mixed.call(table, run, { ...batch, slices });
            return { refused: count };
          }),
      }),
    destroy() {
      if (destroyed) return;
      destroyed = true;
      if (under === 0) free();
    },
  };
  return {
    operations,
    state: {
      /** Throws a UsageError where the table was destroyed. */
      alive() {
        if (destroyed) throw gone();
      },
      begin,
      cleared,
    },
  };
}

/** What promises and recorded operations know of a table in common. */
export type TableState = ReturnType<typeof promises>["state"];
