/** Conformance of the slab hash's allocators, by themselves. */
import { uniform } from "../../datasets/rng.js";
import { EMPTY } from "../../kernels/common/steps.js";
import type { Gpu } from "../../kernels/device/gpu.js";
import { scoped } from "../../kernels/device/owned.js";
import { handedOutTwice, makeAllocator } from "../../kernels/slab-hash/allocator.js";
import { type Allocator, BLOCK_SLABS } from "../../kernels/slab-hash/pool.js";
import type { RunSteps } from "../../kernels/table.js";
import { type Case, type PartEnded, roundSeed } from "./case.js";
import { Mismatch } from "./harness.js";

const ALLOCATORS: readonly Allocator[] = ["slab-alloc-light", "slab-alloc"];
/**
 * Memory blocks, many more than a lane tries by itself, and allocations that are all given back. On a GPU 10^8 slabs are handed out
 * by the two allocators together.
 */
const SMALL = { blocks: 99, turns: 12 };
const LARGE = { blocks: 4096, turns: 17 };

export const slabCases: readonly Case[] = [
  {
    name: "an allocator hands out no slab twice and loses none",
    long: true,
    random: true,
    applies: ({ id }) => (id === "slab-hash" ? "" : "is served by the slab hash's allocators, or by none"),
    async check(gpu, _type, round, ended) {
      for (const allocator of ALLOCATORS) await comeAndGo(gpu, allocator, round, ended);
    },
  },
];

/** Slabs that stay in use, and others that come and go beside them, also more than there are. */
async function comeAndGo(gpu: Gpu, allocator: Allocator, round: number, ended: PartEnded): Promise<void> {
  const { blocks, turns } = gpu.info.software ? SMALL : LARGE;
  const run: RunSteps = (steps, status) => gpu.time(steps, status);
  await scoped(gpu, async (own) => {
    const all = blocks * BLOCK_SLABS;
    const most = Math.floor(1.1 * all);
    const pool = await makeAllocator(own, allocator, blocks, most);
    const draw = uniform(roundSeed(3, round));
    const kept = Math.floor(all / 8);
    await pool.allocate(run, kept);
    const held = await gpu.read(pool.addresses, kept);
    for (let turn = 0; turn < turns; turn++) {
      // At first exactly what there is: every lane has to find one, also the last.
      const n = turn === 0 ? all - kept : Math.floor((0.5 + draw() / 2) * most);
      const served = Math.min(n, all - kept);
      const { count } = await pool.allocate(run, n);
      if (count !== n - served) throw wrong(allocator, `${count} of ${n} lanes got no slab, and ${n - served} should`);
      const got = (await gpu.read(pool.addresses, n)).filter((address) => address !== EMPTY);
      if (got.length !== served) throw wrong(allocator, `${got.length} slabs were handed out for ${served} lanes`);
      const twice = handedOutTwice(held, got);
      if (twice > 0) throw wrong(allocator, `${twice} of ${kept + served} slabs were handed out twice`);
      await inUse(kept + served);
      await pool.deallocate(run, n);
      await inUse(kept);
      ended();
    }

    async function inUse(expected: number): Promise<void> {
      const used = await pool.used();
      if (used !== expected) throw wrong(allocator, `${used} slabs are in use, and ${expected} should be`);
    }
  });
}

function wrong(allocator: Allocator, what: string): Mismatch {
  return new Mismatch(`${allocator}: ${what}`);
}
