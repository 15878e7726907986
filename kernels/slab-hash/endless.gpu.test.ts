/** Lists without an end: what goes along them ends at a bound, and that is an error. */
import { expect, test } from "vitest";
import type { WebGpu } from "../../bench/device/gpu.js";
import { testGpu } from "../../bench/device/testing.js";
import type { KernelSource } from "../device/gpu.js";
import { MIXED_KINDS, type Params } from "../table.js";
import { slabHash, slabSet } from "./slab-hash.js";
import { Slabs } from "./testing.js";

const gpu = testGpu();
const SLAB_WORDS = 32;
const { find: FIND } = MIXED_KINDS;
/** Instead of 2^24, which take a software adapter seconds to minutes. */
const TURNS = 1000;

/** The device, but the loops along lists end sooner. */
function impatient(): WebGpu {
  const kernel = (source: KernelSource) =>
    gpu().kernel(
      /(find|find-all|update)\.wgsl$/.test(source.file)
        ? { ...source, constants: { ...source.constants, TURNS } }
        : source,
    );
  return Object.create(gpu(), { kernel: { value: kernel } });
}

/** The table's lists, which have a slab each, lead round and round. */
function close(slabs: Slabs): void {
  const { table } = slabs.table.pool.slabs;
  if (!table) throw new Error("no slabs");
  for (let list = 0; list < slabs.table.buckets; list++) {
    gpu().write(table, (list * SLAB_WORDS + SLAB_WORDS - 1) * 4, Uint32Array.of(list));
  }
}

const operations: Readonly<Record<string, (slabs: Slabs) => Promise<unknown>>> = {
  find: (slabs) => slabs.find([1, 4]),
  findAll: (slabs) => slabs.findAll([1, 4]),
  erase: (slabs) => slabs.erase([4]),
  mixed: (slabs) => slabs.mixed({ kinds: [FIND], keys: [4], values: [0], slices: [{ first: 0, count: 1 }] }),
  occupancy: (slabs) => slabs.table.nodes.occupancy(),
  flush: (slabs) => slabs.flush(),
};

test.each([
  ...Object.keys(operations).map((name) => [name, {}] as const),
  ["find", { tile: 8 }],
  ["find", { tile: 32 }],
] as const)("%s %o: a list without an end is an error", async (name, params: Params) => {
  await Slabs.on(impatient(), slabHash, 100, { buckets: 2, ...params }, async (slabs) => {
    await slabs.insert([1, 2, 3], [1, 2, 3]);
    expect([...(await slabs.find([1, 2, 3]))]).toEqual([1, 2, 3]);
    close(slabs);
    await expect(operations[name]?.(slabs)).rejects.toThrow("a list has no end");
  });
});

test("of a set too", async () => {
  await Slabs.on(impatient(), slabSet, 100, { buckets: 2 }, async (slabs) => {
    await slabs.insert([1, 2, 3], [1, 1, 1]);
    close(slabs);
    await expect(slabs.find([4])).rejects.toThrow("a list has no end");
  });
});
