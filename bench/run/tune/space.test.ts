import { expect, test } from "vitest";
import { ownTables, tableType } from "../../../kernels/index.js";
import { check } from "../../../kernels/parameters.js";
import { dimensionsOf, impossible, LOAD_FACTOR, moved, pointKey, startOf, valuesOf } from "./space.js";

const warpcore = tableType("warpcore");
const stash = tableType("stash");

test.each(ownTables.flatMap((type) => type.parameters.map((one) => [type.id, one.name] as const)))(
  "%s takes the values of %s that are tried, its default first",
  (id, name) => {
    const type = tableType(id);
    const parameter = type.parameters.find((one) => one.name === name);
    if (!parameter) throw new Error("no parameter");
    const values = valuesOf(parameter);
    expect(values[0]).toBe(parameter.default);
    expect(new Set(values).size).toBe(values.length);
    expect(values.length).toBeGreaterThan(1);
    for (const value of values) expect(() => check(id, type.parameters, { [name]: value })).not.toThrow();
  },
);

test("a range gives values around its default, a short one all that it has", () => {
  const range = { name: "x", meaning: "", from: 1, to: 100, integer: true } as const;
  expect(valuesOf({ ...range, default: 8 })).toEqual([8, 2, 4, 16, 32]);
  expect(valuesOf({ ...range, to: 4, default: 2 })).toEqual([2, 1, 3, 4]);
  expect(valuesOf({ ...range, from: 0, to: 65535, default: 0 })).toEqual([0, 15, 255, 4095, 65535]);
  expect(valuesOf({ ...range, from: 0, to: 1, integer: false, default: "auto" })).toEqual([
    "auto",
    0,
    0.25,
    0.5,
    0.75,
    1,
  ]);
});

test("what changes the task is left alone unless it is asked for", () => {
  const names = (vary?: string[]) =>
    dimensionsOf(stash, { fixed: {}, loadFactors: [0.8], ...(vary ? { vary } : {}) }).map(({ name }) => name);
  expect(names()).toEqual(["ticket", "board", "passed"]);
  expect(names(["keyBytes"])).toEqual(["keyBytes"]);
});

test("what is set by hand is not varied, and stays", () => {
  const space = { fixed: { group: 4 }, loadFactors: [0.8, 0.9] };
  expect(dimensionsOf(warpcore, space).map(({ name }) => name)).toEqual([
    "scheme",
    "read",
    "pairs",
    "warp",
    LOAD_FACTOR,
  ]);
  const start = startOf(warpcore, space);
  expect(start).toEqual({ loadFactor: 0.8, params: { group: 4 } });
  expect(moved(warpcore, moved(warpcore, start, "scheme", "linear"), LOAD_FACTOR, 0.9)).toEqual({
    loadFactor: 0.9,
    params: { group: 4, scheme: "linear" },
  });
});

test("back at a default a point is the one that it was", () => {
  const start = startOf(warpcore, { fixed: {}, loadFactors: [0.8] });
  const there = moved(warpcore, start, "group", 16);
  expect(pointKey(there)).not.toBe(pointKey(start));
  expect(pointKey(moved(warpcore, there, "group", 8))).toBe(pointKey(start));
});

test("points that the table does not take are known without a device", () => {
  expect(impossible(stash, { loadFactor: 0.8, params: { ticket: 1, passed: true } })).not.toBe("");
  expect(impossible(tableType("cuckoo"), { loadFactor: 0.6, params: { functions: 2 } })).toMatch(/at most 0\.476/);
  expect(impossible(stash, { loadFactor: 0.8, params: {} })).toBe("");
});
