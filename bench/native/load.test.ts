import { expect, test } from "vitest";
import { temporaryFolder } from "../results/testing.js";
import { loadStarting, meet } from "./load.js";
import { systemOf } from "./systems.js";
import { manifestIn, manifestOf } from "./testing.js";

test("rows say what a program said of itself, and of one that cannot run here its API", async () => {
  await meet([manifestOf(temporaryFolder(), "", { id: "met" })]);
  expect(systemOf({ bench: "table", table: "met" }).system).toMatchObject({ device: "a CPU", clock: "made up" });
  await expect(meet([manifestOf(temporaryFolder(), "unfit", { id: "unmet" })])).resolves.toBeUndefined();
  expect(systemOf({ bench: "table", table: "unmet" }).system).toEqual({});
  expect(systemOf({ bench: "cpu", table: "js-map" })).toEqual({ api: "cpu", system: {} });
  expect(systemOf({ bench: "table", table: "cuckoo" })).toEqual({ api: "webgpu", system: {} });
});

test("of tables that nobody asked for those that do not start are left out, with a line each", async () => {
  const folder = temporaryFolder();
  manifestIn(folder, "version", {}, "odd");
  expect(await loadStarting([folder])).toEqual([expect.stringMatching(/^odd: .* the protocol's version 1 is wanted$/)]);
});
