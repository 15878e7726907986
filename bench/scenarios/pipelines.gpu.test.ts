import { expect, test, vi } from "vitest";
import { testGpu } from "../device/testing.js";
import { byName, cellOf, cellsOn, sampled } from "./testing.js";

const gpu = testGpu();
const { prepare } = cellsOn(gpu);

test.each(["insert", "find"])(
  "each sample of %s compiles its kernels anew, and they answer as the others",
  async (op) => {
    const cell = await prepare(cellOf({ bench: "pipelines", op, positiveRatio: op === "find" ? 1 : null, n: 500 }));
    const asked = vi.spyOn(gpu(), "kernel");
    await sampled(cell, 2);
    expect(new Set(asked.mock.calls.map(([{ fresh }]) => fresh).filter(Boolean))).toEqual(new Set([1, 2]));
    asked.mockRestore();
    expect(await cell.verify()).toBe("");
    expect(byName(await cell.metrics(1)).first_dispatch_time).toBeGreaterThan(0);
  },
);
