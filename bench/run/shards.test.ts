import { join } from "node:path";
import { expect, test } from "vitest";
import type { CellSpec, Experiment } from "../experiment.js";
import { experiments } from "../experiments/index.js";
import { packageRoot } from "../paths.js";
import { cellKey } from "../results/key.js";
import { bundles } from "./bundles.js";
import { earlierRuns } from "./earlier.js";
import { placeIn } from "./places.js";
import { plan } from "./plan.js";

const gpu = { software: false, name: "some GPU" };
const own = experiments.filter(({ from }) => !from);
const shardsOf = (some: readonly Experiment[], count: number, device = gpu) =>
  Array.from({ length: count }, (_, i) =>
    plan(some, { quick: false, seed: 1, shard: { index: i + 1, count } }, device),
  );
const keysOf = (planned: readonly { readonly cells: readonly CellSpec[] }[]) =>
  planned.flatMap(({ cells }) => cells.map(cellKey));
const fig10 = own.filter(({ id }) => id === "gph/fig10");

/** Of all figures; each split takes seconds. */
const splits = new Map<number, ReturnType<typeof shardsOf>>();
function splitOf(count: number): ReturnType<typeof shardsOf> {
  const split = splits.get(count) ?? shardsOf(own, count);
  splits.set(count, split);
  return split;
}

test("the figure that is split has fewer cells than the most shards", () => {
  expect(keysOf(plan(fig10, { quick: false, seed: 1 }, gpu)).length).toBeLessThan(200);
});

test.each([1, 2, 3, 7, 200])("each cell of one figure is in exactly one of %i shards", (count) => {
  const all = keysOf(plan(fig10, { quick: false, seed: 1 }, gpu));
  expect(shardsOf(fig10, count).flatMap(keysOf).toSorted()).toEqual(all.toSorted());
});

test.each([2, 8])("each cell of all figures is in exactly one of %i shards", (count) => {
  const all = keysOf(plan(own, { quick: false, seed: 1 }, gpu));
  expect(splitOf(count).flatMap(keysOf).toSorted()).toEqual(all.toSorted());
});

/** What the experiments of each kept run took, which is not what the split is made by. */
const kept = earlierRuns(
  ["nvidia-h200", "nvidia-h100"].map((name) => join(packageRoot, "results", name)),
  experiments,
).filter((run) => run.experiments.length > own.length / 2);

test.each([2, 8])("%i shards of all figures take about as long, as their experiments took in kept runs", (count) => {
  const cellsOf = new Map(plan(own, { quick: false, seed: 1 }, gpu).map((part) => [part.experiment.id, part.cells]));
  expect(kept.length).toBeGreaterThan(1);
  for (const run of kept) {
    const took = new Map(run.experiments.map((one) => [one.experiment, one.took.own]));
    const seconds = splitOf(count).map((planned) =>
      planned.reduce((sum, { experiment: { id }, cells }) => {
        return sum + ((took.get(id) ?? 0) * cells.length) / (cellsOf.get(id)?.length ?? 1);
      }, 0),
    );
    const mean = seconds.reduce((a, b) => a + b, 0) / count;
    for (const one of seconds) expect(one / mean, run.run).toBeGreaterThan(0.7);
    for (const one of seconds) expect(one / mean, run.run).toBeLessThan(1.3);
  }
});

test("a figure that is shorter than a shard's share is in one shard", () => {
  const shards = splitOf(2);
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

test("the split does not depend on the device", () => {
  const lavapipe = { software: true, name: "llvmpipe" };
  expect(shardsOf(own, 2, lavapipe).map((planned) => keysOf(planned).toSorted())).toEqual(
    splitOf(2).map((planned) => keysOf(planned).toSorted()),
  );
});

test("other orders of measuring do not change the split", () => {
  const at = (seed: number) =>
    plan(own, { quick: false, seed, shard: { index: 2, count: 3 } }, gpu).map(({ cells }) =>
      cells.map((cell) => cellKey({ ...cell, seed: 1 })).toSorted(),
    );
  expect(at(5)).toEqual(at(1));
});
