import { expect, test, vi } from "vitest";
import { UsageError } from "../../kernels/device/errors.js";
import { testGpu } from "../device/testing.js";
import { stridedUpdates } from "./limits/strided.js";
import { cellOf, cellsOn } from "./testing.js";

const gpu = testGpu();
const cells = cellsOn(gpu);
const cell = cellOf({ bench: "strided", op: "update", dataset: "", n: 5000, loadFactor: null });
const prepare = (table: string, stride: number) => cells.prepare({ ...cell, table, params: { stride } });

const points = stridedUpdates.flatMap(({ id }) => [1, 8, 2 ** 16].map((stride) => [id, stride] as const));

test.each(points)("%s at stride %d updates every element once a run", async (table, stride) => {
  const prepared = await prepare(table, stride);
  for (let run = 0; run < 3; run++) {
    expect(await prepared.sample()).toBeGreaterThan(0);
    expect(await prepared.verify()).toBe("");
  }
  // 4-byte and 8-byte elements in 20,000 bytes, less an odd number: the same bytes, but for half an element.
  expect(prepared.operations).toBe(table === "update8" ? 2479 : 4957);
  const [rate] = await prepared.metrics(1e3);
  expect(rate).toMatchObject({ metric: "access_rate", value: prepared.operations * (table.startsWith("u") ? 2 : 1) });
});

test("an update that did not happen is noticed", async () => {
  const prepared = await prepare("cas", 4);
  await prepared.sample();
  // One run that only seems to be one.
  vi.spyOn(gpu(), "time").mockResolvedValueOnce({ ns: 1, status: new Uint32Array(), more: new Uint32Array() });
  await prepared.sample();
  expect(await prepared.verify()).toBe("4957 of 4957 elements do not hold what 2 runs leave");
});

test("a stride that is no power of two is bad usage", async () => {
  await expect(prepare("add", 3)).rejects.toBeInstanceOf(UsageError);
});
