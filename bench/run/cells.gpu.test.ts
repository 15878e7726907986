import { expect, test } from "vitest";
import type { CellSpec } from "../experiment.js";
import { testGpu } from "../gpu/testing.js";
import { defaultStopping } from "../measure/stopping.js";
import { Cells } from "./cells.js";
import type { FromWorker, WorkerOptions } from "./protocol.js";
import { Reporter } from "./reporter.js";

const gpu = testGpu();
const options: WorkerOptions = {
  open: { adapter: "", robust: true, toggles: [] },
  stopping: { ...defaultStopping, maxNoise: Number.MAX_VALUE },
  memory: 2 ** 30,
  counting: true,
  plugins: [],
};
const spec: CellSpec = {
  ...{
    experiment: "tables/load-factor",
    bench: "table",
    table: "bucketed",
    variant: "",
    op: "find",
    dataset: "random",
  },
  ...{ n: 2000, loadFactor: 0.8, positiveRatio: 1, seed: 5, params: {} },
};

async function said(cells: readonly CellSpec[]): Promise<FromWorker[]> {
  const messages: FromWorker[] = [];
  const jobs = cells.map((cell, index) => ({ index, spec: cell, place: "" }));
  await new Cells(gpu(), options, new Reporter((message) => messages.push(message))).run(jobs, null);
  return messages;
}

test("a cell is concluded as soon as it has ended, while others of its group are still sampled", async () => {
  const insert = { ...spec, op: "insert", positiveRatio: null };
  const messages = await said([insert, spec, { ...spec, positiveRatio: 0 }]);
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

test("a result says how its sampling ended, and the time of every phase", async () => {
  const [message] = (await said([spec])).filter(({ type }) => type === "result");
  if (message?.type !== "result") throw new Error("no result");
  expect(message.result).toMatchObject({ stopped: "quiet", repetitions: 1 });
  for (const phase of ["data", "prepare", "warm-up", "sample", "verify", "count"] as const)
    expect(message.spent[phase], phase).toBeGreaterThan(0);
});

test("a cell that does not fit is skipped, and the others go on", async () => {
  const huge = { ...spec, bench: "limit", table: "read4", params: { tableMiB: 2 ** 20 } };
  const results = (await said([spec, huge, spec])).filter((message) => message.type === "result");
  expect(results.map(({ index, result }) => `${index} ${result.status}`).sort()).toEqual(["0 ok", "1 skipped", "2 ok"]);
});
