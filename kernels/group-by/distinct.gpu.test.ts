import { expect, test } from "vitest";
import { freedAfterTest, spared, testGpu, withEdits } from "../../bench/device/testing.js";
import { mix32 } from "../common/random.js";
import type { Gpu } from "../device/gpu.js";
import { owned } from "../device/owned.js";
import { makeDistinct } from "./distinct.js";
import type { Plan } from "./plan.js";

const gpu = testGpu();
const { upload } = freedAfterTest(gpu);
const keys = Uint32Array.from({ length: 4099 }, (_, i) => mix32(mix32(i) % 1500));
const right = [...keys.keys()].filter((i) => keys.indexOf(keys[i] ?? 0) === i);

/** The first rows, by their list and by their marks. */
async function firsts(plan: Plan, on: Gpu = gpu()) {
  const options = { plan, lanes: 64, slots: 64, turns: 2, workgroups: 8 };
  const made = await owned(on, async (own) => ({ by: await makeDistinct(own, options) }));
  try {
    const input = { keys: await upload(keys), n: keys.length };
    await made.by.run((...pass) => on.time(...pass), input);
    const { distinct, rows, marks } = await made.by.run((...pass) => on.time(...pass), input);
    const words = await on.read(marks, Math.ceil(keys.length / 32));
    const marked = [...keys.keys()].filter((i) => ((words[i >>> 5] ?? 0) >>> (i & 31)) & 1);
    return { listed: [...(await on.read(rows, distinct))], marked };
  } finally {
    made.destroy();
  }
}

test.each(["local", "partition"] as const)("%s lists and marks the first row of each key", async (plan) => {
  expect(await firsts(plan)).toEqual({ listed: right, marked: right });
});

test.skipIf(spared)("a later row in place of the first is found", async () => {
  const edits = { "atomicMin(&words[at": "atomicMax(&words[at" };
  const faulty = withEdits(gpu(), "kernels/group-by/group.wgsl", edits);
  expect((await firsts("local", faulty)).listed).not.toEqual(right);
});
