/** Builds of a cleared table from pairs that are partitioned by place first. See README.md. */
import type { Build, Plan, PlannedTable } from "../common/open-addressing.js";
import { groupsFor, variant } from "../common/steps.js";
import type { DeviceInfo, Step } from "../device/gpu.js";
import type { Owner } from "../device/owned.js";
import type { Params, TableParameter, UnavoidableAccess } from "../table.js";

/** LANES of parts.wgsl, where the device has workgroups so large. */
const LANES = 512;
const LEAST_LANES = 256;
/** Pairs of a lane, in a tile and in a part. */
const LANE_PAIRS = 4;
/** Fewer pairs a slot are inserted one by one: a build writes all of the table. */
const LEAST_LOAD = 1 / 8;
/** Workgroups that insert what is left over: as many as an H200 has room for. */
const REST_GROUPS = 1024;
const WORD = 4;
const PAIR = 8;

export const PARTITIONED: TableParameter = {
  ...{ name: "partitioned", default: false, values: [true, false] },
  meaning: "the first insertion partitions its pairs by place, and builds the table in parts in workgroup memory",
};

/** Of an insertion into tables of more than 8 MiB, which take two passes. A copy of four words reads and writes 32 bytes. */
export const partitionedAccess: UnavoidableAccess = {
  ...{ pattern: "copy", times: (2 * 16 + 8 + 10) / 32 },
  why: "50 bytes, read and written in a row: two passes of pairs, pairs, the table at load factor 0.8",
};

/** A pass: its kernel's bins, how many of them there are in all, and pairs that each holds. */
interface Pass {
  readonly bins: number;
  readonly outputs: number;
  readonly size: number;
}

/** Passes for n pairs and so many buckets: the bins of the last one are the parts. */
interface Geometry {
  readonly lanes: number;
  readonly parts: number;
  readonly first: Pass;
  readonly second?: Pass;
}

/** Lanes of the workgroups. */
function lanesOn({ limits }: Pick<DeviceInfo, "limits">): number {
  return (limits.maxComputeInvocationsPerWorkgroup ?? 0) >= LANES ? LANES : LEAST_LANES;
}

/** So many, and six times their standard deviation, by so many at a time. */
function roomFor(mean: number, step: number): number {
  return Math.ceil((mean + 6 * Math.sqrt(mean)) / step) * step;
}

function geometryOf(n: number, buckets: number, lanes: number): Geometry {
  const parts = Math.ceil(buckets / lanes);
  const perPart = (n * lanes) / buckets;
  const size = Math.min(LANE_PAIRS * lanes, roomFor(perPart, 16));
  const atLeast = (outputs: number) => 2 ** Math.ceil(Math.log2(outputs));
  if (parts <= lanes) return { lanes, parts, first: { bins: atLeast(parts), outputs: parts, size } };
  const bins = 2 ** Math.ceil(Math.log2(parts) / 2);
  const outputs = Math.ceil(parts / bins);
  return {
    ...{ lanes, parts },
    first: { bins: atLeast(outputs), outputs, size: roomFor(perPart * bins, LANE_PAIRS * lanes) },
    second: { bins, outputs: outputs * bins, size },
  };
}

/** Bytes of the bins of a pass. */
const bytesOf = ({ outputs, size }: Pass) => outputs * size * PAIR;

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
  const lanes = lanesOn(gpu.info);
  const { parts, first, second } = geometryOf(1, buckets, lanes);
  const constants = { LANES: lanes };
  const counted = { ...constants, ...(counting && { GROUP_LANES: lanes }) };
  const subgroups = { SUBGROUPS: gpu.info.features.includes("subgroups") };
  const scatter = (isFirst: boolean, bins: number) =>
    variant(
      gpu,
      {
        file: "kernels/partitioned/scatter.wgsl",
        constants: { ...counted, BINS: bins },
        conditions: { ...subgroups, FIRST: isFirst },
      },
      counting,
    );
  const source = { sizes, fixed, conditions: { ...conditions, BUCKETED: false, QUOTIENT: false, [whose]: true } };
  const [toFirst, toSecond, build, rest] = await Promise.all([
    scatter(true, first.bins),
    second ? scatter(false, second.bins) : undefined,
    variant(gpu, { ...source, file: "kernels/partitioned/build.wgsl", constants: counted }, counting),
    variant(gpu, { ...source, file: "kernels/partitioned/rest.wgsl" }, counting),
  ]);
  const counts = {
    first: await gpu.alloc("counts of the first pass", lanes * WORD),
    second: await gpu.alloc("counts of parts", Math.max(parts, second?.outputs ?? 0) * WORD),
  };
  const rooms = gpu.kept(async (own, n: number) => {
    const geometry = geometryOf(n, buckets, lanes);
    const passes = [geometry.first, ...(geometry.second ? [geometry.second] : [])];
    const bins: GPUBuffer[] = [];
    for (const pass of passes) bins.push(await own.alloc("pairs by part", bytesOf(pass)));
    return { geometry, bins, list: await own.alloc("pairs left over", n * WORD) };
  });
  return {
    takes(pairs) {
      const all = geometryOf(pairs, buckets, lanes);
      const largest = Math.max(bytesOf(all.first), all.second ? bytesOf(all.second) : 0);
      return parts > 1 && parts <= lanes ** 2 && pairs >= LEAST_LOAD * slots && largest <= gpu.maxBinding;
    },
    async steps({ keys, values, n }, table, status) {
      const { geometry, bins, list } = await rooms.get(n);
      const { first, second } = geometry;
      const [firstBins, secondBins = firstBins] = bins;
      if (!firstBins || !secondBins) throw new Error("partitioned: no bins");
      const partBins = second ?? first;
      const [before, ends] = second ? [counts.first, counts.second] : [counts.second, counts.first];
      const shift = Math.log2(lanes);
      const left = { 4: list, 5: status };
      const steps: Step[] = [
        {
          kernel: toFirst,
          bindings: {
            ...{ 0: keys, 1: values, 2: firstBins, 3: counts.first, ...left },
            6: gpu.constant(n, buckets, seed, second ? shift + Math.log2(second.bins) : shift, 0, 0, 0, first.size),
          },
          groups: Math.ceil(n / (LANE_PAIRS * lanes)),
        },
      ];
      if (second && toSecond) {
        const tiles = first.size / (LANE_PAIRS * lanes);
        steps.push({
          kernel: toSecond,
          bindings: {
            ...{ 0: firstBins, 1: counts.first, 2: secondBins, 3: counts.second, ...left },
            6: gpu.constant(n, buckets, seed, shift, first.outputs, first.size, tiles, second.size),
          },
          groups: first.outputs * tiles,
        });
      }
      steps.push(
        {
          kernel: build,
          bindings: {
            ...{ 0: secondBins, 1: ends, 2: before, 3: table, ...left },
            6: gpu.constant(n, buckets, seed, 0, 0, partBins.size, 0, 0),
          },
          groups: parts,
        },
        {
          kernel: rest,
          bindings: {
            ...{ 0: table, 4: status, 5: list, 6: keys, 7: values, 8: firstBins, 9: secondBins },
            10: gpu.constant(seed),
          },
          groups: Math.min(REST_GROUPS, groupsFor(n)),
        },
      );
      return steps;
    },
  };
}
