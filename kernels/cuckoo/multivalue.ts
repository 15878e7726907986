/** The multivalue table of section 4.4: lists of the values by key, and a cuckoo table of the keys. See README.md. */

import { fixed } from "../declare.js";
import { defineTable } from "../define.js";
import type { Owner } from "../device/owned.js";
import { listBytes, sortedLists } from "../sorted-lists/lists.js";
import type { GpuTable, Making } from "../table.js";
import { type CuckooParams, cuckooTraits, openCuckoo, parameters, slotsFor } from "./cuckoo.js";

export const cuckooMultivalue = defineTable({
  id: "cuckoo-multivalue",
  title: "Multivalue cuckoo",
  source: "Alcantara et al., GPU Computing Gems 2011, 4.4",
  parameters: fixed(parameters, { workgroup: 256 }),
  configure(params) {
    const { maxLoadFactor, bytes } = cuckooTraits(params);
    return {
      ops: ["insert", "find"],
      answers: "range",
      maxLoadFactor,
      duplicates: true,
      incremental: false,
      access: (op) =>
        op === "find"
          ? {
              pattern: "lookup8",
              why: "one 8-byte slot, the key, the result (the entry of the keys' information not counted)",
            }
          : {
              pattern: "copy",
              times: (4 + 4 * 16) / 32,
              why: "68 bytes of the sort, read and written in a row: the keys, then four passes",
            },
      // If no key repeats.
      bytes: (n, loadFactor) => listBytes(n, true) + n * 4 + bytes(n, loadFactor),
      create: (gpu, making) => create(gpu, making, params),
    };
  },
});

async function create(gpu: Owner, options: Making, params: CuckooParams): Promise<GpuTable> {
  const { n, loadFactor, counting } = options;
  const lists = await sortedLists(gpu, n, { ranges: true, counting });
  const { ofValues } = lists;
  if (!ofValues) throw new Error("sorted lists without values");
  // The ids that the keys get.
  const numbers = await gpu.alloc("numbers", Math.max(1, n) * 4);
  const counted = new Uint32Array(n);
  // `from` takes far longer.
  for (let i = 0; i < n; i++) counted[i] = i;
  gpu.write(numbers, 0, counted);
  /** The cleared table of the keys and their ids, as large as the number of keys asks for. */
  const index = gpu.kept(
    async (own, keys: number) => {
      const table = await openCuckoo(own, { ...options, n: keys }, params);
      await table.clear();
      return table;
    },
    (has, wanted) => has === wanted,
  );
  const slots = (): number => index.now?.slots ?? slotsFor(n, loadFactor, params);
  return {
    /** As many as the different keys of the last build need. */
    get slots() {
      return slots();
    },
    /** Of the cuckoo table, the keys' information and the values. */
    get bytes() {
      return slots() * 8 + lists.distinct * 8 + n * 4;
    },
    storage: { list: ofValues.values },
    clear: async () => index.now?.clear(),
    /** Lists, then the cuckoo table; making it is not timed. */
    async insert(run, pairs) {
      const listed = await lists.build(run, pairs);
      const { distinct } = listed;
      const table = await index.get(distinct);
      const built = await table.insert(run, { keys: lists.list, values: numbers, n: distinct });
      return {
        ns: listed.ns + built.ns,
        count: built.count > 0 ? pairs.n : listed.count,
        distinct,
        restarts: built.restarts,
      };
    },
    async find(run, { keys, results, n: queries }) {
      const table = index.now ?? (await index.get(0));
      return table.ask(run, "find-range", queries, { keys, results, info: ofValues.info });
    },
  };
}
