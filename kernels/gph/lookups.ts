/** The two ways in which finds of GPH reach the cell index: parameter `index`. */
import { bulk, type Made, step } from "../common/bulk.js";
import { PrefixSum } from "../common/scan.js";
import { fillStep, lazily, rangeOf, WORKGROUP } from "../common/steps.js";
import { groupsOf } from "../common/warp.js";
import { dispatch } from "../device/bind.js";
import { UsageError } from "../device/errors.js";
import type { GpuTable, Lookups } from "../table.js";
import { laneStep, lookupKernel, type Specification, sourceOf } from "./kernels.js";

/** Finds with the cell index in global memory. */
export function cached(of: Specification): Made<Lookups> {
  return lazily(async () => {
    const kernel = await lookupKernel(of, of.params.perfect ? "find" : "find-two", ["queries", "results", "range"]);
    return ({ keys, results, n, first }) => [laneStep(kernel, n, { queries: keys, results, range: rangeOf(n, first) })];
  });
}

/** Queries a lane of route.wgsl. */
const ITEMS = 16;
/** Queries that a workgroup answers with the partition that it has loaded. */
const CHUNK = 2 ** 14;
/** Counters of a workgroup of route.wgsl. */
const MAX_PARTITIONS = 2048;
/** Largest partition, and what else may lie in a workgroup's memory: of virtual warps, and of counting variants. */
export const MAX_PARTITION_BYTES = 2 ** 15;
const OTHER_BYTES = 2 ** 13;

/** The largest power of two of bytes that a workgroup has room for. */
function partitionBytes(limits: Readonly<Record<string, number>>): number {
  const { maxComputeWorkgroupStorageSize: most = 2 ** 14 } = limits;
  let bytes = MAX_PARTITION_BYTES;
  while (bytes + OTHER_BYTES > most) bytes /= 2;
  return bytes;
}

/**
 * Finds with the cell index in workgroup memory: queries are brought to the partition that has their cell. Where that is done before the find, untimed,
 * its answers stand in the order of the routed queries, and go to their queries' places after it, untimed too. Throws a UsageError if
 * the cell index has too many partitions.
 */
export async function routed(specification: Specification): Promise<GpuTable["find"]> {
  const { gpu, params, sizes } = specification;
  const CELLS = (partitionBytes(gpu.info.limits) * 8) / params.cellBits;
  const PARTITIONS = Math.ceil(sizes.cells / CELLS);
  if (PARTITIONS > MAX_PARTITIONS) {
    throw new UsageError(`gph: a cell index of ${PARTITIONS} partitions; index "workgroup" takes ${MAX_PARTITIONS}`);
  }
  // By partition, one word more than there are.
  const starts = await gpu.alloc("gph starts of partitions", (PARTITIONS + 1) * 4);
  const placed = await gpu.alloc("gph placed queries", (PARTITIONS + 1) * 4);
  const constants = { CELLS, PARTITIONS, CHUNK, ITEMS };
  const of = { ...specification, bound: { ...specification.bound, starts, placed } };
  const route = { ...sourceOf(of, "route"), constants };
  const ORDERED = params.routing === "before";
  const kernels = lazily(() =>
    Promise.all([
      gpu.kernel({ ...route, entry: "count", takes: ["queries", "range"] }),
      gpu.kernel({ ...route, entry: "scatter", takes: ["queries", "range", "routed"] }),
      lookupKernel(of, "find-routed", ["results", "routed"], { constants, conditions: { ORDERED } }),
      PrefixSum.make(gpu),
      fillStep(gpu, starts, 0),
      fillStep(gpu, placed, 0),
    ]),
  );
  const restoring = lazily(() =>
    gpu.kernel({ ...route, entry: "restore", takes: ["answers", "range", "results", "routed"] }),
  );
  const room = gpu.kept((own, queries: number) => own.alloc("gph routed queries", queries * 8));
  const ordered = gpu.kept((own, queries: number) =>
    own.alloc("gph answers in the order of routed queries", queries * 4),
  );
  return async (run, { keys, results, n, first }) => {
    const range = rangeOf(n, first);
    const [count, scatter, { kernel }, prefixSum, ...zeroed] = await kernels();
    const routed = await room.get(Math.max(1, n));
    const groups = groupsOf(n, WORKGROUP * ITEMS);
    const route = [
      ...zeroed,
      dispatch(count, groups, { queries: keys, range }),
      ...prefixSum.steps(starts, PARTITIONS + 1),
      dispatch(scatter, groups, { queries: keys, range, routed }),
    ];
    const find = (results: GPUBuffer) => dispatch(kernel, Math.floor(n / CHUNK) + PARTITIONS, { results, routed });
    if (!ORDERED) return bulk(run, ...route, find(results));
    const answers = await ordered.get(Math.max(1, n));
    const restore = step(await restoring(), n, { answers, range, results, routed });
    await gpu.run(route);
    const result = await bulk(run, find(answers));
    await gpu.run([restore]);
    return result;
  };
}
