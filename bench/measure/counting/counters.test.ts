import { expect, test } from "vitest";
import { FakeGpu } from "../../../kernels/device/fake.js";
import { countingRunner, countMetrics, isUncounted } from "./counters.js";

test("kernels that count nothing give no counters, and say so", () => {
  const { counts } = countingRunner(new FakeGpu());
  expect(isUncounted(countMetrics(counts, 100))).toBe(true);
  const nothing = { steps: 0, reads: 0, writes: 0, rmws: 0, probes: 0, warpSteps: 0, balanceSlots: 0 };
  counts.kernels.set("find", { ...nothing } as never);
  expect(countMetrics(counts, 100)).toEqual([expect.objectContaining({ metric: "counted_operations", value: 0 })]);
});

test("kernels that count reads and no steps have reads, and no probes or warp efficiency of 0", () => {
  const { counts } = countingRunner(new FakeGpu());
  const sums = { steps: 0, reads: 300, writes: 0, rmws: 0, probes: 0, warpSteps: 0, balanceSlots: 0 };
  counts.kernels.set("find", sums as never);
  const metrics = countMetrics(counts, 100, { bytes: 800 });
  expect(metrics).toContainEqual(expect.objectContaining({ metric: "table_reads", value: 3 }));
  expect(metrics.filter(({ metric }) => /probes|efficiency|balance|steps|warp_operations/.test(metric))).toEqual([]);
});
