import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packageRoot } from "../paths.js";
import { resultFiles } from "./read.js";
import { fastest, type Reference, readReferences, references } from "./references.js";
import { temporaryFolder } from "./testing.js";

const reference: Reference = {
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

test("the references that are kept are valid: six libraries, insertions and finds of three shares of present keys", () => {
  const all = references();
  expect(new Set(all.map(({ library }) => library)).size).toBe(6);
  expect(new Set(all.map(({ op, positive_ratio }) => `${op} ${positive_ratio}`)).size).toBe(4);
  for (const { load_factor, mops } of all) {
    expect(load_factor > 0 && load_factor <= 1).toBe(true);
    expect(mops).toBeGreaterThan(0);
  }
});

test("of the variants of a library the fastest at a place stands for it", () => {
  const b8 = { ...reference, variant: "b8", mops: 12 };
  const other = { ...reference, library: "CUDPP", mops: 11 };
  const sparse = { ...reference, load_factor: 0.5, mops: 13 };
  expect(fastest([reference, b8, other, sparse])).toEqual([b8, other, sparse]);
});

test("a table that gave a wrong answer gives no rate, not even one of its right answers", () => {
  const b8 = { ...reference, variant: "b8", mops: 12 };
  const insert: Reference = { ...b8, op: "insert", positive_ratio: null, lookups: null, check: "wrong" };
  expect(fastest([reference, b8, insert])).toEqual([reference]);
  // At another load factor it is another table.
  expect(fastest([b8, { ...insert, load_factor: 0.9 }])).toEqual([b8]);
});

test("a broken file is refused in one line that names line and column", () => {
  const folder = temporaryFolder();
  expect(readReferences(folder)).toEqual([]);
  expect(readReferences(join(folder, "nowhere"))).toEqual([]);
  const head = Object.keys(reference).join(",");
  writeFileSync(join(folder, "a.csv"), `${head}\nBGHT,b16,NVIDIA H200,1,,1000,0.8,find,0.5,2000,fast,ok\n`);
  expect(() => readReferences(folder)).toThrow(/a\.csv:2: mops: not a number$/);
});

test("references are no results, wherever they lie below a folder of results", () => {
  const file = join(packageRoot, "results", "references");
  expect(resultFiles(file)).toEqual([]);
  const folder = temporaryFolder();
  mkdirSync(join(folder, "references"));
  writeFileSync(join(folder, "references", "a.csv"), `${Object.keys(reference).join(",")}\n`);
  expect(resultFiles(folder)).toEqual([]);
});
