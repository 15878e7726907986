/** Whether a flush leaves what it should. */
import type { GpuTable, Occupancy } from "../../kernels/table.js";
import { type Bulk, lacking, Mismatch } from "./bulk.js";

async function occupancyOf(table: GpuTable): Promise<Occupancy> {
  return (await table.nodes?.occupancy()) ?? lacking("occupancy");
}

/** Does work with an empty table that was made as another one. */
export type OnAnother = <T>(work: (bulk: Bulk) => Promise<T>) => Promise<T>;

/**
 * Flushes a table of these pairs. Throws Mismatch if it has others then, or not the fewest nodes that hold them, which are those
 * of a new table into which they were inserted. The same if what it says, or its allocator, differs from what the lists have.
 */
export async function checkFlush(
  { run, table }: Bulk,
  pairs: readonly (readonly [key: number, value: number])[],
  onAnother: OnAnother,
): Promise<void> {
  const before = await occupancyOf(table);
  const { count } = (await table.nodes?.flush?.(run)) ?? lacking("flush");
  const after = await occupancyOf(table);
  const wrong = (what: string) => new Mismatch(`flush: ${what}`);
  if (before.pairs !== pairs.length) throw wrong(`${before.pairs} pairs before it, expected ${pairs.length}`);
  if (after.pairs !== pairs.length) throw wrong(`${after.pairs} pairs after it, expected ${pairs.length}`);
  const freed = before.nodes - after.nodes;
  if (count !== freed) throw wrong(`said that it freed ${count} nodes, the lists have ${freed} fewer`);
  const least = await onAnother(async (other) => {
    const refused = await other.insert(
      pairs.map(([key]) => key),
      pairs.map(([, value]) => value),
    );
    if (refused.count > 0) throw wrong(`a new table refused ${refused.count} of ${pairs.length} pairs`);
    return (await occupancyOf(other.table)).nodes;
  });
  if (after.nodes !== least) throw wrong(`left ${after.nodes} nodes, the pairs need ${least}`);
  const allocated = (await table.nodes?.allocated?.()) ?? after.nodes - after.lists;
  if (allocated + after.lists !== after.nodes) {
    throw wrong(`the allocator has ${allocated} nodes in use, the lists ${after.nodes - after.lists}`);
  }
}
