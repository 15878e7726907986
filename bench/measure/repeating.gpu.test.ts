import { expect, test } from "vitest";
import { dispatch } from "../../kernels/device/bind.js";
import type { Gpu } from "../../kernels/device/gpu.js";
import { testGpu } from "../device/testing.js";
import { repeating } from "./repeating.js";

const gpu = testGpu();

/** A step that adds the digest of one word to what is in `sums`. */
async function digesting() {
  const kernel = await gpu().kernel({ file: "bench/scenarios/workload/digest.wgsl", takes: ["data", "digest", "n"] });
  const words = await gpu().alloc("words", 16);
  gpu().write(words, 0, Uint32Array.of(12345));
  const sums = await gpu().alloc("sums", 16);
  return { sums, step: dispatch(kernel, 1, { data: words, digest: sums, n: 1 }) };
}

test("a pass repeats its steps as often as it is told, and the time is that of one", async () => {
  const { sums, step } = await digesting();
  await repeating(gpu(), 1)([step]);
  const [once = 0] = await gpu().read(sums, 1);
  await gpu().zero(sums);
  const { ns } = await repeating(gpu(), 7)([step]);
  expect((await gpu().read(sums, 1))[0]).toBe(Math.imul(once, 7) >>> 0);
  expect(ns).toBeGreaterThan(0);
  const pass: Pick<Gpu, "time"> = {
    time: async () => ({ ns: 700, status: new Uint32Array(), more: new Uint32Array() }),
  };
  expect(await repeating(pass, 7)([step])).toMatchObject({ ns: 100 });
});

test("steps that count in a status are not repeated", async () => {
  const { sums, step } = await digesting();
  expect((await repeating(gpu(), 1)([step], sums)).status).toHaveLength(4);
  await expect(repeating(gpu(), 2)([step], sums)).rejects.toThrow("cannot be repeated");
});
