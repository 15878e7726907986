/** How a partitioned build is made. */
import type { Build, PlannedTable } from "../common/planned.js";
import { groupsFor, PAIR_BYTES, variant } from "../common/steps.js";
import { dispatch } from "../device/bind.js";
import type { Owner } from "../device/owned.js";
import { lanesOn } from "./lanes.js";
import { allocBins, binBytes, geometryOf, LANE_PAIRS, NO_PLACES, passesFor } from "./passes.js";

/** Fewer pairs a slot are inserted one by one: a build writes all of the table. */
const LEAST_LOAD = 1 / 8;
/** Enough for a pair a lane of what 100 M pairs leave. */
const REST_GROUPS = 8192;
const WORD = 4;

export interface BuildOptions {
  /** Workgroups that insert what is left over, at most. Default: 8192. */
  readonly restGroups?: number;
}

/** @param whose as of `Partitioning` */
export async function makeBuild(
  gpu: Owner,
  whose: string,
  { sizes, conditions, fixed, slots, counting }: PlannedTable,
  { restGroups = REST_GROUPS }: BuildOptions = {},
): Promise<Build> {
  const { buckets, seed } = sizes;
  if (buckets === undefined || seed === undefined) throw new Error("partitioned: no buckets or no seed");
  const lanes = lanesOn(gpu.info);
  const geometry = (n: number) => geometryOf(Math.ceil(buckets / lanes), (n * lanes) / buckets, lanes);
  const ofTable = geometry(1);
  const { parts } = ofTable;
  const source = { sizes, fixed, conditions: { ...conditions, BUCKETED: false, QUOTIENT: false, [whose]: true } };
  const buildSource = {
    ...source,
    file: "kernels/partitioned/build.wgsl",
    constants: { LANES: lanes },
    takes: ["pairs", "counts", "counts_before", "table", "plan", "list", "status"] as const,
  };
  const [passes, build, rest] = await Promise.all([
    passesFor(gpu, ofTable, { sort: false, counting }),
    variant(gpu, buildSource, counting),
    variant(
      gpu,
      { ...source, file: "kernels/partitioned/rest.wgsl", takes: ["table", "seed", "list", "status"] },
      counting,
    ),
  ]);
  const rooms = gpu.kept(async (own, n: number) => {
    const made = geometry(n);
    return { made, bins: await allocBins(own, made), list: await own.alloc("pairs left over", n * PAIR_BYTES) };
  });
  return {
    takes(pairs) {
      const largest = Math.max(...binBytes(geometry(pairs)));
      return parts > 1 && parts <= lanes ** 2 && pairs >= LEAST_LOAD * slots && largest <= gpu.maxBinding;
    },
    async steps({ keys, values, n: all }, table, status, usual) {
      // The first pass reads four pairs at a time: of buffers that end within four, not the last ones.
      const room = Math.min(keys.size, values.size) >= Math.ceil(all / LANE_PAIRS) * LANE_PAIRS * WORD;
      const n = room ? all : all - (all % LANE_PAIRS);
      const { made, bins, list } = await rooms.get(n);
      const { first, second } = made;
      const { counts } = passes;
      const [before, ends] = second ? [counts.first, counts.second] : [counts.second, counts.first];
      const left = { list, status };
      return [
        ...passes.steps({ keys, values, n }, made, bins, { buckets, seed, shift: Math.log2(lanes) }, left),
        dispatch(build, parts, {
          pairs: bins.second,
          counts: ends,
          counts_before: before,
          table,
          plan: { ...NO_PLACES, pairs: n, buckets, seed, size_in: (second ?? first).size },
          ...left,
        }),
        dispatch(rest, Math.min(restGroups, groupsFor(n)), { table, seed, ...left }),
        ...(n < all ? (await usual())({ keys, values, n: all - n, first: n }) : []),
      ];
    },
  };
}
