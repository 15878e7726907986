/** The sorted structures that the chapter's compacting and multivalue tables are compared with. See README.md. */

import { bulk, step } from "../common/bulk.js";
import { variant } from "../common/steps.js";
import type { Owner } from "../device/owned.js";
import type { GpuTable, TableOptions, TableType } from "../table.js";
import { listBytes, SortedLists } from "./lists.js";

const shared = {
  source: "Alcantara et al., GPU Computing Gems 2011, 4.5.2",
  ops: ["insert", "find"],
  maxLoadFactor: 1,
  dense: true,
  duplicates: true,
  incremental: false,
  parameters: [],
} satisfies Partial<TableType>;

/** Keys, sorted, without repetition: a key's place is its id. */
export const sortedCompacting: TableType = {
  ...shared,
  id: "sorted-compacting",
  title: "Sorted and compacted list",
  answers: "id",
  access: (op) =>
    op === "find"
      ? { pattern: "lookup4", why: "one random key of the list, the query, the result" }
      : // As for pairs (radix-sort.ts), without the values.
        {
          pattern: "copy",
          times: (4 + 4 * 8) / 32,
          why: "36 bytes, read and written in a row: the keys, then four passes",
        },
  bytes: (n) => listBytes(n, false),
  create: (gpu, options) => create(gpu, options, false),
};

/** Values, sorted by key, and where each key's are. */
export const sortedMultivalue: TableType = {
  ...shared,
  id: "sorted-multivalue",
  title: "Sorted lists",
  answers: "range",
  access: (op) =>
    op === "find"
      ? { pattern: "lookup8", why: "one random entry of the keys' information, the query, the result" }
      : {
          pattern: "copy",
          times: (4 + 4 * 16) / 32,
          why: "68 bytes, read and written in a row: the keys, then four passes",
        },
  bytes: (n) => listBytes(n, true),
  create: (gpu, options) => create(gpu, options, true),
};

async function create(gpu: Owner, { n: slots, counting }: TableOptions, ranges: boolean): Promise<GpuTable> {
  const lists = await SortedLists.make(gpu, slots, { ranges, counting });
  const finder = await variant(
    gpu,
    {
      file: "kernels/sorted-lists/find.wgsl",
      conditions: { RANGES: ranges },
      bound: { list: lists.list, ...(ranges && { info: lists.info }) },
      takes: ["queries", "results", "search"],
    },
    counting,
  );
  return {
    slots,
    /** Of the keys and, with ranges, of the values and the ranges. */
    bytes: slots * (ranges ? 16 : 4),
    list: ranges ? lists.values : lists.list,
    async clear() {
      lists.distinct = 0;
    },
    insert: (run, pairs) => lists.build(run, pairs),
    find(run, { keys, results, n }) {
      const search = { queries: n, distinct: lists.distinct };
      return bulk(run, step(finder, n, { queries: keys, results, search }));
    },
  };
}
