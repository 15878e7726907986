import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { bucketed } from "../../kernels/bucketed/bucketed.js";
import { configure, conflictOf } from "../../kernels/define.js";
import { FakeGpu } from "../../kernels/device/fake.js";
import { ownTables } from "../../kernels/index.js";
import type { Params } from "../../kernels/table.js";
import type { CellSpec } from "../base/experiment.js";
import { packageRoot } from "../base/paths.js";
import { Shared } from "../measure/shared.js";
import { PLAIN } from "./allocation.js";
import type { KeyCache } from "./benchmark.js";
import { allSeries, benchmarks, bytesOf, knownSeries, prepare } from "./index.js";
import { type Pattern, patterns } from "./limits/patterns.js";
import { cellOf } from "./testing.js";
import { loadKeys } from "./workload/keys.js";

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
  const beside = Object.values(benchmarks).flatMap(({ series, runs, clock }) =>
    series().flatMap(({ id }) => (runs?.besideGpu ? [`${id} ${clock}`] : [])),
  );
  expect(beside).toEqual(["js-map cpu", "typed-array cpu"]);
});

test("every operation of every table is measured by some benchmark", () => {
  const measured = Object.values(benchmarks).flatMap(({ series }) =>
    series().flatMap(({ id, ops }) => ops.map((op) => `${id} ${op}`)),
  );
  for (const { id, ops } of ownTables) for (const op of ops) expect(measured).toContain(`${id} ${op}`);
});

/** Bytes that an access moves; a copy reads what it writes. */
const movedBy = ({ kind, blockBytes }: Pattern) => (kind === "copy" ? 2 : 1) * blockBytes;

test("the access that an operation cannot avoid is one of device/limits, of the bytes that it is said to have, whatever a parameter is", () => {
  for (const type of ownTables)
    for (const params of [
      {},
      ...type.parameters.flatMap((one) => ("values" in one ? one.values.map((value) => ({ [one.name]: value })) : [])),
    ]) {
      if (conflictOf(type, params)) continue;
      const { id, ops, access } = configure(type, params);
      for (const [op, present] of ops.flatMap((op) => [[op, 1] as const, [op, 0] as const])) {
        const { pattern, times = 1, why = "" } = access(op, present) ?? {};
        const name = `${id} ${op} ${present} ${JSON.stringify(params)}`;
        const found = patterns.find((one) => one.id === pattern);
        expect(found, name).toBeDefined();
        const [, bytes] = /(\d+)[- ]bytes?/.exec(why) ?? [];
        if (found && bytes) expect(times * movedBy(found), `${name}: ${why}`).toBe(Number(bytes));
      }
    }
});

test("a cell has the access that its table declares, as often, into all bytes of the table", async () => {
  const gpu = new FakeGpu();
  const keys: KeyCache = { get: (dataset, n, seed) => loadKeys(gpu, dataset, n, seed) };
  const cell = cellOf({ n: 1000, params: { partitioned: true } });
  const { access } = await prepare(cell, gpu, keys, new Shared(gpu));
  const tableBytes = configure(bucketed, cell.params).bytes(cell.n, 0.8);
  expect(access).toEqual({ pattern: "copy", times: 50 / 32, tableBytes });
});

test("a key that stash's board refuses costs an access to the board, and none to the table", async () => {
  const gpu = new FakeGpu();
  const keys: KeyCache = { get: (dataset, n, seed) => loadKeys(gpu, dataset, n, seed) };
  // Cells that ask one table.
  const shared = new Shared(gpu);
  const accessOf = async (positiveRatio: number, params: CellSpec["params"] = {}, table = "stash") => {
    const cell = cellOf({ n: 1000, table, op: "find", positiveRatio, params });
    return (await prepare(cell, gpu, keys, shared)).access;
  };
  const [present, absent] = [await accessOf(1), await accessOf(0)];
  expect(present?.pattern).toBe("lookup8");
  expect(absent?.pattern).toBe("lookup4");
  expect(absent?.tableBytes).toBeLessThan((present?.tableBytes ?? 0) / 4);
  expect(await accessOf(0, { board: false })).toMatchObject({ pattern: "lookup8" });
  // Fingerprints are a fifth of the bytes; where they say nothing of it, the access is into the rest.
  const fingerprints = ownTables.find(({ id }) => id === "fingerprints");
  const bytes = fingerprints?.bytes(1000, 0.8) ?? 0;
  const [pair, index] = [await accessOf(1, {}, "fingerprints"), await accessOf(0, {}, "fingerprints")];
  expect(pair).toMatchObject({ pattern: "lookup8" });
  expect((pair?.tableBytes ?? 0) + (index?.tableBytes ?? 0)).toBe(bytes);
});

test("GPH's bucket has the size that its parameters say, and routed queries cost nothing beside it", () => {
  const gph = ownTables.find(({ id }) => id === "gph");
  const pattern = (params: Params) => gph && configure(gph, params).access("find")?.pattern;
  expect(pattern({})).toBe("lookup128x4");
  expect(pattern({ M: 8 })).toBe("lookup64x4");
  expect(pattern({ M: 4, h: 4 })).toBe("lookup32");
  expect(pattern({ pairBytes: 16 })).toBe("lookup128x4");
  expect(pattern({ index: "workgroup", routing: "before" })).toBe("read128x4");
});

test("tables whose keys repeat and tables of values have benchmarks of their own", () => {
  for (const { id, answers } of ownTables) {
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

test("the benchmarks that results/README.md names are there", () => {
  const readme = readFileSync(join(packageRoot, "results", "README.md"), "utf8");
  const [line = ""] = /^\| `bench` \|.*$/m.exec(readme) ?? [];
  const named = [...line.matchAll(/`([a-z-]+)`/g)].map(([, name = ""]) => name);
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((name) => name !== "bench" && !(name in benchmarks))).toEqual([]);
});

test("cells of plain allocations share memory with one another, and with no other cells", () => {
  const cells = [
    cellOf({ bench: "limit", table: "lookup32", op: "lookup", params: { tableMiB: 16 } }),
    cellOf({ op: "find", positiveRatio: 1, params: { lookups: 1000 } }),
  ];
  for (const cell of cells) {
    const namesOf = (params: CellSpec["params"]) =>
      Object.keys(bytesOf({ ...cell, params: { ...cell.params, ...params } }).shared);
    const [usual, plain] = [namesOf({}), namesOf(PLAIN)];
    expect(usual.length).toBe(2);
    expect(plain.length).toBe(2);
    expect(plain.filter((name) => usual.includes(name))).toEqual([]);
    expect(namesOf(PLAIN)).toEqual(plain);
  }
});

test("a table that was built for finds is built once for usual cells and once for those of plain allocations", async () => {
  const gpu = new FakeGpu();
  const keys: KeyCache = { get: (dataset, n, seed) => loadKeys(gpu, dataset, n, seed) };
  const shared = new Shared(gpu);
  const find = cellOf({ op: "find", n: 1000 });
  const builds = async (cell: CellSpec) => {
    const { length } = gpu.allocations;
    await prepare(cell, gpu, keys, shared);
    return gpu.allocations.slice(length).filter(({ label }) => label.startsWith("bank ")).length > 0;
  };
  const plain = { ...find, params: PLAIN };
  const built = [];
  for (const cell of [find, plain, find, plain])
    for (const positiveRatio of [1, 0.5]) built.push(await builds({ ...cell, positiveRatio }));
  expect(built).toEqual([true, false, true, false, false, false, false, false]);
});
