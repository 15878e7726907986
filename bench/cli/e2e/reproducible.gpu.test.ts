import { beforeAll, expect, test } from "vitest";
import { rowKey } from "../../results/key.js";
import type { ResultRow } from "../../results/record.js";
import { cellNames, device, hashbench, rowNames, rowsOf, temporary } from "./testing.js";

const options = [
  ...["run", "gph/fig10", "--tables", "double-hashing", "--device", device, "--n", "3000"],
  ...["--max-noise", "0.9", "--no-plots", "--json"],
];

async function measured(...more: string[]): Promise<ResultRow[]> {
  const ended = await hashbench(...options, ...more, "--out", temporary());
  expect(ended.lines.at(-1)).toMatch(/^\[\d+\/\d+\]/);
  expect(ended.code).toBe(0);
  return rowsOf(ended);
}

/** Hashes of the input by cell; the seed is left out of the cell's name. */
function hashes(rows: readonly ResultRow[]): Record<string, string> {
  const found = Object.fromEntries(rows.map((row) => [rowKey({ ...row, seed: 0 }), row.data_hash]));
  return Object.fromEntries(Object.entries(found).sort());
}

let first: ResultRow[];

beforeAll(async () => {
  first = await measured("--seed", "7");
});

test("every cell has a hash of its input", () => {
  expect(Object.values(hashes(first)).filter((hash) => !/^[0-9a-f]{16,}$/.test(hash))).toEqual([]);
});

test("another seed gives the same cells with other inputs", async () => {
  const other = hashes(await measured("--seed", "8"));
  const before = hashes(first);
  expect(Object.keys(other)).toEqual(Object.keys(before));
  for (const [cell, hash] of Object.entries(other)) expect(hash, cell).not.toBe(before[cell]);
});

test("the shards together are the whole run, with the same cells, metrics and inputs, and no cell is in two", async () => {
  const shards: ResultRow[][] = [];
  for (const shard of ["1/2", "2/2"]) shards.push(await measured("--seed", "7", "--shard", shard));
  expect(shards.flatMap(cellNames).sort()).toEqual(cellNames(first));
  expect(rowNames(shards.flat())).toEqual(rowNames(first));
  expect(hashes(shards.flat())).toEqual(hashes(first));
});
