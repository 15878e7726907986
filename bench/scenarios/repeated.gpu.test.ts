import { expect, test } from "vitest";
import { EMPTY } from "../../kernels/common/steps.js";
import { UsageError } from "../../kernels/device/errors.js";
import { ownTables } from "../../kernels/index.js";
import { misra } from "../../kernels/misra/misra.js";
import type { TableType } from "../../kernels/table.js";
import type { CellSpec } from "../base/experiment.js";
import { testGpu } from "../device/testing.js";
import type { Benchmark } from "./benchmark.js";
import type { TableBenchmark } from "./gpu-tables.js";
import { repeatedBenchmark } from "./repeated.js";
import { tableBenchmark } from "./table.js";
import { cellOf, cellsOn, type Faults, onHost, sampled } from "./testing.js";

const gpu = testGpu();
const cells = cellsOn(gpu);
const N = 3001;
const cell = cellOf({ bench: "repeated", n: N, seed: 1, params: { multiplicity: 4 } });
const asking: Partial<CellSpec> = { op: "find", positiveRatio: 1 };

const by = (benchmark: TableBenchmark, type: TableType): Pick<Benchmark, "prepare"> => ({
  prepare: (spec, context) => benchmark.prepareAs(type, spec, context),
});

function prepare(type: TableType, change: Partial<CellSpec> = {}, benchmark = repeatedBenchmark) {
  return cells.prepare({ ...cell, table: type.id, ...change }, by(benchmark, type));
}

/** Two samples of a cell of this table. */
function measured(type: TableType, change: Partial<CellSpec>) {
  return cells.measured({ ...cell, table: type.id, ...change }, by(repeatedBenchmark, type));
}

/** What verification says of a table with planted faults. */
async function verdict(type: TableType, change: Partial<CellSpec> = {}): Promise<string> {
  const prepared = await prepare(type, change);
  await sampled(prepared, 1);
  return prepared.verify();
}

const KINDS = ["member", "id", "range"] as const;
/** Mean numbers of copies: 1, some, one more for some keys than for others, and all keys equal. */
const kinds = KINDS.flatMap((answers) => [1, 4, 1.5, 100, N].map((multiplicity) => ({ answers, multiplicity })));

test.each(kinds)("a right table that answers with $answers passes at multiplicity $multiplicity", async (point) => {
  const { answers, multiplicity } = point;
  const params = { multiplicity };
  const built = await measured(onHost(answers), { params });
  const found = await measured(onHost(answers), { ...asking, params });
  expect([built.wrong, found.wrong]).toEqual(["", ""]);
  const distinct = Math.round(N / multiplicity);
  expect(built.metrics.load_factor_reached).toBeCloseTo(distinct / Math.ceil(N / 0.8));
  expect(built.metrics.build_find_time).toBeUndefined();
  // Medians of a build and of a retrieval.
  expect(found.metrics.build_find_time).toBe(1000 + 1);
  expect(found.metrics.restarts).toBeGreaterThanOrEqual(4);
});

test("every key occurs as often as the others, or once more, in random order; queries are of the same keys", async () => {
  const seen: Uint32Array[] = [];
  const faults = { results: (_: Uint32Array, keys: Uint32Array) => seen.push(keys) };
  const prepared = await prepare(onHost("member", faults), { ...asking, params: { multiplicity: 7 } });
  await prepared.sample();
  const [queries = new Uint32Array()] = seen;
  expect(queries.length).toBe(N);
  const counts = new Map<number, number>();
  for (const key of queries) counts.set(key, (counts.get(key) ?? 0) + 1);
  expect(counts.size).toBe(429);
  expect(new Set(counts.values())).toEqual(new Set([6, 7]));
  // Not one round of all keys after the other.
  expect(new Set(queries.subarray(0, 429)).size).toBeLessThan(350);
});

test("queries come in another order than the items, and both decide the hash of the input", async () => {
  const inputs: Uint32Array[] = [];
  const type = onHost("member", { results: (_, keys) => inputs.push(keys) });
  const spy: TableType = {
    ...type,
    create: async (device, options) => {
      const table = await type.create(device, options);
      const insert = table.insert.bind(table);
      table.insert = async (run, pairs) => {
        inputs.push(await device.read(pairs.keys, pairs.n));
        return insert(run, pairs);
      };
      return table;
    },
  };
  const prepared = await prepare(spy, asking);
  await prepared.sample();
  const [built, queried] = inputs;
  expect(queried).not.toEqual(built);
  expect([...(queried ?? [])].sort()).toEqual([...(built ?? [])].sort());
  const hashes = [prepared, await prepare(spy), await prepare(spy, { seed: 2 }), await prepare(spy, asking)];
  const [find, insert, other, again] = hashes.map(({ dataHash }) => dataHash);
  expect(again).toBe(find);
  expect(find?.startsWith(insert ?? "-")).toBe(true);
  expect(find).not.toBe(insert);
  expect(other).not.toBe(insert);
});

/** Changes answers of the retrieval that asks for `n` keys: each kind of them asks for another number. */
const planted = (n: number, change: (words: Uint32Array) => void): Faults => ({
  results: (results, keys) => {
    if (keys.length === n) change(results);
  },
});
const DISTINCT = 750;
const POOL = 1024;

test.each([
  ["a member left out", "member", planted(DISTINCT, (words) => words.fill(0, 7, 8)), /^1 of 750 of the different keys/],
  ["two queries", "member", planted(N, (words) => words.fill(EMPTY, 5, 7)), /^2 of 3001 .* number 5 .*0xffffffff\)$/],
  ["an absent member", "member", planted(POOL, (words) => words.fill(1, 9, 10)), /^1 of 1024 words .* absent keys/],
  ["another key's id", "id", planted(DISTINCT, (words) => words.copyWithin(3, 4, 5)), /^1 of 750 .* number 3 /],
  [
    "an id too large",
    "id",
    planted(DISTINCT, (words) => words.fill(DISTINCT, 0, 1)),
    /^1 of 750 of the different keys/,
  ],
  ["a query's id too large", "id", planted(N, (words) => words.fill(DISTINCT, 8, 9)), /^1 of 3001 of the queries/],
  ["a query's id", "id", planted(N, (words) => words.set([(words[8] ?? 0) ^ 1], 8)), /^1 of 3001 of the queries/],
  ["an absent key's id", "id", planted(POOL, (words) => words.fill(0, 9, 10)), /absent keys/],
  ["a key listed twice", "id", { list: (list: Uint32Array) => list.copyWithin(0, 1, 2) }, /^1 of 750 of the different/],
  ["too many values", "range", planted(DISTINCT, (words) => words.fill(6, 1, 2)), /^1 of 750 keys .* number 0 /],
  ["a range past the end", "range", planted(DISTINCT, (words) => words.fill(N - 3, 0, 1)), /have a wrong range/],
  ["a range past all words", "range", planted(DISTINCT, (words) => words.fill(EMPTY - 2, 0, 1)), /have a wrong range/],
  ["another key's range", "range", planted(DISTINCT, (words) => words.copyWithin(0, 2, 3)), /^1 of 750 keys/],
  ["a wrong value", "range", { list: (list: Uint32Array) => list.set([(list[11] ?? 0) ^ 4], 11) }, /^1 of 750 keys/],
  [
    "a value twice",
    "range",
    { list: (list: Uint32Array) => list.copyWithin(0, 4, 5) },
    /^1 of 750 keys .* other values/,
  ],
  [
    "a query's begin",
    "range",
    planted(N, (words) => words.set([(words[20] ?? 0) + 1], 20)),
    /^1 of 3001 .* number 10 /,
  ],
  [
    "a query's count",
    "range",
    planted(N, (words) => words.set([(words[21] ?? 0) - 1], 21)),
    /^1 of 3001 .* number 10 /,
  ],
  ["half an absent key", "range", planted(POOL, (words) => words.fill(0, 19, 20)), /^1 of 2048 words .* absent keys/],
  [
    "a wrong number of keys",
    "id",
    { distinct: (all: number) => all - 1 },
    /^the table counts 749 different keys of 750$/,
  ],
] as const)("planted, and seen: %s, in answers of kind %s", async (_, answers, faults, expected) => {
  expect(await verdict(onHost(answers, faults), asking)).toMatch(expected);
});

test("ids that are not those of the list's places are seen", async () => {
  // As many keys are asked for as the list has: the second time they are the list's.
  let asked = 0;
  const faults = planted(DISTINCT, (words) => {
    if (++asked === 2) words.copyWithin(0, 1, 2);
  });
  expect(await verdict(onHost("id", faults))).toMatch(/^1 of 750 listed keys have another id than their place/);
});

test("the values of the build before are seen", async () => {
  let kept: Uint32Array | undefined;
  const faults: Faults = {
    list: (list) => {
      kept ??= list.slice();
      list.set(kept);
    },
  };
  const prepared = await prepare(onHost("range", faults));
  for (const expected of ["", /^750 of 750 keys have a wrong range, or other values in it/]) {
    if (prepared.mutates) await prepared.reset();
    await prepared.sample();
    const wrong = await prepared.verify();
    if (typeof expected === "string") expect(wrong).toBe(expected);
    else expect(wrong).toMatch(expected);
  }
});

test("an answer that is not written is seen", async () => {
  const type = onHost("member");
  const lazy: TableType = {
    ...type,
    create: async (device, options) => {
      const table = await type.create(device, options);
      const find = table.find.bind(table);
      table.find = (run, lookups) => find(run, { ...lookups, n: lookups.n - 1 });
      return table;
    },
  };
  expect(await verdict(lazy, asking)).toMatch(/^1 of 750 .* number 749 .*0xdeadbeef\)$/);
});

test("a table whose list is missing or too short is wrong", async () => {
  const type = onHost("range");
  const short: TableType = {
    ...type,
    create: async (device, options) => {
      const table = await type.create(device, options);
      const list = await device.alloc("short list", 16);
      return {
        ...{ slots: table.slots, bytes: 0, storage: { list }, clear: () => table.clear() },
        insert: (run, pairs) => table.insert(run, pairs),
        find: (run, lookups) => table.find(run, lookups),
      };
    },
  };
  expect(await verdict(short)).toBe("the list has room for 4 words, not for 3001");
});

test("a table without a load factor has none to reach", async () => {
  const { metrics } = await measured({ ...onHost("id"), dense: true }, { loadFactor: null });
  expect(metrics.load_factor_reached).toBeUndefined();
  expect(metrics.restarts).toBeGreaterThan(0);
});

test.each([
  [{ params: {} }, /multiplicity is undefined; it goes from 1 to the number of items, 3001/],
  [{ params: { multiplicity: 0.5 } }, /multiplicity is 0\.5/],
  [{ params: { multiplicity: N + 1 } }, /multiplicity is 3002/],
  [{ loadFactor: null }, /needs a load factor/],
  [{ dataset: "zipf:1" }, /zipf:1 has duplicates/],
  [{ op: "erase" }, /has no erase/],
  [{ ...asking, positiveRatio: 0.5 }, /queried as often as they occur/],
  [{ ...asking, params: { multiplicity: 4, lookups: 10 } }, /has no parameter lookups/],
] as const)("bad usage %# is refused in a line", async (change, expected) => {
  const refused = prepare(onHost("id"), change);
  await expect(refused).rejects.toBeInstanceOf(UsageError);
  await expect(refused).rejects.toThrow(expected);
});

test("values are for one benchmark, members, ids and ranges for the other", async () => {
  const { answers: _, ...withValues } = onHost("id");
  for (const refused of [prepare(withValues), prepare(onHost("id"), {}, tableBenchmark)])
    await expect(refused).rejects.toBeInstanceOf(UsageError);
  await expect(prepare(onHost("range"), {}, tableBenchmark)).rejects.toThrow(/answers with ranges, not values/);
});

/** Few items: SwiftShader takes long to sort. */
const tables = ownTables.flatMap((type) =>
  type.answers ? [1, 7].map((multiplicity) => ({ id: type.id, type, multiplicity })) : [],
);
test.each(tables)("$id is verified and counted at multiplicity $multiplicity", async ({ type, multiplicity }) => {
  const loadFactor = type.dense ? null : Math.min(0.8, type.maxLoadFactor);
  for (const change of [{}, asking]) {
    const at = { ...change, n: 1500, loadFactor, params: { multiplicity } };
    const { wrong, metrics } = await measured(type, at);
    expect(wrong).toBe("");
    expect(metrics.transactions).toBeGreaterThan(0);
    expect(metrics.warp_efficiency).toBeGreaterThan(0);
    expect(metrics.warp_efficiency).toBeLessThanOrEqual(1);
  }
});

test("a set's erasures are counted, and no key is found after them", async () => {
  const erased = await measured(misra, { op: "erase" });
  expect(erased.wrong).toBe("");
  // The first of a key's copies finds it, the others an end.
  expect(erased.metrics.probes).toBeGreaterThan(1 / 4);
  const lazy: TableType = {
    ...misra,
    create: async (device, options) => {
      const table = await misra.create(device, options);
      table.erase = async () => ({ ns: 1, count: Math.round(N / 4), restarts: 0 });
      return table;
    },
  };
  expect(await verdict(lazy, { op: "erase" })).toMatch(/words of answers to erased keys are not EMPTY/);
});
