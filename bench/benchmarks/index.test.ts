import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { configure, conflictOf } from "../../kernels/define.js";
import { allTables } from "../../kernels/index.js";
import { packageRoot } from "../paths.js";
import { allSeries, benchmarks, knownSeries } from "./index.js";
import { patterns } from "./limits/patterns.js";

const each = test.each(Object.entries(benchmarks));

each("%s declares its series once each, with operations of its own", (_, { operations, series }) => {
  const ids = series().map(({ id }) => id);
  expect(ids.length).toBeGreaterThan(0);
  expect(new Set(ids).size).toBe(ids.length);
  const known = operations.map(({ id }) => id);
  for (const { id, ops } of series()) {
    expect(ops.length, id).toBeGreaterThan(0);
    for (const op of ops) expect(known, id).toContain(op);
  }
});

test("CPU tables of one thread are measured beside the GPU, by the CPU's clock, and no others", () => {
  const beside = Object.values(benchmarks).flatMap(({ series, besideGpu, clock }) =>
    series().flatMap(({ id }) => (besideGpu?.(id) ? [`${id} ${clock}`] : [])),
  );
  expect(beside).toEqual(["js-map cpu", "typed-array cpu"]);
});

test("every operation of every table is measured by some benchmark", () => {
  const measured = Object.values(benchmarks).flatMap(({ series }) =>
    series().flatMap(({ id, ops }) => ops.map((op) => `${id} ${op}`)),
  );
  for (const { id, ops } of allTables()) for (const op of ops) expect(measured).toContain(`${id} ${op}`);
});

test("the access that an operation cannot avoid is one of device/limits, whatever a parameter is", () => {
  const known = patterns.map(({ id }) => id);
  for (const type of allTables())
    for (const params of [
      {},
      ...type.parameters.flatMap((one) => ("values" in one ? one.values.map((value) => ({ [one.name]: value })) : [])),
    ]) {
      if (conflictOf(type, params)) continue;
      const { id, ops, access } = configure(type, params);
      for (const op of ops) expect(known, `${id} ${JSON.stringify(params)}`).toContain(access(op).pattern);
    }
});

test("GPH's bucket has the size that its parameters say", () => {
  const gph = allTables().find(({ id }) => id === "gph");
  const blocks = (params: Record<string, number>) => gph && configure(gph, params).access("find");
  expect(blocks({})).toMatchObject({ pattern: "lookup128x4", times: 1 });
  expect(blocks({ M: 8 })).toMatchObject({ pattern: "lookup64x4", times: 1 });
  expect(blocks({ M: 4, h: 4 })).toMatchObject({ pattern: "lookup32", times: 1 });
  expect(blocks({ pairBytes: 16 })).toMatchObject({ pattern: "lookup128x4", times: 2 });
});

test("tables whose keys repeat and tables of values have benchmarks of their own", () => {
  for (const { id, answers } of allTables()) {
    expect(knownSeries("repeated", id) !== undefined, id).toBe(answers !== undefined);
    expect(knownSeries("table", id) !== undefined, id).toBe(answers === undefined);
  }
});

test("an id that several benchmarks know is listed once", () => {
  const ids = allSeries().map(({ id }) => id);
  expect(ids.filter((id) => id === "cuckoo")).toHaveLength(1);
  expect(ids).toContain("js-map");
  expect(ids).toContain("update8");
});

test("results/README.md names every benchmark", () => {
  const readme = readFileSync(join(packageRoot, "results", "README.md"), "utf8");
  const [line = ""] = /^\| `bench` \|.*$/m.exec(readme) ?? [];
  const named = [...line.matchAll(/`([a-z-]+)`/g)].map(([, name]) => name);
  expect(named.sort()).toEqual(["bench", ...Object.keys(benchmarks)].sort());
});
