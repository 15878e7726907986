import { expect, test } from "vitest";
import type { Experiment } from "../base/experiment.js";
import { experiments } from "../experiments/index.js";
import { type Earlier, estimate, toldBy, workBy } from "./estimate.js";
import { type Part, runsFor } from "./order.js";
import { plan } from "./plan.js";

const device = { name: "some GPU", software: false, toggles: "+large_pages" };
const setting = { device, earlier: [], beside: true };
const find = (id: string): Experiment => {
  const found = experiments.find((experiment) => experiment.id === id);
  if (!found) throw new Error(id);
  return found;
};
const at = (id: string, scale = 1) => plan([find(id)], { quick: false, seed: 1, scale }, device);
const own = (parts: readonly Part[], more: object = {}) => {
  const [found] = estimate(parts, { ...setting, ...more }).experiments;
  if (!found) throw new Error("nothing is estimated");
  return found;
};
/** A run of the experiment at a scale. */
const earlier = (id: string, seconds: number, { scale = 1, name = device.name, beside = 0 } = {}): Earlier => {
  const work = workBy(at(id, scale)).get(id) ?? { runs: 0, pairs: 0 };
  return { device: name, experiment: id, took: { own: seconds, beside }, work };
};

test("without earlier runs number and size of the cells tell it", () => {
  const [large, small] = [own(at("slab/fig5a")), own(at("slab/fig5a", 0.1))];
  expect(large.from).toBe("size");
  expect(small.seconds.from).toBeLessThan(large.seconds.from);
  expect(small.seconds.to).toBeLessThan(large.seconds.to);
});

test("what host memory takes to allocate is part of it", () => {
  const { seconds } = own(at("device/host-large"));
  // Tables of 8 to 32 GiB, each GiB of which takes about half a second.
  expect(seconds.from).toBeLessThan(100);
  expect(seconds.to).toBeGreaterThan(200);
});

test("an earlier run of the experiment on this device model is about what it takes again", () => {
  const known = [earlier("slab/fig5a", 100)];
  expect(own(at("slab/fig5a"), { earlier: known })).toMatchObject({
    from: "earlier run",
    seconds: { from: expect.closeTo(80), to: expect.closeTo(125) },
  });
});

test("of smaller cells it is between what as many cells took and what as many pairs took", () => {
  const known = [earlier("slab/fig5a", 100)];
  const { seconds } = own(at("slab/fig5a", 0.5), { earlier: known });
  expect(seconds.from).toBeCloseTo(40, 0);
  expect(seconds.to).toBeCloseTo(125, 0);
});

test("of several earlier runs the one with about as many pairs counts, and of these the last one", () => {
  const known = [earlier("slab/fig5a", 300), earlier("slab/fig5a", 200), earlier("slab/fig5a", 10, { scale: 0.1 })];
  expect(own(at("slab/fig5a"), { earlier: known }).seconds.to).toBeCloseTo(250);
  expect(own(at("slab/fig5a", 0.1), { earlier: known }).seconds.to).toBeCloseTo(12.5);
});

test("a run on another device model counts where this one has none, within wider bounds", () => {
  const other = earlier("slab/fig5a", 100, { name: "another GPU" });
  expect(own(at("slab/fig5a"), { earlier: [other] })).toMatchObject({
    from: "other device",
    seconds: { from: expect.closeTo(50), to: expect.closeTo(200) },
  });
  expect(own(at("slab/fig5a"), { earlier: [earlier("slab/fig5a", 1), other] }).from).toBe("earlier run");
});

test("what a run spent on cells is what they take again", () => {
  const half = at("slab/fig5a", 0.5);
  const spent = { "slab/fig5a": { prepare: 1500, sample: 3000 }, "slab/fig5b": {}, "": { idle: 1e6 } };
  const told = toldBy(spent, [...half, ...at("slab/fig5b")], device.name);
  expect(told.map(({ experiment }) => experiment)).toEqual(["slab/fig5a"]);
  expect(own(half, { earlier: told }).seconds.to).toBeCloseTo(4.5 * 1.25);
});

test("cells of CPU tables take no time of their own where a worker measures them beside the GPU", () => {
  const known = [earlier("tables/load-factor", 50, { beside: 200 })];
  const parts = at("tables/load-factor");
  const [aside, alone] = [true, false].map((beside) => own(parts, { earlier: known, beside }).seconds.to);
  expect([aside, alone]).toEqual([expect.closeTo(250), expect.closeTo(312.5)]);
});

test("cells that the run of another one measures are no work", () => {
  const parts = at("dycuckoo/fig12");
  const longest = parts.map((part) => ({ ...part, cells: runsFor(part.cells) }));
  expect(longest[0]?.cells.length).toBeLessThan(parts[0]?.cells.length ?? 0);
  expect(workBy(longest)).toEqual(workBy(parts));
});

test.each([true, false])("several GPUs share the time; CPU tables beside them: %s", (beside) => {
  const [one, two] = [1, 2].map((gpus) => estimate(at("slab/fig5a"), { ...setting, beside, gpus }).seconds.to - 2);
  expect(two).toBeCloseTo((one ?? 0) / 2, 6);
});
