import { expect, test } from "vitest";
import type { Experiment } from "../base/experiment.js";
import { experiments } from "../experiments/index.js";
import { runsFor } from "./bundles.js";
import { byConstants, cellSeconds, type Earlier, estimate, toldBy } from "./estimate.js";
import { plan } from "./plan.js";

const device = { name: "some GPU", software: false };
const setting = { device, earlier: [], beside: true };
const find = (id: string): Experiment => {
  const found = experiments.find((experiment) => experiment.id === id);
  if (!found) throw new Error(id);
  return found;
};
const at = (id: string, scale = 1) => plan([find(id)], { quick: false, seed: 1, scale }, device);
const own = (parts: ReturnType<typeof at>, more: object = {}) =>
  estimate(parts, { ...setting, ...more }).experiments[0]?.seconds ?? 0;
/** A run of the experiment that took `factor` times what the constants say. */
const earlier = (id: string, factor: number, name = device.name): Earlier => {
  const seconds = own(at(id));
  return {
    device: name,
    experiment: id,
    took: { own: factor * seconds, beside: 0 },
    expected: { own: seconds, beside: 0 },
  };
};

test("without earlier runs the constants are taken", () => {
  expect(estimate(at("slab/fig5a"), setting).experiments[0]?.from).toBe("constants");
});

test("an earlier run of the experiment on this device model is what it takes again", () => {
  const known = [earlier("slab/fig5a", 3)];
  expect(own(at("slab/fig5a"), { earlier: known })).toBeCloseTo(3 * own(at("slab/fig5a")), 6);
});

test("what a run spent on cells is what they take again, and others of their experiment in proportion", () => {
  const all = at("slab/fig5a");
  const half = at("slab/fig5a", 0.5);
  const spent = { "slab/fig5a": { prepare: 1500, sample: 3000 }, "slab/fig5b": {}, "": { idle: 1e6 } };
  const told = toldBy(spent, [...half, ...at("slab/fig5b")], device);
  expect(told.map(({ experiment }) => experiment)).toEqual(["slab/fig5a"]);
  expect(own(half, { earlier: told })).toBeCloseTo(4.5, 6);
  expect(own(all, { earlier: told })).toBeCloseTo((4.5 * own(all)) / own(half), 6);
});

test("of several earlier runs the last one counts", () => {
  const known = [earlier("slab/fig5a", 3), earlier("slab/fig5a", 2)];
  expect(own(at("slab/fig5a"), { earlier: known })).toBeCloseTo(2 * own(at("slab/fig5a")), 6);
});

test.each([
  [1.9, 5],
  [2.1, 3],
])("a later run of %d times less work counts by its factor, or the earlier one's: %d", (less, factor) => {
  const { took, expected, ...later } = earlier("slab/fig5a", 5);
  const smaller = { took: { own: took.own / less, beside: 0 }, expected: { own: expected.own / less, beside: 0 } };
  const known = [earlier("slab/fig5a", 3), { ...later, ...smaller }];
  expect(own(at("slab/fig5a"), { earlier: known })).toBeCloseTo(factor * own(at("slab/fig5a")), 6);
});

test("what was measured beside the GPU is scaled too", () => {
  const parts = at("tables/load-factor");
  const expected = byConstants(parts, "gpu").get("tables/load-factor");
  if (!expected) throw new Error("nothing is expected");
  const half = { ...expected, beside: expected.beside / 2 };
  const known = {
    device: device.name,
    experiment: "tables/load-factor",
    took: { own: 1, beside: 1000 },
    expected: half,
  };
  expect(own(parts, { earlier: [known] })).toBeCloseTo(2000, 6);
});

test("a run with native tables is not what one without them takes, where there is another, nor how fast the device is", () => {
  const native = { ...earlier("slab/fig5a", 3), native: true };
  expect(own(at("slab/fig5a"), { earlier: [earlier("slab/fig5a", 2), native] })).toBeCloseTo(
    2 * own(at("slab/fig5a")),
    6,
  );
  expect(own(at("slab/fig5b"), { earlier: [native] })).toBeCloseTo(own(at("slab/fig5b")), 6);
});

test("an earlier run is scaled by the size of the cells", () => {
  const known = [earlier("dycuckoo/fig14", 2)];
  const [large, small] = [1, 0.5].map((scale) => own(at("dycuckoo/fig14", scale), { earlier: known }));
  expect((small ?? 0) / (large ?? 0)).toBeCloseTo(0.5, 1);
});

test("a run on another device model counts where this one has none, by how much faster this one is elsewhere", () => {
  const known = [
    earlier("slab/fig5a", 4, "another GPU"),
    earlier("slab/fig5b", 4, "another GPU"),
    earlier("slab/fig5b", 2),
  ];
  const found = estimate(at("slab/fig5a"), { ...setting, earlier: known }).experiments[0];
  expect(found?.from).toBe("other device");
  expect(found?.seconds).toBeCloseTo(2 * own(at("slab/fig5a")), 6);
});

test("of dynamic workloads lists take the longer, the more often they are as long as at first; other tables and adapters go by the pairs", () => {
  const cell = at("dycuckoo/fig11")[0]?.cells.find(
    ({ table, dataset }) => table === "slab-hash" && dataset === "normal",
  );
  if (!cell) throw new Error("no cell of slab-hash");
  const times = (change: Partial<typeof cell>, adapter: "gpu" | "lavapipe" = "gpu", as: Partial<typeof cell> = {}) =>
    cellSeconds({ ...cell, ...as, ...change }, 6, adapter) / cellSeconds({ ...cell, ...as }, 6, adapter);
  const half = { n: cell.n / 2 };
  expect(times(half)).toBeCloseTo(1 / 4, 6);
  expect(times({ params: { ...cell.params, start: 2_000_000 } })).toBeCloseTo(1 / 2, 6);
  expect(times(half, "gpu", { table: "dycuckoo" })).toBeCloseTo(1 / 2, 6);
  expect(times({ n: cell.n / 2, params: { start: 1000 } }, "lavapipe")).toBeCloseTo(1 / 2, 2);
});

test("lookups cost what as many pairs do, and all of them as often as the experiment says", () => {
  const [cell] =
    at("tables/load-factor")[0]?.cells.filter(({ table, op }) => table === "quotient" && op === "find") ?? [];
  if (!cell) throw new Error("no lookups in quotient");
  const seconds = (n: number, lookups: number, cost = 1) =>
    cellSeconds({ ...cell, n, params: { ...cell.params, lookups } }, cost, "gpu");
  const [none, some] = [seconds(0, 0), seconds(3e8, 0)];
  expect(some).toBeGreaterThan(2 * none);
  expect(seconds(1e8, 2e8)).toBeCloseTo(some, 9);
  expect(seconds(1e8, 2e8, 4) - none).toBeCloseTo(4 * (some - none), 9);
});

test("runs of GPUs say nothing of a software adapter", () => {
  const software = { name: "llvmpipe", software: true };
  const known = [earlier("slab/fig5a", 4, "another GPU")];
  expect(own(at("slab/fig5a"), { device: software, earlier: known })).toBe(own(at("slab/fig5a"), { device: software }));
});

test("cells of CPU tables take no time of their own where a worker measures them beside the GPU", () => {
  const parts = at("tables/load-factor");
  const [together, alone] = [true, false].map((beside) => estimate(parts, { ...setting, beside }).seconds);
  expect(together).toBeLessThan(alone ?? 0);
});

test("cells that the run of another one measures take no time", () => {
  const parts = at("dycuckoo/fig12");
  const longest = parts.map((part) => ({ ...part, cells: runsFor(part.cells) }));
  expect(longest[0]?.cells.length).toBeLessThan(parts[0]?.cells.length ?? 0);
  expect(own(longest)).toBeCloseTo(own(parts), 6);
});

test.each([true, false])("several GPUs share the time; CPU tables beside them: %s", (beside) => {
  const [one, two] = [1, 2].map((gpus) => estimate(at("slab/fig5a"), { ...setting, beside, gpus }).seconds - 2);
  expect(two).toBeCloseTo((one ?? 0) / 2, 6);
});

test("an experiment that was not run takes what the constants say, by how much slower the device was in others", () => {
  const found = estimate(at("slab/fig5a"), { ...setting, earlier: [earlier("slab/fig5b", 3)] }).experiments[0];
  expect(found).toMatchObject({ from: "constants", seconds: expect.closeTo(3 * own(at("slab/fig5a")), 6) });
});
