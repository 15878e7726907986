import { afterEach, expect, test, vi } from "vitest";
import { UsageError } from "../../kernels/device/errors.js";
import type { CellSpec } from "../base/experiment.js";
import type { BenchContext } from "./benchmark.js";
import { type CpuTable, cpuTables, jsMap, typedArray } from "./cpu/tables.js";
import { cpuBenchmark } from "./cpu.js";

const cell: CellSpec = {
  experiment: "tables/load-factor",
  bench: "cpu",
  table: "typed-array",
  variant: "",
  op: "find",
  dataset: "random",
  n: 2000,
  loadFactor: 0.8,
  positiveRatio: 0.25,
  seed: 9,
  params: { lookups: 4001 },
};
// CPU cells use neither device nor device keys.
const prepare = (change: Partial<CellSpec>) => cpuBenchmark.prepare({ ...cell, ...change }, {} as BenchContext);

afterEach(() => vi.restoreAllMocks());

/** From here on the CPU tables are changed by `wrap`. */
function planted(wrap: (right: CpuTable) => Partial<CpuTable>): void {
  const create = typedArray.create;
  vi.spyOn(typedArray, "create").mockImplementation((n, loadFactor) => {
    const right = create(n, loadFactor);
    return { ...right, ...wrap(right) };
  });
}

/** The queries of a cell, in order, and how many of them are of keys that were inserted. */
async function asked(change: Partial<CellSpec>): Promise<{ queries: number[]; positives: number; keys: Set<number> }> {
  const keys = new Set<number>();
  let queries: number[] = [];
  planted((right) => ({
    insert: (inserted, values) => {
      for (const key of inserted) keys.add(key);
      right.insert(inserted, values);
    },
    find: (wanted, results) => {
      queries = [...wanted];
      right.find(wanted, results);
    },
  }));
  const prepared = await prepare(change);
  await prepared.sample();
  expect(prepared.operations).toBe(queries.length);
  return { queries, positives: queries.filter((key) => keys.has(key)).length, keys };
}

/** What a find and an insert say of the planted fault. */
async function verdicts(): Promise<string[]> {
  const find = await prepare({});
  const insert = await prepare({ op: "insert", positiveRatio: null, params: {} });
  if (insert.mutates) await insert.reset();
  await insert.sample();
  return [await find.verify(), await insert.verify()];
}

test.each(cpuTables)("$id is timed, and found right", async ({ id }) => {
  for (const op of ["insert", "find"]) {
    const prepared = await prepare({ table: id, op });
    if (prepared.mutates) await prepared.reset();
    expect(await prepared.sample()).toBeGreaterThan(0);
    expect(await prepared.verify()).toBe("");
  }
});

test("equal seeds give equal inputs, other seeds others", async () => {
  const hash = async (seed: number) => (await prepare({ seed })).dataHash;
  expect(await hash(1)).toBe(await hash(1));
  expect(await hash(1)).not.toBe(await hash(2));
});

test("one wrong value in the last answer is noticed, and named", async () => {
  planted((right) => ({
    find: (queries, results) => {
      right.find(queries, results);
      results[results.length - 1] = (results.at(-1) ?? 0) ^ 1;
    },
  }));
  expect(await verdicts()).toEqual([
    expect.stringMatching(/^result 4000 is \d+ for key \d+, expected \d+$/),
    expect.stringMatching(/^result 1999 is \d+ for key \d+, expected \d+$/),
  ]);
});

test("a lost key is noticed", async () => {
  planted((right) => ({ insert: (keys, values) => right.insert(keys.subarray(100), values.subarray(100)) }));
  for (const verdict of await verdicts()) expect(verdict).toMatch(/is 4294967295 for key/);
});

test("an absent key that is found is noticed", async () => {
  planted((right) => ({
    find: (queries, results) => {
      right.find(queries, results);
      for (const [i, result] of results.entries()) if (result === 0xffffffff) results[i] = 7;
    },
  }));
  for (const verdict of await verdicts()) expect(verdict).toMatch(/is 7 for key \d+, expected 4294967295/);
});

test("answers of an earlier build are noticed, because every build has other values", async () => {
  let builds = 0;
  planted((right) => ({
    clear: () => undefined,
    insert: (keys, values) => {
      if (builds++ === 0) right.insert(keys, values);
    },
  }));
  const prepared = await prepare({ op: "insert", positiveRatio: null, params: {} });
  for (let run = 0; run < 2; run++) {
    if (prepared.mutates) await prepared.reset();
    await prepared.sample();
  }
  expect(await prepared.verify()).toMatch(/^result 0 is/);
});

test("a find that answers nothing is noticed, although an earlier one was right", async () => {
  let finds = 0;
  planted((right) => ({
    find: (queries, results) => {
      if (finds++ === 0) right.find(queries, results);
    },
  }));
  const prepared = await prepare({});
  await prepared.sample();
  expect(await prepared.verify()).toMatch(/^result 0 is/);
});

test.each([0, 0.25, 1 / 3, 0.5, 1])("of all lookups, exactly a share of %d is positive", async (positiveRatio) => {
  const { queries, positives } = await asked({ positiveRatio });
  expect(queries).toHaveLength(4001);
  expect(positives).toBe(Math.round(4001 * positiveRatio));
});

test("positive and negative lookups are mixed", async () => {
  const { queries, keys } = await asked({ positiveRatio: 0.5 });
  const firstHalf = queries.slice(0, 2000).filter((key) => keys.has(key)).length;
  expect(Math.abs(firstHalf - 1000)).toBeLessThan(150);
});

test("without a number of lookups, every key is asked for once, in another order", async () => {
  const { queries, keys } = await asked({ positiveRatio: 1, params: {} });
  expect(queries).toHaveLength(2000);
  expect(new Set(queries)).toEqual(keys);
  expect(queries).not.toEqual([...keys]);
});

test("more pairs than a Map holds are bad usage", async () => {
  const tooMany = prepare({ table: jsMap.id, n: 2 ** 24 + 1 });
  await expect(tooMany).rejects.toBeInstanceOf(UsageError);
  await expect(tooMany).rejects.toThrow("js-map: n = 16777217, but a Map holds at most 2^24 entries");
});
