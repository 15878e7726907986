import { expect, test } from "vitest";
import type { CellSpec } from "../base/experiment.js";
import { experiments } from "../experiments/index.js";
import type { CellResult } from "../results/record.js";
import { cell, result, runInfo } from "../results/testing.js";
import { Queue } from "./budget.js";
import { measureAll, type WorkerRun } from "./measure-all.js";
import type { Block } from "./order.js";
import { noResult } from "./reporter.js";

const [experiment] = experiments;
const part = (...tables: string[]): Block => {
  if (!experiment) throw new Error("no experiment");
  return { experiments: [experiment], cells: tables.map((table) => cell({ table })) };
};

/** A worker whose cells end when they are let go, as `how` says. */
function worker(queue: Queue<Block>, gate: Promise<void>, how = (_: CellSpec): CellResult => result()): WorkerRun {
  const measuring: WorkerRun["measuring"] = {
    async cells(cells, { onResult }) {
      await gate;
      for (const one of cells) await onResult(one, how(one));
    },
  };
  return { info: runInfo, queue, measuring };
}

/** Runs the workers; what is written and said, in order. */
function recorded() {
  const written: string[] = [];
  const append = async ({ table }: CellSpec, { status }: CellResult) => void written.push(`${table} ${status}`);
  return { written, writer: { append }, progress: { working: () => undefined, finished: () => undefined } };
}

test("workers of queues of their own are at work at the same time", async () => {
  const { written, writer, progress } = recorded();
  let open = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const gpu = worker(new Queue([part("bucketed")], null, 1), gate);
  const cpu = worker(new Queue([part("js-map"), part("typed-array")], null, 1), Promise.resolve());
  const all = measureAll([gpu, cpu], writer, progress);
  while (written.length < 2) await new Promise(setImmediate);
  expect(written).toEqual(["js-map ok", "typed-array ok"]);
  open();
  expect(await all).toEqual({ ok: 3 });
  expect(written).toContain("bucketed ok");
});

test("a worker hears of the cells of parts after its own, in their order", async () => {
  const { writer, progress } = recorded();
  const heard: string[][] = [];
  const queue = new Queue([part("a"), part("b", "c"), part("d")], null, 1);
  const measuring: WorkerRun["measuring"] = {
    async cells(cells, { onResult, soon = [] }) {
      heard.push(soon.map(({ table }) => table));
      for (const one of cells) await onResult(one, result());
    },
  };
  await measureAll([{ info: runInfo, queue, measuring }], writer, progress);
  expect(heard).toEqual([["b", "c", "d"], ["d"], []]);
});

test("workers that share a queue hear of none: whose parts those will be is not known", async () => {
  const { writer, progress } = recorded();
  const queue = new Queue([part("a"), part("b"), part("c")], null, 2);
  const heard: number[] = [];
  const measuring: WorkerRun["measuring"] = {
    async cells(_, { soon = [] }) {
      heard.push(soon.length);
    },
  };
  const one = { info: runInfo, queue, measuring };
  await measureAll([one, { ...one }], writer, progress);
  expect(heard).toEqual([0, 0, 0]);
});

test("workers that share a queue share its parts out; what nobody reached in time is a row of its own, once", async () => {
  const { written, writer, progress } = recorded();
  let now = 0;
  const queue = new Queue([part("a"), part("b"), part("c")], 10_000, 2, () => now);
  const slow = (one: CellSpec): CellResult => {
    now += 9000;
    return one.table === "a" ? result() : noResult("postponed", "not begun");
  };
  const workers = [worker(queue, Promise.resolve(), slow), worker(queue, Promise.resolve(), slow)];
  expect(await measureAll(workers, writer, progress)).toEqual({ ok: 1, postponed: 2 });
  expect(written.toSorted()).toEqual(["a ok", "b postponed", "c postponed"]);
});
