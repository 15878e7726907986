/** Builds of a cleared table from pairs that are sorted by place first. See README.md. */
import type { Build, Plan, PlannedTable } from "../common/open-addressing.js";
import { groupsFor, variant, WORKGROUP } from "../common/steps.js";
import type { Owner } from "../device/owned.js";
import { RadixSort } from "../radix-sort/sort.js";
import type { Params, TableParameter, UnavoidableAccess } from "../table.js";

/** BUCKETS of image.wgsl: 16 KiB. */
const MAX_BUCKETS = 512;
/** Fewer pairs a slot are inserted one by one: a build writes all of the table. */
const LEAST_LOAD = 1 / 8;
/** Workgroups that insert what is left over. */
const REST_GROUPS = 4096;
const WORD = 4;

export const PARTITIONED: TableParameter = {
  ...{ name: "partitioned", default: false, values: [true, false] },
  meaning: "the first insertion sorts its pairs by place, and builds the table in parts in workgroup memory",
};

/**
 * Of an insertion into tables of 4 MiB to 1 GiB, which the sort takes two passes for: smaller ones move 16 bytes a pair less,
 * larger ones 16 more. A copy of four words reads and writes 32 bytes.
 */
export const partitionedAccess: UnavoidableAccess = {
  ...{ pattern: "copy", times: (4 + 2 * 16 + 4 + 8 + 10) / 32 },
  why: "58 bytes, read and written in a row: keys, two passes of pairs, hashes, pairs, the table at load factor 0.8",
};

/** Upper bits of a hash that tell the part, of tables of so many buckets. */
function partBits(buckets: number): number {
  return Math.max(0, Math.ceil(Math.log2(buckets / MAX_BUCKETS)));
}

/**
 * How such a build is made, if the parameters ask for it, for tables of 32-byte buckets the first of which is
 * floor(mix32(key ^ seed) · buckets / 2^32), sizes both.
 * @param whose Condition of build.wgsl and rest.wgsl: whose `place` and `insert` they call.
 */
export function partitionedBuild(whose: "BUCKETED" | "QUOTIENT", params: Params): Plan["build"] {
  return params[PARTITIONED.name] === true ? (gpu, table) => make(gpu, whose, table) : undefined;
}

async function make(
  gpu: Owner,
  whose: string,
  { sizes, conditions, fixed, slots, counting }: PlannedTable,
): Promise<Build> {
  const { buckets, seed } = sizes;
  if (buckets === undefined || seed === undefined) throw new Error("partitioned: no buckets or no seed");
  const bits = partBits(buckets);
  const [parts, shift] = [2 ** bits, 32 - bits];
  const source = { sizes, fixed, conditions: { ...conditions, BUCKETED: false, QUOTIENT: false, [whose]: true } };
  const [starts, build, rest] = await Promise.all([
    gpu.kernel({ file: "kernels/partitioned/starts.wgsl" }),
    variant(gpu, { ...source, file: "kernels/partitioned/build.wgsl" }, counting),
    variant(gpu, { ...source, file: "kernels/partitioned/rest.wgsl" }, counting),
  ]);
  const rooms = gpu.kept(async (own, n: number) => ({
    sorter: await RadixSort.make(own, n, { hashSeed: seed, counting }),
    sorted: {
      keys: await own.alloc("hashes by part", n * WORD),
      values: await own.alloc("values by part", n * WORD),
    },
    starts: await own.alloc("starts of parts", (parts + 1) * WORD),
  }));
  return {
    takes: (pairs) => bits > 0 && pairs >= LEAST_LOAD * slots,
    async steps({ keys, values, n }, buffer, status) {
      const room = await rooms.get(n);
      const { sorted } = room;
      // What the sort's first pass wrote is read no more.
      const list = room.sorter.scratch.keys;
      const plan = gpu.constant(n, parts, shift, buckets, seed);
      const startsBindings = { 0: sorted.keys, 1: room.starts, 2: plan };
      const shared = { 0: sorted.keys, 1: sorted.values, 2: room.starts, 3: buffer, 4: list, 5: status, 6: plan };
      const left = { 0: buffer, 4: status, 5: sorted.keys, 6: sorted.values, 7: room.starts, 8: list, 9: plan };
      return [
        ...room.sorter.steps({ keys, values }, sorted, n, bits, shift),
        { kernel: starts, bindings: startsBindings, groups: Math.floor(n / (4 * WORKGROUP)) + 1 },
        { kernel: build, bindings: shared, groups: parts },
        { kernel: rest, bindings: left, groups: Math.min(REST_GROUPS, groupsFor(n)) },
      ];
    },
  };
}
