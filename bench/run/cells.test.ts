/** What cells ask a device for that has no adapter. On one: cells.gpu.test.ts. */
import { expect, test, vi } from "vitest";
import { FakeGpu } from "../../kernels/device/fake.js";
import { PLAIN } from "../benchmarks/allocation.js";
import { limitCell } from "../benchmarks/limit.js";
import { defaultStopping } from "../measure/stopping.js";
import { Cells } from "./cells.js";
import { KeySets } from "./key-sets.js";
import { Reporter } from "./reporter.js";

const options = {
  open: { adapter: "", robust: true, toggles: [] },
  stopping: defaultStopping,
  counting: true,
  plugins: [],
  native: [],
};

/** What is allocated for cells that are in memory at the same time. */
async function allocatedFor(cells: readonly ReturnType<typeof limitCell>[]) {
  const gpu = new FakeGpu();
  const reporter = new Reporter(() => undefined);
  const jobs = cells.map((spec, index) => ({ index, spec, place: "" }));
  await new Cells(gpu, { ...options, memory: 2 ** 30 }, reporter).run(jobs, null, true);
  expect(gpu.live.filter((label) => !label.startsWith("uniform"))).toEqual([]);
  return gpu.allocations.map(({ label, plain }) => (plain ? `${label}: plain` : label)).sort();
}

test("cells of plain allocations have a device and shared memory of their own, others the usual ones", async () => {
  const usual = [limitCell("lookup32", 1, 1000), limitCell("lookup4", 1, 1000)];
  const plain = usual.map((cell) => ({ ...cell, params: { ...cell.params, ...PLAIN } }));
  const alone = await allocatedFor(usual);
  // A table, keys and their results for both, and room for what each has seen.
  expect(alone).toEqual(["keys", "results", "seen", "seen", "table from byte 0 on"]);
  const all = await allocatedFor([usual[0], plain[0], usual[1], plain[1]].filter((cell) => cell !== undefined));
  expect(all).toEqual([...alone, ...alone.map((label) => `${label}: plain`)].sort());
});

test("cells are prepared in the order in which their data sets are there", async () => {
  const order = vi.spyOn(KeySets.prototype, "readyFirst").mockImplementation((cells) => cells.toReversed());
  const prepared: number[] = [];
  const reporter = new Reporter((message) => {
    if (message.type === "phase" && message.phase === "prepare") prepared.push(message.index);
  });
  const jobs = [1, 2, 3].map((mib, index) => ({ index, spec: limitCell("lookup32", mib, 1000), place: "" }));
  try {
    await new Cells(new FakeGpu(), { ...options, memory: 2 ** 30 }, reporter).run(jobs, null, false);
  } finally {
    order.mockRestore();
  }
  expect(prepared).toEqual([2, 1, 0]);
});
