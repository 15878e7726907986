/** What cells ask a device for that has no adapter. On one: cells.gpu.test.ts. */
import { expect, test, vi } from "vitest";
import { FakeGpu } from "../../kernels/device/fake.js";
import type { CoarseClock } from "../../kernels/device/gpu.js";
import { defaultStopping } from "../measure/stopping.js";
import type { CellResult } from "../results/record.js";
import { result } from "../results/testing.js";
import { HOST, PLAIN } from "../scenarios/allocation.js";
import { limitCell } from "../scenarios/limit.js";
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
  return gpu.allocations.map(({ label, memory }) => (memory === "device" ? label : `${label}: ${memory}`)).sort();
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

test("of a cell in host memory the table lies there, and nothing else", async () => {
  const read = limitCell("lookup32", 1, 1000);
  const all = await allocatedFor([{ ...read, params: { ...read.params, ...HOST } }]);
  expect(all).toEqual(["keys", "results", "seen", "table from byte 0 on: host"]);
});

test("a cell in host memory that does not become quiet ends sooner, after five samples at the earliest", async () => {
  let now = 0;
  const clock = vi.spyOn(performance, "now").mockImplementation(() => (now += 5));
  const gpu = new FakeGpu();
  const { time } = gpu;
  let passes = 0;
  gpu.time = async (steps) => ({ ...(await time.call(gpu, steps)), ns: 2e6 * (1 + (passes++ % 2)) });
  const results: CellResult[] = [];
  const reporter = new Reporter((message) => {
    if (message.type === "result") results.push(message.result);
  });
  const copy = limitCell("copy", 1, 1000);
  const specs = [copy, { ...copy, params: { ...copy.params, ...HOST } }];
  try {
    for (const spec of specs)
      await new Cells(gpu, { ...options, memory: 2 ** 30 }, reporter).run([{ index: 0, spec, place: "" }], null, true);
  } finally {
    clock.mockRestore();
  }
  const [device, host] = results.map(({ samples, stopped }) => ({ samples: samples.length, stopped }));
  expect([device?.stopped, host?.stopped]).toEqual(["time", "time"]);
  expect(host?.samples).toBeGreaterThanOrEqual(5);
  expect(device?.samples).toBeGreaterThan(3 * (host?.samples ?? 0));
});

test("the row of a cell whose clocks fell on its way has a range from before to after", async () => {
  const gpu = new FakeGpu();
  const { time } = gpu;
  let passes = 0;
  gpu.time = async (steps) => ({
    ...(await time.call(gpu, steps)),
    ns: (passes++ < 40 ? 2e5 : 4e5) * (1 + (passes % 2) / 50),
  });
  const results: CellResult[] = [];
  const reporter = new Reporter((message) => {
    if (message.type === "result") results.push(message.result);
  });
  const job = { index: 0, spec: limitCell("copy", 1, 1000), place: "" };
  await new Cells(gpu, { ...options, memory: 2 ** 30 }, reporter).run([job], null, true);
  const [{ samples = [], metrics = [] } = {}] = results;
  const { value = 0, lo, hi } = metrics.find(({ metric }) => metric === "time") ?? {};
  expect(samples.length).toBeGreaterThan(90);
  expect(lo).toBeLessThan(0.6 * value);
  expect(hi).toBeGreaterThanOrEqual(value);
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

test("rows of a coarse clock say that their medians may be off by its tick, shared by the operations of a pass", async () => {
  const TICK = 65_536;
  const OPERATION_NS = TICK / 2;
  const gpu = new FakeGpu();
  Object.assign(gpu.info, { clock: { kind: "timestamps", resolutionNs: TICK } satisfies CoarseClock });
  const { time } = gpu;
  gpu.time = async (steps) => ({ ...(await time.call(gpu, steps)), ns: steps.length * OPERATION_NS });
  const results: CellResult[] = [];
  const reporter = new Reporter((message) => {
    if (message.type === "result") results.push(message.result);
  });
  const jobs = [{ index: 0, spec: limitCell("copy", 1, 1000), place: "" }];
  await new Cells(gpu, { ...options, memory: 2 ** 30 }, reporter).run(jobs, null, false);
  const [{ repetitions = 0, metrics } = result()] = results;
  const [mops, ns] = ["mops", "time"].map((name) => metrics.find(({ metric }) => metric === name));
  // A pass of 100 ticks, as far as the first one, which looks like a whole tick, tells.
  expect(repetitions).toBe(100);
  expect(ns).toMatchObject({ value: OPERATION_NS, lo: OPERATION_NS - TICK / 100, hi: OPERATION_NS + TICK / 100 });
  const copies = 2 ** 20 / 16;
  expect(mops?.value).toBeCloseTo((1000 * copies) / OPERATION_NS, 6);
  expect(mops?.lo).toBeCloseTo((1000 * copies) / (OPERATION_NS + TICK / 100), 6);
  expect(mops?.hi).toBeCloseTo((1000 * copies) / (OPERATION_NS - TICK / 100), 6);
});
