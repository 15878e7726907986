/**
 * Times allocators of slabs by themselves (slab hash, IPDPS 2018, section V): n slabs, one a lane, all in one dispatch, of a
 * pool of `pool` slabs that is empty before; or their deallocation. The pool has bits and addresses, no slabs: an allocation
 * writes nothing into its slab. `allocate` of `bump` is an atomic counter, which takes nothing back.
 */

import { EMPTY } from "../../kernels/common/steps.js";
import { UsageError } from "../../kernels/device/errors.js";
import { handedOutTwice, makeAllocator, type SlabAllocator } from "../../kernels/slab-hash/allocator.js";
import { ALLOCATORS, type Allocator, BLOCK_SLABS } from "../../kernels/slab-hash/blocks.js";
import type { RunSteps } from "../../kernels/table.js";
import type { CellSpec } from "../base/experiment.js";
import type { BenchContext, Benchmark, Operation, PreparedCell } from "./benchmark.js";
import { whole } from "./parameters.js";

const ALLOCATE: Operation = { id: "allocate" };
const DEALLOCATE: Operation = { id: "deallocate" };

/** Slabs of the pool, a slab allocated: the paper's 32 super blocks of 256 memory blocks have eight for each of its million. */
const POOL = 8;

const TITLES: Readonly<Record<Allocator, string>> = {
  "slab-alloc": "SlabAlloc",
  "slab-alloc-light": "SlabAlloc-light",
  bump: "Bump allocator",
};

function blocksOf({ n, params }: CellSpec): number {
  return Math.ceil((n * Number(params.pool ?? POOL)) / BLOCK_SLABS);
}

export const allocBenchmark: Benchmark = {
  measures: "allocator",
  operations: [ALLOCATE, DEALLOCATE],
  series: () =>
    ALLOCATORS.map((id) => {
      const ops = id === "bump" ? [ALLOCATE] : [ALLOCATE, DEALLOCATE];
      return { id, title: TITLES[id], ops: ops.map((op) => op.id) };
    }),
  parameters: [whole("pool", 1, 1024, `slabs of the pool for each that is allocated (default: ${POOL})`)],
  clock: "gpu",
  bytes: (cell) => cell.n * 4 + (blocksOf(cell) * BLOCK_SLABS) / 8,
  prepare,
};

async function prepare(cell: CellSpec, { gpu }: BenchContext): Promise<PreparedCell> {
  const allocator = ALLOCATORS.find((id) => id === cell.table);
  if (!allocator) throw new UsageError(`no allocator ${cell.table}; there are ${ALLOCATORS.join(", ")}`);
  const { n, op } = cell;
  const made = await makeAllocator(gpu, allocator, blocksOf(cell), n);
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
  if (op !== DEALLOCATE.id || allocator === "bump") throw new UsageError(`${cell.table} has no ${op}`);
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
