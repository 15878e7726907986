/** The two ways in which finds of GPH reach the cell index: parameter `index`. */
import { PrefixSum } from "../common/scan.js";
import { WORKGROUP } from "../common/steps.js";
import { groupsOf } from "../common/warp.js";
import { UsageError } from "../device/errors.js";
import type { Step } from "../device/gpu.js";
import type { Kept, Owner } from "../device/owned.js";
import type { Lookups } from "../table.js";
import {
  type Compiled,
  findKernel,
  type Router,
  routedFindKernel,
  routeKernels,
  type Specification,
} from "./kernels.js";

export const INDEXES = ["cache", "workgroup"] as const;

/** Steps of a find, with what they bind beside buckets (0) and cell index (5). */
export interface Lookup {
  steps(lookups: Lookups, table: Step["bindings"]): Promise<readonly Step[]>;
}

/** The cell index in global memory. */
export class Cached implements Lookup {
  constructor(
    private readonly gpu: Owner,
    private readonly find: Compiled,
  ) {}

  static async make(gpu: Owner, specification: Specification): Promise<Cached> {
    return new Cached(gpu, await findKernel(specification));
  }

  async steps({ keys, results, n }: Lookups, table: Step["bindings"]): Promise<readonly Step[]> {
    const { kernel, groupLanes } = this.find;
    return [
      { kernel, bindings: { ...table, 1: keys, 2: results, 3: this.gpu.constant(n) }, groups: groupsOf(n, groupLanes) },
    ];
  }
}

/** Queries a lane of route.wgsl: ITEMS. */
const ROUTED_ITEMS = 16;
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

/** The cell index in workgroup memory: queries are brought to the partition that has their cell, which is part of the find. */
export class Routed implements Lookup {
  private readonly routed: Kept<number, GPUBuffer>;

  constructor(
    private readonly gpu: Owner,
    private readonly partitions: number,
    /** By partition: queries, and how many have their place. */
    private readonly starts: GPUBuffer,
    private readonly placed: GPUBuffer,
    private readonly prefixSum: PrefixSum,
    private readonly router: Router,
    private readonly zero: (buffer: GPUBuffer) => Step,
  ) {
    this.routed = gpu.kept((own, queries: number) => own.alloc("gph routed queries", queries * 8));
  }

  /** Throws a UsageError if the cell index has too many partitions. */
  static async make(gpu: Owner, specification: Specification): Promise<Routed> {
    const cells = (partitionBytes(gpu.info.limits) * 8) / Number(specification.options.params.cellBits);
    const partitions = Math.ceil(specification.sizes.cells / cells);
    if (partitions > MAX_PARTITIONS) {
      throw new UsageError(`gph: a cell index of ${partitions} partitions; index "workgroup" takes ${MAX_PARTITIONS}`);
    }
    const starts = await gpu.alloc("gph starts of partitions", (partitions + 1) * 4);
    const placed = await gpu.alloc("gph placed queries", (partitions + 1) * 4);
    const constants = { CELLS: cells, PARTITIONS: partitions, CHUNK };
    const [router, find, prefixSum] = await Promise.all([
      routeKernels(specification, constants),
      routedFindKernel(specification, constants),
      PrefixSum.make(gpu),
    ]);
    const fill = await gpu.kernel({ file: "kernels/common/fill.wgsl", sizes: { word: 0 } });
    const zero = (buffer: GPUBuffer): Step => ({
      kernel: fill,
      bindings: { 0: buffer },
      groups: groupsOf(buffer.size / 16, WORKGROUP),
    });
    return new Routed(gpu, partitions, starts, placed, prefixSum, { ...router, find }, zero);
  }

  async steps({ keys, results, n }: Lookups, table: Step["bindings"]): Promise<readonly Step[]> {
    const { starts, placed, partitions, router } = this;
    const routed = await this.routed.get(Math.max(1, n));
    const counting = { 1: keys, 3: this.gpu.constant(n), 7: starts };
    const groups = groupsOf(n, WORKGROUP * ROUTED_ITEMS);
    return [
      this.zero(starts),
      this.zero(placed),
      { kernel: router.count, bindings: counting, groups },
      ...this.prefixSum.steps(starts, partitions + 1),
      { kernel: router.scatter, bindings: { ...counting, 6: routed, 8: placed }, groups },
      {
        kernel: router.find.kernel,
        bindings: { ...table, 2: results, 6: routed, 7: starts },
        groups: Math.floor(n / CHUNK) + partitions,
      },
    ];
  }
}
