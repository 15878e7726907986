/** Conformance of the slab hash's allocators: by themselves, and in tables for which they run out of slabs. */
import { uniform } from "../../../datasets/rng.js";
import { EMPTY } from "../../../kernels/common/steps.js";
import type { Gpu } from "../../../kernels/device/gpu.js";
import { scoped } from "../../../kernels/device/owned.js";
import { handedOutTwice, makeAllocator } from "../../../kernels/slab-hash/allocator.js";
import { type Allocator, BLOCK_SLABS } from "../../../kernels/slab-hash/blocks.js";
import type { RunSteps, TableType } from "../../../kernels/table.js";
import { Mismatch } from "../bulk.js";
import { type Case, type PartEnded, roundSeed } from "../case.js";
import { keysFrom, valuesFor } from "../draw.js";
import { Harness } from "../harness.js";
import { MixedHistory } from "../mixed-history.js";

const ALLOCATORS: readonly Allocator[] = ["slab-alloc-light", "slab-alloc"];
/**
 * Memory blocks, many more than a lane tries by itself, and allocations that are all given back. On a GPU 10^8 slabs are handed out
 * by the two allocators together.
 */
const SMALL = { blocks: 99, turns: 12 };
const LARGE = { blocks: 4096, turns: 17 };

/** By how many pairs a table is filled less than the pool held. Races change that number, so these are tried in turn until the pool grows. */
const SPARE = [1600, 800, 400, 200, 100, 50, 0];

export const cases: readonly Case[] = [
  {
    name: "an allocator hands out no slab twice and loses none",
    long: true,
    random: true,
    applies: ({ id }) => (id === "slab-hash" ? "" : "is served by the slab hash's allocators, or by none"),
    async check(gpu, _type, round, ended) {
      for (const allocator of ALLOCATORS) await comeAndGo(gpu, allocator, round, ended);
    },
  },
  {
    name: "slabs that run out in the middle of a batch, which begins at any operation",
    core: true,
    random: true,
    applies: ({ id, flushes }) => (flushes && id.startsWith("slab-") ? "" : "has no pool of slabs"),
    async check(gpu, type, round, ended) {
      await outOfSlabs(gpu, type, 2500, round, ended);
      // Mixed batches add few pairs, so this has to be known nearly.
      const fits = await outOfSlabs(gpu, type, FILLING, round, ended);
      for (const spare of SPARE) if (await outOfSlabsMixed(gpu, type, { fits, spare }, round, ended)) return;
      throw new Error(`mixed batches on tables of ${fits} pairs did not use up the pool`);
    },
  },
];

/** Many more than a memory block holds. */
const MOST_PAIRS = 100_000;
/**
 * Pairs of the batches by which a table is filled. With the `bump` allocator lanes that race for a list's end use up slabs that no list
 * gets, so that larger batches use more of the pool.
 */
const FILLING = 250;
/** Lists of a few slabs each, so that a pool of one memory block runs out soon. */
const BUCKETS = 400;
const keysOf = (first: number, count: number) => keysFrom(first, count, 85);
const valuesOf = (keys: readonly number[]) => valuesFor(keys, 0);
/** Where the next batch begins in its buffers: at no multiple of 32, on whose words bits of operations lie. */
const nextFirst = (draw: () => number) => 1 + Math.floor(31 * draw());

/** Insertions of so many pairs until the pool has grown; how many pairs it held before that. */
async function outOfSlabs(gpu: Gpu, type: TableType, batch: number, round: number, ended: PartEnded): Promise<number> {
  const draw = uniform(roundSeed(31, round));
  let fits = 0;
  const work = async (table: Harness) => {
    const { bytes } = table.table;
    while (table.table.bytes === bytes) {
      if (fits > MOST_PAIRS) throw new Error(`${fits} pairs did not use up a memory block`);
      fits = table.size;
      const keys = keysOf(fits, batch);
      await table.insert(keys, valuesOf(keys), nextFirst(draw));
      ended();
    }
    await table.find(keysOf(0, table.size + 500));
    // As many as there are, each once.
    await table.erase([...keysOf(0, table.size), ...keysOf(0, 500)]);
  };
  await Harness.on(gpu, type, 1, 0.6, work, { params: { buckets: BUCKETS } });
  return fits;
}

/** Mixed batches, in a table that is nearly out of slabs, until the pool has grown; whether it has. */
async function outOfSlabsMixed(
  gpu: Gpu,
  type: TableType,
  { fits, spare }: { readonly fits: number; readonly spare: number },
  round: number,
  ended: PartEnded,
): Promise<boolean> {
  const draw = uniform(roundSeed(32 + spare, round));
  let grown = false;
  const member = type.answers === "member";
  const history = new MixedHistory({
    universe: fits + 8000,
    slice: 2000,
    mixing: "racing",
    erase: true,
    insertsOnce: true,
    seed: roundSeed(33 + spare, round),
    member,
  });
  const work = async (table: Harness) => {
    const there = [...history.keys.subarray(0, fits - spare)];
    const { bytes } = table.table;
    for (let first = 0; first < there.length; first += FILLING) {
      const keys = there.slice(first, first + FILLING);
      await table.insert(keys, valuesOf(keys));
    }
    history.values.set(member ? there.map(() => 1) : valuesOf(there));
    // The pool has grown already: with more to spare it may not.
    if (table.table.bytes > bytes) return;
    // Slices enough that one which ran out has others after it.
    for (let batches = 0; !grown && batches < 10; batches++) {
      const next = history.next(6, nextFirst(draw));
      history.check(next, await table.mixed(next));
      // Only where each of its slices begins within a word of bits it is known that the one that ran out did.
      grown = table.table.bytes > bytes && next.slices.every(({ first }) => first % 32 > 0);
      ended();
    }
    history.settle(await table.answers(history.keys), "after the pool grew: ");
  };
  await Harness.on(gpu, type, 1, 0.6, work, { params: { buckets: BUCKETS, ...type.mixedParams } });
  return grown;
}

/** Slabs that stay in use, and others that come and go beside them, also more than there are. */
async function comeAndGo(gpu: Gpu, allocator: Allocator, round: number, ended: PartEnded): Promise<void> {
  const { blocks, turns } = gpu.info.software ? SMALL : LARGE;
  const run: RunSteps = (...pass) => gpu.timeNext(...pass);
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
