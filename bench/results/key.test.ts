import { expect, test } from "vitest";
import { csvText, header, parseRows } from "./csv.js";
import { cellKey, environmentKey, rowKey } from "./key.js";
import { rowsOf } from "./rows.js";
import { cell, result, runInfo } from "./testing.js";

test("the order of params does not matter", () => {
  expect(cellKey(cell({ params: { a: 1, b: 2 } }))).toBe(cellKey(cell({ params: { b: 2, a: 1 } })));
});

test("every field distinguishes cells", () => {
  const changes = [
    {},
    { experiment: "gph/fig11" },
    { bench: "js" },
    { table: "slab" },
    { variant: "x" },
    { op: "insert" },
    { dataset: "zipf:1" },
    { n: 1001 },
    { loadFactor: null },
    { positiveRatio: 0 },
    { positiveRatio: null },
    { seed: 2 },
    { params: {} },
    { params: { lookups: "2000", layout: "a,b" } },
  ];
  expect(new Set(changes.map((change) => cellKey(cell(change)))).size).toBe(changes.length);
});

test("rows that are asked for one after another have one key only if they are of one cell", () => {
  const rows = rowsOf(cell(), result(), runInfo, new Date());
  const [first] = rows;
  if (!first) throw new Error("no row");
  const one = { ...first, metric: "probes", value: 2 };
  const others = [{ op: "delete" }, { n: 7 }, { positive_ratio: null }, { seed: 99 }, { params: { x: 1 } }];
  const keys = others.flatMap((change) => [rowKey({ ...one }), rowKey({ ...one, ...change })]);
  expect(new Set(keys).size).toBe(1 + others.length);
  expect(keys.filter((key) => key === rowKey(first))).toHaveLength(others.length);
});

test.each(["device", "driver", "dawn", "toggles"])(
  "rows one after another that differ in %s are of two environments",
  (column) => {
    const [first] = rowsOf(cell(), result(), runInfo, new Date());
    if (!first) throw new Error("no row");
    const rows = [first, { ...first, [column]: "other" }, { ...first }];
    const [a, b, c] = rows.map(environmentKey);
    expect(b).not.toBe(a);
    expect(c).toBe(a);
  },
);

test("a row read back from CSV has the key of its cell, whatever its numbers are", () => {
  for (const number of [0.1 + 0.2, 1e-7, 1 / 3, 1, 1e-100, 1e21]) {
    const spec = cell({ loadFactor: number, n: number, params: { x: number, flag: true, text: ' "a", ' } });
    const text = header() + csvText(rowsOf(spec, result(), runInfo, new Date()));
    expect(new Set(parseRows(text, "x.csv").map(rowKey))).toEqual(new Set([cellKey(spec)]));
  }
});
