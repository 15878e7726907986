import { expect, test } from "vitest";
import { expand, MIN_N } from "../experiments/expand.js";
import { experiments, TOUR } from "../experiments/index.js";
import type { Experiment } from "../model.js";
import { cellKey } from "../results/key.js";
import { plan } from "./plan.js";

const find = (id: string): Experiment => {
  const found = experiments.find((experiment) => experiment.id === id);
  if (!found) throw new Error(id);
  return found;
};
const gpu = { software: false, name: "some GPU" };
const lavapipe = { software: true, name: "llvmpipe" };
const fig10 = find("gph/fig10");
const keys = (options: Parameters<typeof plan>[1], device = gpu) =>
  plan([fig10], options, device).flatMap(({ cells }) => cells.map(cellKey));

test("ids are unique, and the tour exists", () => {
  const ids = experiments.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of TOUR) expect(ids).toContain(id);
});

test("shards share the cells out, each cell once", () => {
  const all = keys({ quick: false, seed: 1 });
  const shards = [1, 2, 3].flatMap((index) => keys({ quick: false, seed: 1, shard: { index, count: 3 } }));
  expect(shards.toSorted()).toEqual(all.toSorted());
});

test("equal options give equal cells in equal order, another seed another order", () => {
  expect(keys({ quick: true, seed: 3 })).toEqual(keys({ quick: true, seed: 3 }));
  const tables = (seed: number) => plan([fig10], { quick: false, seed }, gpu)[0]?.cells.map(({ table }) => table);
  expect(tables(3)).not.toEqual(tables(4));
});

test("--n is the largest n of the experiment", () => {
  const cells = plan([fig10], { quick: false, seed: 1, n: 5000 }, gpu)[0]?.cells ?? [];
  expect(Math.max(...cells.map(({ n }) => n))).toBe(5000);
});

test("--quick is smaller on a software adapter, and never larger than the paper's size", () => {
  const largest = (device: typeof gpu) =>
    Math.max(...(plan([fig10], { quick: true, seed: 1 }, device)[0]?.cells ?? []).map(({ n }) => n));
  expect(largest(lavapipe)).toBeLessThan(largest(gpu));
  expect(largest(gpu)).toBeLessThanOrEqual(100_784_453);
});

test("an insertion has no positive ratio and no lookups, and stands once", () => {
  const cells = expand(find("tables/load-factor"), { scale: 1, quick: false, seed: 1 });
  const inserts = cells.filter(({ op, table }) => op === "insert" && table === "bucketed");
  expect(inserts).toHaveLength(7);
  expect(inserts.every(({ positiveRatio, params }) => positiveRatio === null && !("lookups" in params))).toBe(true);
});

test("a table size in bytes is a load factor that scaling leaves alone", () => {
  const factors = (scale: number) =>
    new Set(expand(fig10, { scale, quick: false, seed: 1 }).map(({ loadFactor }) => loadFactor));
  expect(factors(1)).toEqual(new Set([0.496705, 0.500602]));
  expect(factors(1e-4)).toEqual(factors(1));
});

test("points that fall below the smallest n are one point", () => {
  const cells = expand(find("cuckoo/fig4.4-insert"), { scale: 1e-6, quick: false, seed: 1 });
  expect(new Set(cells.map(({ n }) => n))).toEqual(new Set([MIN_N]));
  expect(cells).toHaveLength(4);
});

test("a CPU baseline stops at its own largest n", () => {
  const cells = expand(fig10, { scale: 1, quick: false, seed: 1, tables: ["js-map"] });
  expect(new Set(cells.map(({ n }) => n))).toEqual(new Set([2 ** 20]));
});
