import { expect, test } from "vitest";
import type { CellSpec } from "../base/experiment.js";
import { Queue } from "./budget.js";

const part = (name: string, count: number) => ({ name, cells: new Array<CellSpec>(count).fill({} as CellSpec) });

function clock() {
  let time = 1000;
  return { now: () => time, pass: (ms: number) => (time += ms) };
}

test("without a budget parts come in order and have no deadline", () => {
  const queue = new Queue([part("a", 1), part("empty", 0), part("b", 2)], null, 1);
  expect(queue.take()).toMatchObject({ part: { name: "a" }, deadline: null });
  expect(queue.take()).toMatchObject({ part: { name: "b" }, deadline: null });
  expect(queue.take()).toBe(null);
});

test("each part has its cells' share of what is left", () => {
  const { now, pass } = clock();
  const queue = new Queue([part("a", 10), part("b", 30)], 40_000, 1, now);
  expect(queue.take()).toMatchObject({ part: { name: "a" }, deadline: 11_000 });
  pass(4000);
  expect(queue.take()).toMatchObject({ part: { name: "b" }, deadline: 41_000 });
});

test("cells that one run measures have the share of one", () => {
  const { now } = clock();
  const stage = { bench: "dynamic", table: "slab-hash", n: 3000 } as CellSpec;
  const stages = [1, 2, 3].map((batch) => ({ ...stage, params: { batch, batchSize: 1000 } }));
  const queue = new Queue([{ name: "a", cells: stages }, part("b", 3)], 40_000, 1, now);
  expect(queue.take()).toMatchObject({ part: { name: "a" }, deadline: 11_000 });
});

test("two takers have twice the time each", () => {
  const { now } = clock();
  const queue = new Queue([part("a", 10), part("b", 10), part("c", 20)], 40_000, 2, now);
  expect(queue.take()?.deadline).toBe(21_000);
});

test("postponed cells come again while there is time", () => {
  const { now, pass } = clock();
  const queue = new Queue([part("a", 10)], 40_000, 1, now);
  queue.take();
  queue.postpone(part("a again", 5));
  queue.postpone(part("nothing", 0));
  pass(20_000);
  expect(queue.take()).toMatchObject({ part: { name: "a again" }, deadline: 41_000 });
  queue.postpone(part("a once more", 1));
  pass(19_000);
  expect(queue.take()).toBe(null);
  expect(queue.rest).toMatchObject([{ name: "a once more" }]);
});
