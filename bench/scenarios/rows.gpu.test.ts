import { expect, test } from "vitest";
import { owned } from "../../kernels/device/owned.js";
import { testGpu } from "../device/testing.js";
import { cellOf, cellsOn } from "./testing.js";
import { GroupedRows } from "./workload/grouped.js";

const gpu = testGpu();
const { measured } = cellsOn(gpu);
const N = 5003;
const cell = cellOf({ bench: "rows", table: "linear-probing", op: "ids", dataset: "", n: N, loadFactor: 0.5 });

test.each([
  { op: "ids", params: { groups: 700, present: 0.5 } },
  { op: "ids", params: { groups: 700, shape: "zipf", combine: true } },
  { op: "sums", params: { groups: 700, shape: "zipf", present: 0.5 } },
])("$op of rows by $params are right", async ({ op, params }) => {
  expect(await measured({ ...cell, op, params })).toMatchObject({ wrong: "", operations: N, metrics: { groups: 700 } });
});

test("an id or a sum that is wrong is seen", async () => {
  const spec = { n: 40, groups: 20, shape: "turns", skew: 0, columns: 1, seed: 1 } as const;
  const made = await owned(gpu(), async (own) => ({
    rows: await GroupedRows.make(own, spec),
    told: await own.alloc("told", 4 * spec.n),
  }));
  const { rows, told } = made;
  const ids = Array.from({ length: spec.n }, (_, row) => row % 20);
  const wrong = (change: Record<number, number>, present = 0) => {
    gpu().write(
      told,
      0,
      Uint32Array.from(ids, (id, row) => change[row] ?? id),
    );
    return rows.wrongIds(told, present);
  };
  expect(await wrong({})).toBe("");
  expect(await wrong({ 3: 4 })).toMatch(/^[12] of 40 rows have a wrong id/);
  expect(await wrong({ 3: 4, 23: 4 })).toMatch(/ rows have a wrong id/);
  expect(await wrong({ 3: 20, 23: 20 })).toBe("2 of 40 rows have a wrong id, the first is row 3");
  // The first five groups have the first ids.
  expect(await wrong({}, 5)).toBe("");
  expect(await wrong({ 3: 7, 23: 7, 7: 3, 27: 3 }, 5)).toBe("4 of 40 rows have a wrong id, the first is row 3");
  const [column] = rows.columns;
  if (!column) throw new Error("no column");
  const values = await gpu().read(column, spec.n);
  const sums = Uint32Array.from({ length: 20 }, (_, group) => (values[group] ?? 0) + (values[group + 20] ?? 0));
  gpu().write(told, 0, sums);
  expect(await rows.wrongSums(told, 0)).toBe("");
  gpu().write(told, 4, Uint32Array.of(sums[0] ?? 0));
  expect(await rows.wrongSums(told, 0)).toBe("1 of 20 groups have a wrong sum, the first is group 1");
  made.destroy();
});
