import { join } from "node:path";
import { expect, test } from "vitest";
import { lazily } from "../../kernels/common/steps.js";
import type { CellSpec, Experiment } from "../base/experiment.js";
import { packageRoot } from "../base/paths.js";
import { experiments } from "../experiments/index.js";
import { cellKey } from "../results/key.js";
import { bundles } from "./bundles.js";
import { earlierRuns } from "./earlier.js";
import { placeIn } from "./places.js";
import { plan, sized } from "./plan.js";
import { split } from "./shards.js";

const gpu = { software: false, name: "some GPU" };
const own = experiments.filter(({ from }) => !from);
/** In the order in which `plan` splits them: the split depends on it. */
const planned = (some: readonly Experiment[]) => some.map((experiment) => sized(experiment, { quick: false, seed: 1 }));
const shardsOf = (some: readonly Experiment[], count: number) => split(planned(some), count);
const keysOf = (planned: readonly { readonly cells: readonly CellSpec[] }[]) =>
  planned.flatMap(({ cells }) => cells.map(cellKey));
const fig10 = own.filter(({ id }) => id === "gph/fig10");

/** Planning all figures takes seconds, and so does a split of them. */
const all = lazily(async () => planned(own));
const splits = { 2: lazily(async () => split(await all(), 2)), 8: lazily(async () => split(await all(), 8)) };

test("the figure that is split has fewer cells than the most shards", () => {
  expect(keysOf(planned(fig10)).length).toBeLessThan(200);
});

test.each([1, 2, 3, 7, 200])("each cell of one figure is in exactly one of %i shards", (count) => {
  const all = keysOf(planned(fig10));
  const shards = shardsOf(fig10, count).map(keysOf);
  expect(shards.flat().toSorted()).toEqual(all.toSorted());
  const last = plan(fig10, { quick: false, seed: 1, shard: { index: count, count } }, gpu);
  expect(keysOf(last).toSorted()).toEqual(shards.at(-1)?.toSorted());
});

test.each([2, 8] as const)("each cell of all figures is in exactly one of %i shards", async (count) => {
  const shards = await splits[count]();
  expect(shards.flatMap(keysOf).toSorted()).toEqual(keysOf(await all()).toSorted());
});

/** What the experiments of each kept run took, which is not what the split is made by. */
const kept = earlierRuns(
  ["nvidia-h200", "nvidia-h100"].map((name) => join(packageRoot, "results", name)),
  experiments,
).filter((run) => run.experiments.length > own.length / 2);

test.each([2, 8] as const)(
  "%i shards of all figures take about as long, as their experiments took in kept runs",
  async (count) => {
    const cellsOf = new Map((await all()).map((part) => [part.experiment.id, part.cells]));
    expect(kept.length).toBeGreaterThan(1);
    for (const run of kept) {
      const took = new Map(run.experiments.map((one) => [one.experiment, one.took.own]));
      const seconds = (await splits[count]()).map((planned) =>
        planned.reduce((sum, { experiment: { id }, cells }) => {
          return sum + ((took.get(id) ?? 0) * cells.length) / (cellsOf.get(id)?.length ?? 1);
        }, 0),
      );
      const mean = seconds.reduce((a, b) => a + b, 0) / count;
      for (const one of seconds) expect(one / mean, run.run).toBeGreaterThan(0.7);
      for (const one of seconds) expect(one / mean, run.run).toBeLessThan(1.3);
    }
  },
);

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
  const place = placeIn(fig10[0] as Experiment);
  const shards = shardsOf(fig10, 3).map((planned) => new Set(planned.flatMap(({ cells }) => cells.map(place))));
  expect(shards.every(({ size }) => size > 0)).toBe(true);
  const all = shards.flatMap((places) => [...places]);
  expect(new Set(all).size).toBe(all.length);
});

test("cells that one run measures are in one shard", () => {
  const some = own.filter(({ id }) => id === "dycuckoo/fig11" || id === "dycuckoo/fig12");
  const counts = [1, 5].map((count) =>
    shardsOf(some, count).reduce((sum, planned) => {
      const cells = planned.flatMap((part) => part.cells);
      return sum + bundles(cells, (cell) => cell).length;
    }, 0),
  );
  expect(counts[1]).toBe(counts[0]);
});

/** What a machine with that adapter, or another order of measuring, plans as its shard of all figures. */
const planOf = (seed: number, device = gpu) =>
  keysOf(plan(own, { quick: false, seed, shard: { index: 2, count: 2 } }, device).map(withoutSeed)).toSorted();
const withoutSeed = ({ cells }: { readonly cells: readonly CellSpec[] }) => ({
  cells: cells.map((cell) => ({ ...cell, seed: 1 })),
});
const ofGpu = lazily(async () => planOf(1));

test("the split does not depend on the device", async () => {
  expect(planOf(1, { software: true, name: "llvmpipe" })).toEqual(await ofGpu());
});

test("other orders of measuring do not change the split", async () => {
  expect(planOf(5)).toEqual(await ofGpu());
});
