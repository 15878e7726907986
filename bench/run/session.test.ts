import { expect, test } from "vitest";
import type { CellSpec } from "../base/experiment.js";
import { experiments } from "../experiments/index.js";
import type { CellResult } from "../results/record.js";
import { cell, runInfo } from "../results/testing.js";
import { Queue } from "./budget.js";
import { Limits } from "./limits.js";
import type { Block } from "./order.js";
import { noResult } from "./reporter.js";
import { Session, type Share } from "./session.js";

const [experiment] = experiments;
const part = (...tables: string[]): Block => {
  if (!experiment) throw new Error("no experiment");
  return { experiments: [experiment], cells: tables.map((table) => cell({ table })) };
};

const device = { software: true, runs: () => true };
const limits = new Limits();

/** A worker whose cells end when they are let go, as `how` says. */
function share(queue: Queue<Block>, gate: Promise<void>, how = (_: CellSpec) => noResult("ok", "")): Share {
  const measure: Share["pool"]["measure"] = async (cells, { onResult }) => {
    await gate;
    for (const [i, one] of cells.entries()) await onResult(i, how(one));
  };
  return { info: runInfo, queue, limits, pool: { measure } };
}

/** A session, and what it writes, in order. */
function recorded() {
  const written: string[] = [];
  const append = async ({ table }: CellSpec, { status }: CellResult) => void written.push(`${table} ${status}`);
  const nothing = () => undefined;
  return { written, session: new Session({ append }, { working: nothing, finished: nothing, note: nothing }) };
}

test("workers of queues of their own are at work at the same time", async () => {
  const { written, session } = recorded();
  let open = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const gpu = share(new Queue([part("bucketed")], null, 1), gate);
  const cpu = share(new Queue([part("js-map"), part("typed-array")], null, 1), Promise.resolve());
  const all = session.measure([gpu, cpu], device);
  while (written.length < 2) await new Promise(setImmediate);
  expect(written).toEqual(["js-map ok", "typed-array ok"]);
  open();
  await all;
  expect(session.counts).toEqual({ ok: 3 });
  expect(written).toContain("bucketed ok");
});

test("a worker hears of the cells of blocks after its own, in their order", async () => {
  const { session } = recorded();
  const heard: string[][] = [];
  const queue = new Queue([part("a"), part("b", "c"), part("d")], null, 1);
  const measure: Share["pool"]["measure"] = async (_, { soon = [] }) => void heard.push(soon.map(({ table }) => table));
  await session.measure([{ info: runInfo, queue, limits, pool: { measure } }], device);
  expect(heard).toEqual([["b", "c", "d"], ["d"], []]);
});

test("workers that share a queue hear of none: whose blocks those will be is not known", async () => {
  const { session } = recorded();
  const queue = new Queue([part("a"), part("b"), part("c")], null, 2);
  const heard: number[] = [];
  const measure: Share["pool"]["measure"] = async (_, { soon = [] }) => void heard.push(soon.length);
  const one = { info: runInfo, queue, limits, pool: { measure } };
  await session.measure([one, { ...one }], device);
  expect(heard).toEqual([0, 0, 0]);
});

test("workers that share a queue share its blocks out; what nobody reached in time is a row of its own, once", async () => {
  const { written, session } = recorded();
  let now = 0;
  const queue = new Queue([part("a"), part("b"), part("c")], 10_000, 2, () => now);
  const slow = (one: CellSpec) => {
    now += 9000;
    return one.table === "a" ? noResult("ok", "") : noResult("postponed", "not begun");
  };
  await session.measure([share(queue, Promise.resolve(), slow), share(queue, Promise.resolve(), slow)], device);
  expect(session.counts).toEqual({ ok: 1, postponed: 2 });
  expect(written.toSorted()).toEqual(["a ok", "b postponed", "c postponed"]);
});
