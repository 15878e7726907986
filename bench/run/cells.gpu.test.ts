import { expect, test, vi } from "vitest";
import { Unsupported } from "../../kernels/device/errors.js";
import type { Gpu, KernelSource } from "../../kernels/device/gpu.js";
import type { CellSpec } from "../base/experiment.js";
import { openDawn } from "../device/dawn.js";
import { testGpu } from "../device/testing.js";
import { Sampler } from "../measure/sampler.js";
import { defaultStopping } from "../measure/stopping.js";
import { Cells } from "./cells.js";
import { CompiledAhead } from "./compiled-ahead.js";
import type { FromWorker, WorkerOptions } from "./protocol.js";
import { Reporter } from "./reporter.js";

const gpu = testGpu();
const options: WorkerOptions = {
  open: { adapter: "", robust: true, toggles: [] },
  stopping: { ...defaultStopping, maxNoise: Number.MAX_VALUE },
  memory: 2 ** 30,
  counting: true,
  plugins: [],
  native: [],
};
const spec: CellSpec = {
  experiment: "tables/load-factor",
  bench: "table",
  table: "bucketed",
  variant: "",
  op: "find",
  dataset: "random",
  n: 2000,
  loadFactor: 0.8,
  positiveRatio: 1,
  seed: 5,
  params: {},
};

async function said(
  cells: readonly CellSpec[],
  together = false,
  { memory, stopping }: Pick<WorkerOptions, "memory" | "stopping"> = options,
  on: Gpu = gpu(),
): Promise<FromWorker[]> {
  const messages: FromWorker[] = [];
  const jobs = cells.map((cell, index) => ({ index, spec: cell, place: "" }));
  await new Cells(on, { ...options, memory, stopping }, new Reporter((message) => messages.push(message))).run(
    jobs,
    null,
    together,
  );
  return messages;
}

test("a cell is concluded as soon as it has ended, while others of its group are still sampled", async () => {
  const insert = { ...spec, op: "insert", positiveRatio: null };
  // Prepared one by one they may take longer than a group's ten seconds on a busy machine.
  const messages = await said([insert, spec, { ...spec, positiveRatio: 0 }], true);
  const order = messages.map((message) => ("index" in message ? `${message.index} ${message.type}` : message.type));
  const results = messages.filter((message) => message.type === "result");
  expect(results.map(({ index, result }) => [index, result.status, result.samples.length])).toEqual([
    [0, "ok", 10],
    [1, "ok", 10],
    [2, "ok", 10],
  ]);
  // All were prepared before the first was sampled, and the last has samples to take after the first result.
  expect(order.indexOf("2 phase")).toBeLessThan(order.indexOf("0 result"));
  expect(order.slice(order.indexOf("1 result")).filter((what) => what === "2 phase")).not.toEqual([]);
  expect(order.slice(order.indexOf("0 result"), order.indexOf("1 result"))).toContain("1 phase");
});

test("a cell of a table says what it costs to keep a pair, counted or not, of a build of a part not", async () => {
  const part = { ...spec, op: "insert", positiveRatio: null, params: { chunk: 1, chunks: 2 } };
  const results = (await said([spec, { ...spec, dataset: "zipf:1", loadFactor: 0.5 }, part])).filter(
    (message) => message.type === "result",
  );
  const held = results
    .sort((a, b) => a.index - b.index)
    .map(({ result }) => result.metrics.find(({ metric }) => metric === "held_per_pair")?.value);
  expect(held).toEqual([expect.closeTo(10, 0), expect.closeTo(16, 0), undefined]);
});

test("a result says how its sampling ended, and the time of every phase", async () => {
  const [message] = (await said([spec])).filter(({ type }) => type === "result");
  if (message?.type !== "result") throw new Error("no result");
  expect(message.result).toMatchObject({ stopped: "quiet", repetitions: 1 });
  for (const phase of ["data", "prepare", "warm-up", "sample", "verify", "count"] as const)
    expect(message.spent[""]?.[phase], phase).toBeGreaterThan(0);
});

test("one sample has no range", async () => {
  const range = async (maxSamples: number) => {
    const stopping = { ...options.stopping, maxSamples };
    const [message] = (await said([spec], false, { ...options, stopping })).filter(({ type }) => type === "result");
    if (message?.type !== "result") throw new Error("no result");
    const found = message.result.metrics.filter(({ metric }) => metric === "mops" || metric === "time");
    return found.flatMap(({ value, lo, hi }) => [value !== null && value > 0, lo === null, hi === null]);
  };
  // A block is five samples.
  expect(await range(5)).toEqual([true, false, false, true, false, false]);
  const { block } = Sampler.prototype;
  const single = vi.spyOn(Sampler.prototype, "block").mockImplementation(async function (this: Sampler) {
    await block.call(this);
    const { outcome } = this;
    if (outcome?.ok) this.outcome = { ...outcome, samples: outcome.samples.slice(0, 1) };
  });
  try {
    expect(await range(5)).toEqual([true, true, true, true, true, true]);
  } finally {
    single.mockRestore();
  }
});

test("a cell that does not fit is skipped, and the others go on", async () => {
  const huge = { ...spec, bench: "limit", table: "read4", params: { tableMiB: 2 ** 20 } };
  const results = (await said([spec, huge, spec])).filter((message) => message.type === "result");
  expect(results.map(({ index, result }) => `${index} ${result.status}`).sort()).toEqual(["0 ok", "1 skipped", "2 ok"]);
});

/** The device, whose limits are too small for these kernels. */
const without = (...files: readonly string[]): Gpu =>
  Object.create(gpu(), {
    kernel: {
      value: (source: KernelSource) =>
        files.some((file) => source.file.endsWith(file)) || (files.includes("counting") && source.conditions?.COUNT)
          ? Promise.reject(new Unsupported("it", "9 storage buffers; this device has 8"))
          : gpu().kernel(source),
    },
  });

test("a cell whose kernels need more than the device has is skipped, by the table's name, and the others go on", async () => {
  const insert = { ...spec, op: "insert", positiveRatio: null };
  const messages = await said([insert, spec], false, options, without("bucketed/find.wgsl"));
  const results = messages.flatMap((message) => (message.type === "result" ? [message] : []));
  const reasons = results.map(({ index, result: { status, reason } }) => `${index} ${status} ${reason}`);
  expect(reasons.sort()).toEqual([
    // An insertion is verified by searches.
    "0 skipped bucketed: it needs 9 storage buffers; this device has 8",
    "1 skipped bucketed: it needs 9 storage buffers; this device has 8",
  ]);
});

test("a cell whose counting variant needs more than the device has is measured, and says that it was not counted", async () => {
  const [message] = (await said([spec], false, options, without("counting"))).filter(({ type }) => type === "result");
  if (message?.type !== "result") throw new Error("no result");
  expect(message.result).toMatchObject({
    status: "ok",
    reason: "not counted: it needs 9 storage buffers; this device has 8",
  });
  expect(message.result.metrics.map(({ metric }) => metric)).toEqual(["mops", "time", "held_per_pair"]);
});

test("cells that all do not fit, prepared together, are skipped after one more try each", async () => {
  const huge = { ...spec, bench: "limit", table: "read4", params: { tableMiB: 2 ** 20 } };
  // Room for all of them, so that one group may have them.
  const messages = await said([spec, huge, huge, huge], true, { ...options, memory: 2 ** 50 });
  const results = messages.filter((message) => message.type === "result");
  expect(results.map(({ index, result }) => `${index} ${result.status}`).sort()).toEqual([
    "0 ok",
    "1 skipped",
    "2 skipped",
    "3 skipped",
  ]);
  const tries = messages.filter((message) => message.type === "phase" && message.index > 0);
  expect(tries.length).toBeLessThanOrEqual(6);
});

test("cells that are prepared together are measured as those that are prepared one by one", async () => {
  const insert = { ...spec, op: "insert", positiveRatio: null };
  const huge = { ...spec, bench: "limit", table: "read4", params: { tableMiB: 2 ** 20 } };
  const wrong = { ...spec, table: "no such table" };
  const messages = await said([insert, huge, spec, wrong, { ...spec, positiveRatio: 0 }], true);
  const results = messages.filter((message) => message.type === "result");
  // On a busy machine a run of many passes becomes a long one, which ends after five samples.
  const ends = results.map(({ index, result: { status, samples } }) => `${index} ${status} ${samples.length >= 5}`);
  const expected = ["0 ok true", "1 skipped false", "2 ok true", "3 failed false", "4 ok true"];
  expect(ends.sort()).toEqual(expected);
  // Who watches must not blame the cell that spoke last while others were at work.
  const phases = messages.filter((message) => message.type === "phase");
  expect(phases.filter(({ phase }) => phase === "prepare").some(({ together }) => together)).toBe(true);
  expect(phases.filter(({ phase }) => phase === "sample" || phase === "verify").some(({ together }) => together)).toBe(
    false,
  );
});

test("cells by the CPU's clock are prepared together, and warmed up and sampled one by one", async () => {
  const host = { ...spec, bench: "host", table: "stash", params: { ticket: 4 } };
  const messages = await said(
    [host, { ...host, positiveRatio: 0 }, { ...host, op: "insert", positiveRatio: null }],
    true,
  );
  const results = messages.flatMap((message) => (message.type === "result" ? [message.result] : []));
  expect(results.map(({ status }) => status)).toEqual(["ok", "ok", "ok"]);
  for (const { samples } of results) expect(samples.length).toBeGreaterThanOrEqual(3);
  const phases = messages.flatMap((message) => (message.type === "phase" ? [message] : []));
  const beside = phases.filter(({ together }) => together);
  expect(new Set(beside.map(({ index }) => index))).toEqual(new Set([0, 1, 2]));
  // From the first that is alone on, none has others at work beside it.
  const last = phases.findLastIndex(({ together }) => together);
  expect(phases.findIndex(({ together }) => !together)).toBe(last + 1);
  expect(beside.some(({ phase }) => phase === "sample")).toBe(false);
});

test("cells of one history get results of their own from one run", async () => {
  const dynamic = { ...spec, bench: "dynamic", table: "slab-hash", op: "dynamic", positiveRatio: null };
  const at = (phase: number, batch: number) => ({ ...dynamic, params: { batchSize: 500, r: 0.2, phase, batch } });
  const messages = await said([at(1, 2), at(2, 4), spec, at(1, 5)]);
  const results = messages.flatMap((message) => (message.type === "result" ? [message] : []));
  // 2,000 pairs are four batches a phase: there is no fifth.
  expect(results.map(({ index, result }) => `${index} ${result.status}`).sort()).toEqual([
    "0 ok",
    "1 ok",
    "2 ok",
    "3 skipped",
  ]);
  const sampledOf = (index: number) => results.find((one) => one.index === index)?.result.samples ?? [];
  const [part, whole] = [sampledOf(0), sampledOf(1)];
  expect(part.length).toBe(whole.length);
  for (const [i, ns] of part.entries()) expect(ns).toBeLessThan(whole[i] ?? 0);
  const sampled = messages.flatMap((message) => (message.type === "phase" ? [message.index] : []));
  expect(sampled).toContain(1);
  expect(sampled).not.toContain(0);
});

test("a cell whose input is a part of another's has the hash of its own", async () => {
  const batches = {
    ...spec,
    bench: "incremental",
    op: "insert",
    positiveRatio: null,
    params: { batch: 500, total: 2000 },
  };
  const hashes = async (...sizes: number[]) => {
    const messages = await said(sizes.map((n) => ({ ...batches, n })));
    const results = messages.flatMap((message) => (message.type === "result" ? [message] : []));
    return new Map(results.map(({ index, result }) => [sizes[index], result.dataHash]));
  };
  const together = await hashes(1000, 2000);
  expect(together.get(1000)).not.toBe(together.get(2000));
  expect(together.get(1000)).toBe((await hashes(1000)).get(1000));
});

test("where the run of a history fails, each of its cells says why, once", async () => {
  const dynamic = { ...spec, bench: "dynamic", table: "slab-hash", op: "dynamic", positiveRatio: null };
  const at = (batch: number) => ({ ...dynamic, loadFactor: null, params: { batchSize: 500, batch } });
  const results = (await said([at(1), at(2)])).flatMap((message) => (message.type === "result" ? [message] : []));
  expect(results.map(({ index }) => index).sort()).toEqual([0, 1]);
  for (const { result } of results)
    expect(result).toMatchObject({ status: "skipped", reason: expect.stringContaining("needs a load factor") });
});

test("kernels of cells' first runs that were compiled ahead are not compiled again", async () => {
  const cells: CellSpec[] = [
    { ...spec, table: "double-hashing" },
    { ...spec, table: "quotient", op: "insert", positiveRatio: null },
    { ...spec, bench: "dynamic", table: "dycuckoo", op: "dynamic", params: { batchSize: 500, resize: true } },
  ];
  const own = await openDawn({ adapter: process.env.HASHBENCH_ADAPTER ?? "", robust: true, toggles: [] });
  try {
    const ahead = new CompiledAhead(own);
    ahead.begin(cells);
    await ahead.end();
    const compile = vi.spyOn(own.device, "createComputePipelineAsync");
    const messages = await said(cells, false, options, own);
    expect(messages.filter((message) => message.type === "result").map(({ result }) => result.status)).toEqual([
      "ok",
      "ok",
      "ok",
    ]);
    const files = compile.mock.calls.map(([{ label = "" }]) => label);
    // Left are data sets, counting variants, the searches that verify insertions, and what only a table that is filled asks for.
    for (const file of [
      "common/fill",
      "double-hashing/insert",
      "dycuckoo/find",
      "dycuckoo/erase",
      "radix-sort/histogram",
    ])
      expect(files).not.toContain(`kernels/${file}.wgsl`);
  } finally {
    own.destroy();
  }
});

test("later cells are compiled beside those that the GPU's clock times, and not where cells show one by one which of them fails", async () => {
  const log: string[] = [];
  const compiled = {
    busy: true,
    begin: (cells: readonly CellSpec[]) => void log.push(`compiles ${cells.map(({ table }) => table).join()}`),
    end: async () => void log.push("compiles nothing"),
  };
  const jobs = [spec, { ...spec, bench: "cpu", table: "js-map" }].map((one, index) => ({
    index,
    spec: one,
    place: "",
  }));
  const run = async (together: boolean): Promise<string[]> => {
    const reporter = new Reporter((message) => {
      if (message.type === "result") log.push(`${message.index} ${message.result.status}`);
      if (message.type === "phase" && !message.together) log.push("blamed alone");
    });
    await new Cells(gpu(), options, reporter, compiled).run(jobs, null, together, [{ ...spec, table: "quotient" }]);
    return log.splice(0);
  };
  expect(await run(true)).toEqual(["compiles quotient", "0 ok", "compiles nothing", "1 ok"]);
  expect(await run(false)).toEqual(["0 ok", "compiles nothing", "1 ok"]);
});
