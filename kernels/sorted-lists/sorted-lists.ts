/** The sorted structures that the chapter's compacting and multivalue tables are compared with. See README.md. */

import { bulk, step } from "../common/bulk.js";
import { lazily, variant } from "../common/steps.js";
import { declare } from "../declare.js";
import { defineTable } from "../define.js";
import type { Owner } from "../device/owned.js";
import type { Description, GpuTable, Making, TableType, UnavoidableAccess } from "../table.js";
import { listBytes, sortedLists } from "./lists.js";

function sortedTable(
  about: Pick<Description, "id" | "title">,
  ranges: boolean,
  accesses: Readonly<Record<"insert" | "find", UnavoidableAccess>>,
): TableType {
  return defineTable({
    ...about,
    source: "Alcantara et al., GPU Computing Gems 2011, 4.5.2",
    parameters: declare({}),
    configure: () => ({
      ops: ["insert", "find"],
      answers: ranges ? "range" : "id",
      maxLoadFactor: 1,
      sizing: { dense: true },
      duplicates: true,
      incremental: false,
      access: (op) => accesses[op === "find" ? op : "insert"],
      bytes: (n) => listBytes(n, ranges),
      create: (gpu, making) => create(gpu, making, ranges),
    }),
  });
}

/** Keys, sorted, without repetition: a key's place is its id. */
export const sortedCompacting = sortedTable({ id: "sorted-compacting", title: "Sorted and compacted list" }, false, {
  find: { pattern: "lookup4", why: "one random key of the list, the query, the result" },
  // As for pairs (radix-sort.ts), without the values.
  insert: {
    pattern: "copy",
    times: (4 + 4 * 8) / 32,
    why: "36 bytes, read and written in a row: the keys, then four passes",
  },
});

/** Values, sorted by key, and where each key's are. */
export const sortedMultivalue = sortedTable({ id: "sorted-multivalue", title: "Sorted lists" }, true, {
  find: { pattern: "lookup8", why: "one random entry of the keys' information, the query, the result" },
  insert: {
    pattern: "copy",
    times: (4 + 4 * 16) / 32,
    why: "68 bytes, read and written in a row: the keys, then four passes",
  },
});

async function create(gpu: Owner, { n: slots, counting }: Making, ranges: boolean): Promise<GpuTable> {
  const lists = await sortedLists(gpu, slots, { ranges, counting });
  const source = {
    file: "kernels/sorted-lists/find.wgsl",
    conditions: { RANGES: ranges },
    bound: { list: lists.list, ...(lists.ofValues && { info: lists.ofValues.info }) },
    takes: ["queries", "results", "search"],
  } as const;
  const finder = lazily(() => variant(gpu, source, counting));
  return {
    slots,
    /** Of the keys and, with ranges, of the values and the ranges. */
    bytes: slots * (ranges ? 16 : 4),
    storage: { list: lists.ofValues?.values ?? lists.list },
    async clear() {
      lists.distinct = 0;
    },
    insert: (run, pairs) => lists.build(run, pairs),
    async find(run, { keys, results, n }) {
      const search = { queries: n, distinct: lists.distinct };
      return bulk(run, step(await finder(), n, { queries: keys, results, search }));
    },
  };
}
