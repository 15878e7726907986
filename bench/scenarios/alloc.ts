/**
 * Times allocators of slabs by themselves (slab hash, IPDPS 2018, section V): n slabs, one a lane, all in one dispatch, of a
 * pool of `pool` slabs that is empty before; or their deallocation. The pool has bits and addresses, no slabs: an allocation
 * writes nothing into its slab. `allocate` of `bump` is an atomic counter, which takes nothing back.
 */

import { EMPTY } from "../../kernels/common/steps.js";
import { UsageError } from "../../kernels/device/errors.js";
import { handedOutTwice, makeAllocator, type SlabAllocator } from "../../kernels/slab-hash/allocator.js";
import { type Allocator, BLOCK_SLABS } from "../../kernels/slab-hash/blocks.js";
import type { RunSteps } from "../../kernels/table.js";
import type { CellSpec } from "../base/experiment.js";
import type { BenchContext, Benchmark, KnownSeries, Operation, PreparedCell } from "./benchmark.js";
import { ownOf, whole } from "./parameters.js";

const ALLOCATE: Operation = { id: "allocate" };
const DEALLOCATE: Operation = { id: "deallocate" };

/** Slabs of the pool, a slab allocated: the paper's 32 super blocks of 256 memory blocks have eight for each of its million. */
const POOL = 8;

const SERIES = [
  { id: "slab-alloc-light", title: "SlabAlloc-light", ops: [ALLOCATE.id, DEALLOCATE.id] },
  { id: "slab-alloc", title: "SlabAlloc", ops: [ALLOCATE.id, DEALLOCATE.id] },
  { id: "bump", title: "Bump allocator", ops: [ALLOCATE.id] },
] as const satisfies readonly (KnownSeries & { readonly id: Allocator })[];

function blocksOf({ n, params }: CellSpec): number {
  return Math.ceil((n * Number(params.pool ?? POOL)) / BLOCK_SLABS);
}

export const allocBenchmark: Benchmark = {
  measures: "allocator",
  operations: [ALLOCATE, DEALLOCATE],
  series: () => SERIES,
  parameters: [whole("pool", 1, 1024, `slabs of the pool for each that is allocated (default: ${POOL})`)],
  clock: "gpu",
  bytes: (cell) => cell.n * 4 + (blocksOf(cell) * BLOCK_SLABS) / 8,
  prepare,
};

async function prepare(cell: CellSpec, { gpu }: BenchContext): Promise<PreparedCell> {
  const { id, ops } = ownOf(cell, SERIES);
  const { n, op } = cell;
  if (!ops.some((one) => one === op)) throw new UsageError(`${id} has no ${op}`);
  const made = await makeAllocator(gpu, id, blocksOf(cell), n);
  const time: RunSteps = (...pass) => gpu.time(...pass);
  const allocate = async (): Promise<number> => {
    const { ns, count } = await made.allocate(time, n);
    if (count > 0) throw new Error(`${count} of ${n} lanes got no slab`);
    return ns;
  };
  const common = { mutates: true, operations: n, dataHash: "", access: null, metrics: async () => [] } as const;
  if (op === ALLOCATE.id) {
    return {
      ...common,
      reset: () => made.clear(),
      sample: allocate,
      verify: async () => wrongSlabs(await gpu.read(made.addresses, n)) || (await wrongUse(made, n)),
    };
  }
  return {
    ...common,
    reset: async () => {
      await made.clear();
      await allocate();
    },
    sample: async () => (await made.deallocate(time, n)).ns,
    verify: () => wrongUse(made, 0),
  };
}

/** One line if two lanes have one slab, or a lane has none. */
function wrongSlabs(addresses: Uint32Array): string {
  if (addresses.includes(EMPTY)) return "a lane that was served has no slab";
  const twice = handedOutTwice(addresses);
  return twice === 0 ? "" : `${twice} of ${addresses.length} slabs were handed out twice`;
}

async function wrongUse(made: SlabAllocator, expected: number): Promise<string> {
  const used = await made.used();
  return used === expected ? "" : `${used} slabs are in use, and ${expected} should be`;
}
