import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packageRoot } from "../base/paths.js";
import { patterns } from "../scenarios/limits/patterns.js";
import { resultFiles } from "./read.js";
import { readReferences, references } from "./reference-files.js";
import { type AccessReference, fastest, isAccess, type TableReference } from "./references.js";
import { temporaryFolder } from "./testing.js";

const reference: TableReference = {
  library: "BGHT",
  variant: "b16",
  device: "NVIDIA H200",
  driver: "1",
  date: "",
  n: 1000,
  load_factor: 0.8,
  op: "find",
  positive_ratio: 0.5,
  lookups: 2000,
  mops: 10,
  check: "ok",
};

const access: AccessReference = {
  library: "atomicCAS, 4 B",
  variant: "cudaMalloc",
  device: "NVIDIA H200",
  driver: "1",
  date: "",
  access: "cas",
  table_mib: 4096,
  op: "modify",
  mops: 10,
  check: "ok",
};

test("the libraries that are kept are valid: six, insertions and finds of three shares of present keys", () => {
  const all = references().flatMap((one) => (isAccess(one) ? [] : [one]));
  expect(new Set(all.map(({ library }) => library)).size).toBe(6);
  expect(new Set(all.map(({ op, positive_ratio }) => `${op} ${positive_ratio}`)).size).toBe(4);
  for (const { load_factor, mops } of all) {
    expect(load_factor > 0 && load_factor <= 1).toBe(true);
    expect(mops).toBeGreaterThan(0);
  }
});

test("the accesses that are kept are of our patterns and their kind, once at each size, from below a binding to beyond 24 GiB", () => {
  const all = references().filter(isAccess);
  expect(new Set(all.map(({ library, access }) => `${access}: ${library}`))).toEqual(
    new Set(["lookup32: lookups, 32 B", "cas: atomicCAS, 4 B"]),
  );
  for (const { access, op, mops } of all) {
    expect(patterns.find(({ id }) => id === access)?.kind, access).toBe(op);
    expect(mops).toBeGreaterThan(0);
  }
  const places = all.map(({ device, access, table_mib }) => `${device} ${access} ${table_mib}`);
  expect(new Set(places).size).toBe(places.length);
  const sizes = all.filter(({ device }) => device === "NVIDIA H200").map(({ table_mib }) => table_mib);
  expect([Math.min(...sizes) < 2048, Math.max(...sizes) > 24576]).toEqual([true, true]);
  expect(all.filter(({ device }) => device !== "NVIDIA H200").map(({ table_mib }) => table_mib)).toEqual([
    12288, 12288,
  ]);
});

test("of the variants of a library the fastest at a place stands for it", () => {
  const b8 = { ...reference, variant: "b8", mops: 12 };
  const other = { ...reference, library: "CUDPP", mops: 11 };
  const sparse = { ...reference, load_factor: 0.5, mops: 13 };
  expect(fastest([reference, b8, other, sparse])).toEqual([b8, other, sparse]);
});

test("a table that gave a wrong answer gives no rate, not even one of its right answers", () => {
  const b8 = { ...reference, variant: "b8", mops: 12 };
  const insert: TableReference = { ...b8, op: "insert", positive_ratio: null, lookups: null, check: "wrong" };
  expect(fastest([reference, b8, insert])).toEqual([reference]);
  // At another load factor it is another table.
  expect(fastest([b8, { ...insert, load_factor: 0.9 }])).toEqual([b8]);
  // A table of accesses is another at each size.
  const larger = { ...access, table_mib: 8192 };
  expect(fastest([access, { ...access, mops: 12 }, larger])).toEqual([{ ...access, mops: 12 }, larger]);
  expect(fastest([access, { ...larger, check: "wrong" as const }])).toEqual([access]);
});

test("a broken file is refused in one line that names line and column", () => {
  const folder = temporaryFolder();
  expect(readReferences(folder)).toEqual([]);
  expect(readReferences(join(folder, "nowhere"))).toEqual([]);
  const head = Object.keys(reference).join(",");
  writeFileSync(join(folder, "a.csv"), `${head}\nBGHT,b16,NVIDIA H200,1,,1000,0.8,find,0.5,2000,fast,ok\n`);
  expect(() => readReferences(folder)).toThrow(/a\.csv:2: mops: not a number$/);
});

test("a file is of tables or of accesses by its columns, and has those of one kind only", () => {
  const read = (...lines: string[]) => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "a.csv"), lines.map((line) => `${line}\n`).join(""));
    return readReferences(folder);
  };
  const head = Object.keys(access).join(",");
  const line = '"atomicCAS, 4 B",cudaMalloc,NVIDIA H200,1,,cas,4096,modify,10,ok';
  expect(read(head, line)).toEqual([access]);
  expect(() => read(head, line.replace("4096", ""))).toThrow(/a\.csv:2: table_mib: not a number$/);
  expect(() => read(`${head},n`, `${line},1000`)).toThrow(/a\.csv:2: .*"n"/);
});

test("references are no results, wherever they lie below a folder of results", () => {
  const file = join(packageRoot, "results", "references");
  expect(resultFiles(file)).toEqual([]);
  const folder = temporaryFolder();
  mkdirSync(join(folder, "references"));
  writeFileSync(join(folder, "references", "a.csv"), `${Object.keys(reference).join(",")}\n`);
  expect(resultFiles(folder)).toEqual([]);
});
