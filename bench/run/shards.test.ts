import { expect, test } from "vitest";
import { lazily } from "../../kernels/common/steps.js";
import type { CellSpec, Experiment } from "../base/experiment.js";
import { experiments } from "../experiments/index.js";
import { cellKey } from "../results/key.js";
import { keptSeconds } from "./earlier.js";
import { placeIn, runsFor } from "./order.js";
import { plan, sized } from "./plan.js";
import { split } from "./shards.js";

const gpu = { software: false, name: "some GPU" };
const own = experiments.filter(({ from }) => !from);
const times = keptSeconds(new Set(own.map(({ id }) => id)));
/** In the order in which `plan` splits them: the split depends on it. */
const planned = (some: readonly Experiment[]) => some.map((experiment) => sized(experiment, { quick: false, seed: 1 }));
const shardsOf = (some: readonly Experiment[], count: number) => split(planned(some), count, times);
const keysOf = (planned: readonly { readonly cells: readonly CellSpec[] }[]) =>
  planned.flatMap(({ cells }) => cells.map(cellKey));
const fig10 = own.filter(({ id }) => id === "gph/fig10");

/** Planning all figures takes seconds, and so does a split of them. */
const all = lazily(async () => planned(own));
const splits = {
  2: lazily(async () => split(await all(), 2, times)),
  8: lazily(async () => split(await all(), 8, times)),
};

test("the figure that is split has fewer cells than the most shards", () => {
  expect(keysOf(planned(fig10)).length).toBeLessThan(200);
});

test.each([1, 2, 3, 7, 200])("each cell of one figure is in exactly one of %i shards", (count) => {
  const all = keysOf(planned(fig10));
  const shards = shardsOf(fig10, count).map(keysOf);
  expect(shards.flat().toSorted()).toEqual(all.toSorted());
  const last = plan(fig10, { quick: false, seed: 1, times, shard: { index: count, count } }, gpu);
  expect(keysOf(last).toSorted()).toEqual(shards.at(-1)?.toSorted());
});

test.each([2, 8] as const)("each cell of all figures is in exactly one of %i shards", async (count) => {
  const shards = await splits[count]();
  expect(shards.flatMap(keysOf).toSorted()).toEqual(keysOf(await all()).toSorted());
});

test.each([2, 8] as const)(
  "%i shards of all figures take about as long, as the experiments that some kept run has took",
  async (count) => {
    const known = (await all()).filter(({ experiment }) => times.has(experiment.id));
    expect(known.length).toBeGreaterThan(50);
    const runs = new Map(known.map((part) => [part.experiment.id, runsFor(part.cells).length]));
    const seconds = split(known, count, times).map((planned) => {
      const took = (of: "own" | "beside") =>
        planned.reduce((sum, { experiment: { id }, cells }) => {
          return sum + ((times.get(id)?.[of] ?? 0) * runsFor(cells).length) / (runs.get(id) ?? 1);
        }, 0);
      return Math.max(took("own"), took("beside"));
    });
    const mean = seconds.reduce((a, b) => a + b, 0) / count;
    for (const one of seconds) expect(one / mean).toBeGreaterThan(0.7);
    for (const one of seconds) expect(one / mean).toBeLessThan(1.3);
  },
);

test("an experiment of many cells that no kept run has is split as others are", () => {
  const [experiment] = fig10;
  if (!experiment) throw new Error("no gph/fig10");
  const unknown = { ...experiment, id: "mine/sweep", axes: { ...experiment.axes, n: [2 ** 20] } };
  const shards = shardsOf([unknown], 4).map(keysOf);
  expect(shards.flat().toSorted()).toEqual(keysOf(planned([unknown])).toSorted());
  const counts = shards.map(({ length }) => length);
  expect(Math.max(...counts)).toBeLessThan(2 * Math.min(...counts));
});

test("a figure that takes long beside the GPU is split as one that takes the GPU long", () => {
  const two = own.filter(({ id }) => id === "gph/fig10" || id === "tables/load-factor");
  const [first, second] = two.map(({ id }) => id);
  const known = new Map([
    [first ?? "", { own: 100, beside: 0 }],
    [second ?? "", { own: 0, beside: 100 }],
  ]);
  for (const shard of split(planned(two), 2, known))
    for (const { experiment, cells } of shard) expect(cells.length, experiment.id).toBeGreaterThan(0);
});

test("a figure that is shorter than a shard's share is in one shard", async () => {
  const shards = await splits[2]();
  for (const { id } of own) {
    const having = shards.filter((planned) =>
      planned.some(({ experiment, cells }) => experiment.id === id && cells.length > 0),
    );
    expect(having, id).toHaveLength(1);
  }
});

test("a figure that is longer is split by places, each whole in one shard", () => {
  const place = placeIn(fig10);
  const shards = shardsOf(fig10, 3).map((planned) => new Set(planned.flatMap(({ cells }) => cells.map(place))));
  expect(shards.every(({ size }) => size > 0)).toBe(true);
  const all = shards.flatMap((places) => [...places]);
  expect(new Set(all).size).toBe(all.length);
});

test("cells that one run measures are in one shard", () => {
  const some = own.filter(({ id }) => id === "dycuckoo/fig11" || id === "dycuckoo/fig12");
  const counts = [1, 5].map((count) =>
    shardsOf(some, count).reduce((sum, planned) => {
      return sum + runsFor(planned.flatMap((part) => part.cells)).length;
    }, 0),
  );
  expect(counts[1]).toBe(counts[0]);
});

/** What a machine with that adapter, or another order of measuring, plans as its shard of some figures. */
const some = own.filter(({ id }) => id.startsWith("gph/") || id.startsWith("cuckoo/"));
const planOf = (seed: number, device = gpu) =>
  keysOf(plan(some, { quick: false, seed, times, shard: { index: 2, count: 2 } }, device).map(withoutSeed)).toSorted();
const withoutSeed = ({ cells }: { readonly cells: readonly CellSpec[] }) => ({
  cells: cells.map((cell) => ({ ...cell, seed: 1 })),
});

test("the split does not depend on the device, nor on the order of measuring", () => {
  const ofGpu = planOf(1);
  expect(planOf(1, { software: true, name: "llvmpipe" })).toEqual(ofGpu);
  expect(planOf(5)).toEqual(ofGpu);
});
