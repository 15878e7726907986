import { expect, test } from "vitest";
import { claims } from "../experiments/index.js";
import { declaredCells } from "../experiments/scorecard.js";
import { rowKey } from "../results/key.js";
import { sharedNewestRuns } from "../results/newest.js";
import { keptRows } from "../results/testing.js";
import type { Select } from "./claim.js";
import { pairUp } from "./pairing.js";
import { experimentsOf, fitting, select } from "./select.js";
import { rowOf } from "./testing.js";

const at = (table: string, n: number, params = {}) => rowOf({ table, n, params });
const sides = [{ table: "a" }, { table: "b" }] as const;
const told = (pairs: ReturnType<typeof pairUp>) => pairs.map(({ of, over }) => [of.n, over.n]);

test("rows are paired by what varies and both sides have", () => {
  const [of, over] = [
    [at("a", 1, { own: 5 }), at("a", 2, { own: 6 })],
    [at("b", 2), at("b", 1)],
  ];
  expect(told(pairUp([of, over], [of, over], sides))).toEqual([
    [1, 1],
    [2, 2],
  ]);
});

test("what each side has at a value of its own does not keep rows apart", () => {
  const [of, over] = [
    [at("a", 1), at("a", 1, { x: 2 })],
    [at("b", 7), at("b", 7, { x: 2 })],
  ];
  expect(told(pairUp([of, over], [of, over], sides))).toEqual([
    [1, 7],
    [1, 7],
  ]);
});

test("what both selections fix does not, unless it is an end that each takes among its own", () => {
  const [of, over] = [
    [at("a", 1), at("a", 2)],
    [at("b", 2), at("b", 3)],
  ];
  const fixed = [
    { table: "a", where: { n: 2 } },
    { table: "b", where: { n: 3 } },
  ] as const;
  expect(told(pairUp([of.slice(1), over.slice(1)], [of, over], fixed))).toEqual([[2, 3]]);
  const last = [
    { table: "a", where: { n: "last" } },
    { table: "b", where: { n: "last" } },
  ] as const;
  expect(told(pairUp([of.slice(1), over.slice(1)], [of, over], last))).toEqual([]);
});

/** As results that were cut off have them. */
test.each([70, 40, 15])(
  "of results that lack cells, %i of 100 left, the others are paired as in whole ones",
  async (share) => {
    const rows = sharedNewestRuns(await keptRows("nvidia-h100"));
    let seed = 1;
    const chance = () => {
      seed = (seed * 48271) % 2147483647;
      return (seed / 2147483647) * 100;
    };
    const kept = new Map([...new Set(rows.map(rowKey))].map((key) => [key, chance() < share]));
    const isKept = (row: (typeof rows)[number]) => kept.get(rowKey(row)) === true;
    const declared = declaredCells();
    let pairs = 0;
    for (const claim of claims) {
      const { check } = claim;
      if (!("over" in check) || !check.over) continue;
      const both: readonly [Select, Select] = [check.of, check.over];
      const found = both.map((one) => select(rows, claim, one).rows);
      const cells = both.map((one) =>
        fitting(
          experimentsOf(claim, one).flatMap((id) => declared.get(id) ?? []),
          one,
        ),
      );
      const paired = (of: typeof rows, over: typeof rows) =>
        pairUp([of, over], [cells[0] ?? [], cells[1] ?? []], both).map(
          (one) => `${rowKey(one.of)} ${rowKey(one.over)}`,
        );
      const [of = [], over = []] = found;
      const whole = new Set(paired(of, over));
      const left = paired(of.filter(isKept), over.filter(isKept));
      expect(
        left.filter((pair) => !whole.has(pair)),
        claim.id,
      ).toEqual([]);
      pairs += left.length;
    }
    expect(pairs).toBeGreaterThan(10);
  },
);
