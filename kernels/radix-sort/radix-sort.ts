import { bulk, itemStep, Status } from "../common/bulk.js";
import { variant } from "../common/steps.js";
import type { Owner } from "../device/owned.js";
import type { GpuTable, TableOptions, TableType } from "../table.js";
import { RadixSort, scratchBytes } from "./sort.js";

const PAIR_BYTES = 8;

/** The sorted array that the hash tables of Alcantara's chapter are compared with. See README.md. */
export const radixSort: TableType = {
  id: "radix-sort",
  title: "Sorted array (radix sort)",
  source: "Alcantara et al., GPU Computing Gems 2011, 4.5.1",
  ops: ["insert", "find"],
  maxLoadFactor: 1,
  dense: true,
  duplicates: true,
  incremental: false,
  parameters: [],
  access: (op) =>
    op === "find"
      ? { pattern: "lookup4", why: "one random word of the values, the key, the result" }
      : // The histogram reads the keys, each pass reads and writes both; a copy moves 32.
        {
          pattern: "copy",
          times: (4 + 4 * 16) / 32,
          why: "68 bytes, read and written in a row: the keys, then four passes",
        },
  bytes: (n) => n * PAIR_BYTES + scratchBytes(n),
  held: (n) => n * PAIR_BYTES,
  create,
};

async function create(gpu: Owner, options: TableOptions): Promise<GpuTable> {
  const { counting } = options;
  const [finder, refused] = await Promise.all([
    variant(gpu, { file: "kernels/radix-sort/find.wgsl" }, counting),
    gpu.kernel({ file: "kernels/radix-sort/refused.wgsl" }),
  ]);
  const status = await Status.make(gpu);
  const rooms = gpu.kept(async (own, n: number) => ({
    keys: await own.alloc("sorted keys", n * 4),
    values: await own.alloc("sorted values", n * 4),
    sorter: await RadixSort.make(own, n, { counting }),
  }));
  let room = await rooms.get(options.n);
  /** Pairs in the array. */
  let pairs = 0;
  return {
    get slots() {
      return room.sorter.capacity;
    },
    get bytes() {
      return room.sorter.capacity * PAIR_BYTES;
    },
    sorted: true,
    async clear() {
      pairs = 0;
    },
    /** Replaces what was in the array. Keys that occur more than once are all kept: the array grows to hold the input. */
    async insert(run, { keys, values, n }) {
      pairs = 0;
      room = await rooms.get(n);
      const bindings = { 0: room.keys, 1: gpu.constant(n), 2: status.buffer };
      const steps = [...room.sorter.steps({ keys, values }, room, n), { kernel: refused, bindings, groups: 1 }];
      const { ns, status: words } = await run(steps, status.buffer);
      pairs = n;
      return { ns, count: words[0] ?? 0, restarts: 0 };
    },
    find(run, { keys, results, n }) {
      const bindings = { 0: room.keys, 1: room.values, 2: keys, 3: results, 4: gpu.constant(n, pairs) };
      return bulk(run, itemStep(finder, n, bindings));
    },
  };
}
