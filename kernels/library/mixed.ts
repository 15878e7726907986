/** Batches of insertions, searches and erasures, of tables that take them. */
import { UsageError } from "../device/errors.js";
import type { MixedBatch, MixedSlice } from "../table.js";
import { type BufferCheck, checkMembers, checkWhole, kindOf } from "./check.js";
import type { Having } from "./offers.js";
import type { Inserted } from "./types.js";

export function mixedOperations({ gpu, type, table, check, run, alive, inTurn }: Having) {
  if (!table.mixed || !type.ops.includes("mixed") || !type.incremental) return {};
  return {
    async mixed(batch: MixedBatch): Promise<Pick<Inserted, "refused">> {
      alive();
      const own = checkedBatch(check, `${gpu.label}.mixed`, batch);
      const slices = own.slices.filter((slice) => slice.count > 0);
      if (slices.length === 0) return { refused: 0 };
      return { refused: (await inTurn("mixed", async () => table.mixed?.(run, { ...own, slices })))?.count ?? 0 };
    },
  };
}

/** A copy. Throws a UsageError. */
export function checkedBatch({ apart, holds }: BufferCheck, whose: string, batch: MixedBatch): MixedBatch {
  checkMembers(whose, batch, ["kinds", "keys", "values", "results", "slices"]);
  const { slices, ...buffers } = batch;
  if (!Array.isArray(slices)) throw new UsageError(`${whose}: slices is ${kindOf(slices)}; it takes an array`);
  for (const slice of slices as readonly MixedSlice[]) {
    const { first, count: n } = checkMembers(`a slice of ${whose}`, slice, ["first", "count", "only"]);
    checkWhole(whose, "first", first);
    checkWhole(whose, "count", n);
    checkWhole(whose, "first + count", first + n);
  }
  apart(whose, buffers);
  const end = Math.max(0, ...batch.slices.map((slice) => slice.first + slice.count));
  for (const [name, buffer] of Object.entries(buffers)) holds(whose, { name, buffer, first: 0, end });
  return { ...buffers, slices: batch.slices.map((slice) => ({ ...slice })) };
}
