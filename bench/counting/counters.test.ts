import { expect, test } from "vitest";
import { FakeGpu } from "../../kernels/device/fake.js";
import { countingRunner, countMetrics, isUncounted } from "./counters.js";

test("kernels that count nothing give no counters, and say so", () => {
  const { counts } = countingRunner(new FakeGpu());
  expect(isUncounted(countMetrics(counts, 100))).toBe(true);
  const nothing = { steps: 0, reads: 0, writes: 0, rmws: 0, probes: 0, warpSteps: 0, balanceSlots: 0 };
  counts.kernels.set("find", { ...nothing } as never);
  expect(countMetrics(counts, 100)).toEqual([expect.objectContaining({ metric: "counted_operations", value: 0 })]);
  counts.kernels.set("find", { ...nothing, reads: 3 } as never);
  expect(isUncounted(countMetrics(counts, 100))).toBe(false);
});
