import { describe, expect, test } from "vitest";
import type { WebGpu } from "../../bench/device/gpu.js";
import { testGpu } from "../../bench/device/testing.js";
import { checkCase } from "../../bench/verify/case.js";
import { Harness } from "../../bench/verify/harness.js";
import { casesNamed } from "../../bench/verify/testing.js";
import { keyOf } from "../../datasets/random.js";
import { configure } from "../define.js";
import { misra } from "./misra.js";

const gpu = testGpu();
const range = (from: number, count: number) => Array.from({ length: count }, (_, i) => keyOf(from + i, 99));
const ones = (keys: readonly number[]) => keys.map(() => 1);

describe.each([{ buckets: 1 }, { buckets: 3 }, { buckets: 1000 }])("with %o", (params) => {
  const type = configure(misra, params);
  // Long lists: the small cases only.
  const own = casesNamed(type, "race", "several times", "cleared", "reserved", "smallest");
  test.each(own)("$name", (one) => checkCase(one, gpu(), type));
});

test("half of the memory of nodes has keys, and heads take their share", async () => {
  const keys = range(0, 1000);
  for (const buckets of [1, 1000]) {
    const work = async (harness: Harness) => {
      const heads = 4 * (buckets + (buckets % 2));
      const occupancy = (pairs: number, nodes: number) => ({
        pairs,
        nodes,
        lists: buckets,
        perNode: 1,
        bytes: heads + 8 * nodes,
        utilisation: (4 * pairs) / (heads + 8 * nodes),
      });
      expect(await harness.table.nodes?.occupancy()).toEqual(occupancy(0, 0));
      await harness.insert(keys, ones(keys));
      expect(await harness.table.nodes?.occupancy()).toEqual(occupancy(1000, 1000));
      await harness.insert(keys.slice(0, 10), ones(keys.slice(0, 10)));
      await harness.erase(keys.slice(0, 500));
      expect(await harness.table.nodes?.occupancy()).toEqual(occupancy(500, 1010));
    };
    await Harness.on(gpu(), misra, 1000, 1, work, { params: { buckets }, insertions: 1010 });
  }
});

test("every planned insertion has a node, of present keys too, and not one more", async () => {
  const keys = range(0, 600);
  const work = async (harness: Harness) => {
    await harness.insert(keys.slice(0, 500), ones(keys.slice(0, 500)));
    await harness.insert(keys.slice(0, 100), ones(keys.slice(0, 100)));
    expect(await harness.refused(keys.slice(500), ones(keys.slice(500)))).toBe(100);
    // Nothing is to be added: no node is needed.
    await harness.insert(keys.slice(0, 10), ones(keys.slice(0, 10)));
    await harness.find(keys);
    // Nodes of erased keys are not used again.
    await harness.erase(keys.slice(0, 50));
    expect(await harness.refused(keys.slice(0, 50), ones(keys.slice(0, 50)))).toBe(50);
    await harness.find(keys);
    await harness.clear();
    await harness.insert(keys, ones(keys));
  };
  await Harness.on(gpu(), misra, 500, 1, work, { params: { buckets: 37 }, insertions: 600 });
});

/** The device, and the buffers that it gives for tables, by label. */
function watched() {
  const buffers = new Map<string, GPUBuffer>();
  const alloc = async (label: string, bytes: number) => {
    const buffer = await gpu().alloc(label, bytes);
    buffers.set(label, buffer);
    return buffer;
  };
  const device: WebGpu = Object.create(gpu(), { alloc: { value: alloc } });
  const buffer = (label: string) => {
    const known = buffers.get(label);
    if (!known) throw new Error(`no buffer "${label}"`);
    return known;
  };
  return { device, buffer };
}

test("insertions that find no node do not count as nodes taken, so that the counter never runs over", async () => {
  const { device, buffer } = watched();
  const keys = range(0, 300);
  const refused = (harness: Harness, some: readonly number[]) => harness.refused(some, ones(some));
  const work = async (harness: Harness) => {
    await harness.insert(keys.slice(0, 60), ones(keys.slice(0, 60)));
    // A workgroup that finds nodes for some of its keys.
    expect(await refused(harness, keys.slice(60, 160))).toBe(60);
    for (let i = 0; i < 3; i++) {
      expect(await refused(harness, keys.slice(160))).toBe(140);
      expect([...(await gpu().read(buffer("misra nodes taken"), 1))]).toEqual([160]);
    }
  };
  await Harness.on(device, misra, 100, 1, work, { params: { buckets: 7 } });
});

test("a search along a list without an end is an error", async () => {
  const { device, buffer } = watched();
  const work = async (harness: Harness) => {
    await harness.insert([5], [1]);
    // Live, and its own next node: one head, a word between, then the node's key and its link.
    gpu().write(buffer("misra"), 4 * 3, Uint32Array.of(0x80000000));
    await expect(harness.find([7])).rejects.toThrow("went along lists without an end");
  };
  await Harness.on(device, misra, 10, 1, work, { params: { buckets: 1 } });
});

test("keys come back after they were erased, many times", async () => {
  const keys = range(0, 300);
  const work = async (harness: Harness) => {
    for (let round = 0; round < 20; round++) {
      await harness.insert(keys, ones(keys));
      await harness.insert(keys.slice(100), ones(keys.slice(100)));
      await harness.erase([...keys.slice(round), ...keys]);
      await harness.find([...keys, ...range(300, 50)]);
    }
  };
  await Harness.on(gpu(), misra, 300, 1, work, { params: { buckets: 5 }, insertions: 20 * 500 });
});
