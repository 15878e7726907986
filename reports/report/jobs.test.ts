import { expect, test } from "vitest";
import { loadFactor } from "../../bench/experiments/tables/load-factor.js";
import type { ResultRow } from "../../bench/results/record.js";
import { row } from "../../bench/results/testing.js";
import { choiceCells, choices, JOBS } from "./jobs.js";
import { standInsOf } from "./stand-ins.js";

/** A cell of lookups of present keys, with its share of the limit and its bytes. No numbers of a device. */
function cell(table: string, mops: number, changes: Partial<ResultRow> = {}, held = 10): ResultRow[] {
  const of = { experiment: loadFactor.id, table, op: "find", load_factor: 0.8, positive_ratio: 1, n: 1000, ...changes };
  return [
    row({ ...of, value: mops, lo: mops - 1, hi: mops + 1 }),
    row({ ...of, metric: "limit_share", unit: "ratio", value: mops / 200 }),
    row({ ...of, metric: "held_per_pair", unit: "B", value: held }),
  ];
}

const chosen = (rows: readonly ResultRow[]) =>
  choices([loadFactor], rows).map(({ job, best, next, level }) => [job, best.table, next?.table ?? null, level]);

test("of a job the fastest table is taken, and the runner-up is the best of another one", () => {
  const rows = [...cell("quotient", 90), ...cell("quotient", 95, { variant: "b" }), ...cell("bucketed", 80)];
  expect(chosen(rows)).toEqual([["Lookups of present keys", "quotient", "bucketed", false]]);
  const [take, rate, share, bytes, next] = choiceCells(choices([loadFactor], rows)[0] as never);
  expect([take, rate, share, bytes]).toEqual(["Quotient b", "95 M op/s (94 to 96)", "47.5 % (lookups of 32 B)", "10"]);
  expect(next).toBe("Bucketed (4 pairs): 80 M op/s, 40 % of its limit");
});

test("a table whose interval reaches the best one's is level with it; a smaller n, or another load factor, is not asked", () => {
  const rows = [...cell("quotient", 90), ...cell("bucketed", 89)];
  expect(chosen(rows)).toEqual([["Lookups of present keys", "quotient", "bucketed", true]]);
  const others = [...cell("cuckoo", 500, { n: 10 }), ...cell("gph", 500, { load_factor: 0.5 })];
  expect(chosen([...rows, ...others])).toEqual(chosen(rows));
});

test("the smallest table is of those that reach half of the fastest's rate", () => {
  const half = { positive_ratio: 0.5 };
  const rows = [...cell("bucketed", 100, half, 12), ...cell("quotient", 60, half, 9), ...cell("cuckoo", 40, half, 8)];
  expect(chosen(rows).at(-1)).toEqual(["The smallest table that is fast enough", "quotient", "bucketed", false]);
});

test("a job without rows is left out", () => {
  expect(choices([loadFactor], [])).toEqual([]);
  expect(choices([], cell("quotient", 90))).toEqual([]);
});

test("no job is decided by data or by a quantity that stands in for something else", () => {
  const asked = JOBS.map(({ of: { metric = "mops", where } }) =>
    row({ metric, dataset: String(where?.dataset ?? "") }),
  );
  expect(standInsOf(asked)).toEqual([]);
});
