import { expect, test } from "vitest";
import { temporaryFolder } from "../results/testing.js";
import { loadStarting, meet } from "./load.js";
import { runsOn, systemOf, systemsOf } from "./systems.js";
import { manifestIn, manifestOf } from "./testing.js";

test("rows say what a program said of itself, and of one that cannot run here its API and title", async () => {
  await meet([manifestOf(temporaryFolder(), "", { id: "met" })]);
  expect(systemOf({ bench: "table", table: "met" }).system).toMatchObject({
    title: "A Map",
    device: "a CPU",
    clock: "made up",
  });
  await expect(meet([manifestOf(temporaryFolder(), "unfit", { id: "unmet" })])).resolves.toBeUndefined();
  expect(systemOf({ bench: "table", table: "unmet" }).system).toEqual({ title: "A Map" });
  expect(systemOf({ bench: "cpu", table: "js-map" })).toEqual({ api: "cpu", system: {} });
  expect(systemOf({ bench: "table", table: "cuckoo" })).toEqual({ api: "webgpu", system: {} });
});

test("a run is told of the native tables among others", async () => {
  await meet([manifestOf(temporaryFolder(), "", { id: "here" })]);
  expect(systemsOf(["cuckoo", "here"])).toEqual({ here: expect.objectContaining({ library: "Map 1.0" }) });
});

test("a native table runs on the device that its program names, ours on that of the run", async () => {
  await meet([manifestOf(temporaryFolder(), "", { id: "placed", api: "cuda" })]);
  for (const device of ["a CPU", "a-cpu"]) expect(runsOn(device, { bench: "table", table: "placed" })).toBe(true);
  expect(runsOn("a GPU", { bench: "table", table: "placed" })).toBe(false);
  expect(runsOn("a GPU", { bench: "table", table: "cuckoo" })).toBe(true);
});

test("of tables that nobody asked for those that do not start are left out, with a line each", async () => {
  const folder = temporaryFolder();
  manifestIn(folder, "version", {}, "odd");
  expect(await loadStarting([folder])).toEqual([expect.stringMatching(/^odd: .* the protocol's version 1 is wanted$/)]);
});
