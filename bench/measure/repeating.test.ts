import { expect, test } from "vitest";
import { FakeGpu } from "../../kernels/device/fake.js";
import { idleBuffer } from "../../kernels/device/idle.js";
import { repeating } from "./repeating.js";

const status = idleBuffer("status", 16);

test("repetitions share the time of their pass", async () => {
  expect((await repeating(new FakeGpu(), 1)([], status)).ns).toBe(1000);
  expect((await repeating(new FakeGpu(), 4)([], status)).ns).toBe(250);
});

test("a failure is passed on, and what is counted in several runs is refused", async () => {
  const failed = new FakeGpu(0, [0, 0, 0, 7]);
  expect([...(await repeating(failed, 4)([], status)).status]).toEqual([0, 0, 0, 7]);
  const counted = new FakeGpu(0, [0, 5, 0, 0]);
  expect([...(await repeating(counted, 1)([], status)).status]).toEqual([0, 5, 0, 0]);
  await expect(repeating(counted, 4)([], status)).rejects.toThrow("cannot be repeated in one pass");
});
