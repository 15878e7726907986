import { expect, test } from "vitest";
import { queryRows } from "../../datasets/lineitem.js";
import { EMPTY } from "../../kernels/common/steps.js";
import { owned } from "../../kernels/device/owned.js";
import { makeDistinct } from "../../kernels/group-by/distinct.js";
import { makeGroupBy } from "../../kernels/group-by/group-by.js";
import type { CellSpec } from "../base/experiment.js";
import { spared, testGpu, withEdits } from "../device/testing.js";
import { byName, cellOf, cellsOn, sampled } from "./testing.js";
import { GroupedRows } from "./workload/grouped.js";

const gpu = testGpu();
const { prepare, measured } = cellsOn(gpu);
const N = 5003;
/** Kernels as in kernels/group-by/group-by.gpu.test.ts. */
const SMALL = { lanes: 64, slots: 64, turns: 2, workgroups: 8 };
const cell = cellOf({ bench: "group-by", table: "group-by", op: "group", dataset: "", n: N, loadFactor: null });

test.each<[CellSpec["params"], number | undefined]>([
  [{ groups: 3 }, 3],
  [{ groups: 100, plan: "local" }, 100],
  [{ groups: 2000, plan: "partition" }, undefined],
  [{ groups: 900, shape: "zipf", skew: 1 }, undefined],
  [{ groups: 900, shape: "zipf", skew: 1.5 }, undefined],
  [{ groups: 900, shape: "hot" }, undefined],
  [{ shape: "q1", aggregates: "all", columns: 4 }, 4],
  [{ shape: "orders" }, Math.floor(N / 28) * 7 + 6],
])("rows of %o are grouped, and the answer is right", async (params, groups) => {
  const prepared = await prepare({ ...cell, params: { ...SMALL, ...params } });
  await sampled(prepared, 2);
  expect(await prepared.verify()).toBe("");
  const found = byName(await prepared.metrics(1));
  expect(found.groups).toBeLessThanOrEqual(N);
  if (groups) expect(found.groups).toBe(groups);
});

test("lineitem's rows are grouped, and a wrong sum, a group less, one more, or another is seen", async () => {
  const params = { ...SMALL, query: "q1", aggregates: "all", columns: 4 };
  const prepared = await prepare({ ...cell, params });
  await sampled(prepared, 2);
  expect(await prepared.verify()).toBe("");
  expect(byName(await prepared.metrics(1)).groups).toBe(4);
  // Key and columns of rows; key, sums of two words, minima, maxima and a count of groups.
  expect(prepared.access).toMatchObject({ pattern: "copy", tableBytes: (20 * N + 4 * 4 * 18) / 2 });
  const made = await owned(gpu(), async (own) => ({
    rows: await GroupedRows.ofQuery(own, "q18", N, 1),
    by: await makeGroupBy(own, { ...SMALL, aggregates: ["sum"], plan: "local" }),
  }));
  const of = { keys: [] as number[], quantities: [] as number[] };
  for await (const { keys, columns } of queryRows("q18", N, 1)) {
    of.keys.push(...keys);
    of.quantities.push(...(columns[0] ?? []));
  }
  expect([...(await gpu().read(made.rows.keys, N))]).toEqual(of.keys);
  expect([...(await gpu().read(made.rows.columns[0] as GPUBuffer, N))]).toEqual(of.quantities);
  const answer = await made.by.run((...pass) => gpu().time(...pass), made.rows);
  const { groups } = answer;
  expect(groups).toBe(new Set(of.keys).size);
  const wrong = (change = {}) => made.rows.wrong({ ...answer, ...change }, made.by.words);
  expect(await wrong()).toBe("");
  expect(await wrong({ groups: groups - 1 })).toBe("1 groups are missing");
  expect(await wrong({ groups: groups + 1 })).toMatch(/^1 groups are there twice or of no row/);
  const [sum = 0] = await gpu().read(answer.answers, 1);
  gpu().write(answer.answers, 0, Uint32Array.of(sum ^ 1));
  expect(await wrong()).toBe(`sum of column 0 is wrong in 1 of ${groups} groups`);
  const [key = 0, other = 0] = await gpu().read(answer.keys, 2);
  // The second one has bits that no order key has.
  for (const odd of [EMPTY, key | 8, other]) {
    gpu().write(answer.keys, 0, Uint32Array.of(odd));
    expect(await wrong()).toMatch(/^1 groups are there twice or of no row/);
  }
  made.destroy();
});

test("first rows are found, and a wrong one, one out of order or one less is seen", async () => {
  const prepared = await prepare({ ...cell, op: "distinct", params: { ...SMALL, groups: 100 } });
  await sampled(prepared, 2);
  expect(await prepared.verify()).toBe("");
  const made = await owned(gpu(), async (own) => ({
    rows: await GroupedRows.make(own, { n: N, groups: 100, shape: "even", skew: 0, columns: 0, seed: 1 }),
    by: await makeDistinct(own, { ...SMALL, plan: "local" }),
  }));
  const answer = await made.by.run((...pass) => gpu().time(...pass), made.rows);
  expect(await made.rows.wrongFirsts(answer)).toBe("");
  expect(await made.rows.wrongFirsts({ ...answer, distinct: 99 })).toBe("99 first rows of 100 keys");
  const [first = 0, second = 0] = await gpu().read(answer.rows, 2);
  gpu().write(answer.rows, 0, Uint32Array.of(second, first));
  expect(await made.rows.wrongFirsts(answer)).toMatch(/^1 of 100 rows are not the first of their key, or not in order/);
  gpu().write(answer.rows, 0, Uint32Array.of(N - 1));
  expect(await made.rows.wrongFirsts(answer)).toMatch(/^2 of 100 rows/);
  made.destroy();
});

const LATE = { "sorted_keys[row] != sorted_keys[row + 1u]": "sorted_keys[max(row, 1u) - 1u] != sorted_keys[row]" };
const late = cellsOn(() => withEdits(gpu(), "kernels/group-by/ids.wgsl", LATE));
// On SwiftShader without sorts, as group-bys.
test.skipIf(spared)("ids by a sort are right, and those of runs that end a row late are seen", async () => {
  const ids = { ...cell, table: "sorted-rows", op: "ids", params: { groups: 700 } };
  expect(await measured(ids)).toMatchObject({ wrong: "", metrics: { groups: 700 } });
  expect((await late.measured(ids)).wrong).toMatch(/ rows have a wrong id/);
});

test.each(["group-read", "group-modify"])("%s counts each row once, its last one too", async (table) => {
  const prepared = await prepare({ ...cell, table, params: { groups: 100 } });
  await sampled(prepared, 2);
  expect(await prepared.verify()).toBe("");
});

test("an answer with a wrong word, a wrong group, a group twice or one less is seen", async () => {
  const made = await owned(gpu(), async (own) => ({
    rows: await GroupedRows.make(own, { n: N, groups: 100, shape: "even", skew: 0, columns: 1, seed: 1 }),
    by: await makeGroupBy(own, { ...SMALL, aggregates: ["sum"], plan: "local" }),
  }));
  const answer = await made.by.run((...pass) => gpu().time(...pass), made.rows);
  const wrong = (change = {}) => made.rows.wrong({ ...answer, ...change }, made.by.words);
  expect(await wrong()).toBe("");
  expect(await wrong({ groups: 99 })).toBe("1 groups are missing");
  const [sum = 0] = await gpu().read(answer.answers, 1);
  gpu().write(answer.answers, 0, Uint32Array.of(sum ^ 1));
  expect(await wrong()).toBe("sum of column 0 is wrong in 1 of 100 groups");
  const [key = 0, other = 0] = await gpu().read(answer.keys, 2);
  gpu().write(answer.keys, 0, Uint32Array.of(other));
  expect(await wrong()).toMatch(/^1 groups are there twice or of no row, first 0x/);
  gpu().write(answer.keys, 0, Uint32Array.of(key === EMPTY ? 0 : EMPTY));
  expect(await wrong()).toMatch(/^1 groups are there twice or of no row, first 0x00000000/);
  made.destroy();
});

test("rows have groups, and as many columns as are asked for", async () => {
  await expect(prepare({ ...cell, params: { query: "q18", columns: 2 } })).rejects.toThrow("q18: 2 columns of 1");
  await expect(prepare(cell)).rejects.toThrow("parameter groups is missing");
});
