/** The two ways in which finds of GPH reach the cell index: parameter `index`. */
import { PrefixSum } from "../common/scan.js";
import { fillStep, lazily, WORKGROUP } from "../common/steps.js";
import { groupsOf } from "../common/warp.js";
import { dispatch } from "../device/bind.js";
import { UsageError } from "../device/errors.js";
import type { Kernel, Step } from "../device/gpu.js";
import type { Kept } from "../device/owned.js";
import type { Lookups } from "../table.js";
import { type Compiled, laneStep, lookupKernel, type Specification, sourceOf } from "./kernels.js";
import type { GphParams } from "./parameters.js";

/** The steps of a find, and those before them whose time is not its own. */
interface Steps {
  readonly untimed: readonly Step[];
  readonly timed: readonly Step[];
}

/** Makes the steps of a find. */
export interface Lookup {
  steps(lookups: Lookups): Promise<Steps>;
}

/** The cell index in global memory. */
export class Cached implements Lookup {
  private constructor(private readonly find: () => Promise<Compiled<"queries" | "results" | "n">>) {}

  static async make(of: Specification): Promise<Cached> {
    const name = of.params.perfect ? "find" : "find-two";
    return new Cached(lazily(() => lookupKernel(of, name, ["queries", "results", "n"])));
  }

  async steps({ keys, results, n }: Lookups): Promise<Steps> {
    return { untimed: [], timed: [laneStep(await this.find(), n, { queries: keys, results, n })] };
  }
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

/** What brings queries to partitions, and finds them there. */
interface Kernels {
  readonly count: Kernel<"queries" | "n">;
  readonly scatter: Kernel<"queries" | "n" | "routed">;
  readonly find: Kernel<"results" | "routed">;
  readonly prefixSum: PrefixSum;
  readonly zeroed: readonly Step[];
}

/** The cell index in workgroup memory: queries are brought to the partition that has their cell. */
export class Routed implements Lookup {
  private constructor(
    private readonly partitions: number,
    /** By partition, one word more than there are. */
    private readonly starts: GPUBuffer,
    private readonly kernels: () => Promise<Kernels>,
    private readonly routed: Kept<number, GPUBuffer>,
    private readonly routing: GphParams["routing"],
  ) {}

  /** Throws a UsageError if the cell index has too many partitions. */
  static async make(specification: Specification): Promise<Routed> {
    const { gpu, params, sizes } = specification;
    const CELLS = (partitionBytes(gpu.info.limits) * 8) / params.cellBits;
    const PARTITIONS = Math.ceil(sizes.cells / CELLS);
    if (PARTITIONS > MAX_PARTITIONS) {
      throw new UsageError(`gph: a cell index of ${PARTITIONS} partitions; index "workgroup" takes ${MAX_PARTITIONS}`);
    }
    const starts = await gpu.alloc("gph starts of partitions", (PARTITIONS + 1) * 4);
    const placed = await gpu.alloc("gph placed queries", (PARTITIONS + 1) * 4);
    const constants = { CELLS, PARTITIONS, CHUNK, ITEMS };
    const of = { ...specification, bound: { ...specification.bound, starts, placed } };
    const route = { ...sourceOf(of, "route"), constants };
    const kernels = lazily(async () => {
      const [count, scatter, { kernel: find }, prefixSum, ...zeroed] = await Promise.all([
        gpu.kernel({ ...route, entry: "count", takes: ["queries", "n"] }),
        gpu.kernel({ ...route, entry: "scatter", takes: ["queries", "n", "routed"] }),
        lookupKernel(of, "find-routed", ["results", "routed"], constants),
        PrefixSum.make(gpu),
        fillStep(gpu, starts, 0),
        fillStep(gpu, placed, 0),
      ]);
      return { count, scatter, find, prefixSum, zeroed };
    });
    const routed = gpu.kept((own, queries: number) => own.alloc("gph routed queries", queries * 8));
    return new Routed(PARTITIONS, starts, kernels, routed, params.routing);
  }

  async steps({ keys, results, n }: Lookups): Promise<Steps> {
    const { partitions } = this;
    const { count, scatter, find, prefixSum, zeroed } = await this.kernels();
    const routed = await this.routed.get(Math.max(1, n));
    const groups = groupsOf(n, WORKGROUP * ITEMS);
    const route = [
      ...zeroed,
      dispatch(count, groups, { queries: keys, n }),
      ...prefixSum.steps(this.starts, partitions + 1),
      dispatch(scatter, groups, { queries: keys, n, routed }),
    ];
    const own = dispatch(find, Math.floor(n / CHUNK) + partitions, { results, routed });
    return this.routing === "before" ? { untimed: route, timed: [own] } : { untimed: [], timed: [...route, own] };
  }
}
