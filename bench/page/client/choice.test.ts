import { describe, expect, test } from "vitest";
import { experiments } from "../../experiments/index.js";
import { plan } from "../../run/plan.js";
import { benchmarks } from "../../scenarios/index.js";
import { type Choice, firstChoice, fromHash, toHash } from "./choice.js";

const choices: readonly Choice[] = [
  firstChoice(false),
  firstChoice(true),
  { experiments: ["gph/fig10"], tables: [], n: 1000, quick: false, seed: 2 ** 32 - 1, timeout: 5 },
  { experiments: ["gph/fig10"], tables: [], n: 2 ** 32, quick: true, seed: 0, timeout: 3600 },
  { experiments: ["gph/fig10"], tables: [], n: 1, quick: true, seed: 1, timeout: 1 },
];

describe("an address", () => {
  test.each(choices)("holds a choice as it is: $experiments", (choice) => {
    expect(fromHash(`#${toHash(choice)}`, experiments)).toEqual({ choice, problems: [] });
  });

  test("is readable", () => {
    expect(toHash(firstChoice(false))).toBe(
      "experiments=device/limits,tables/load-factor&tables=lookup8,lookup32,cas,exchange,bucketed,cuckoo,quotient&n=4194304&quick&seed=1&timeout=60",
    );
  });

  test("without a choice holds none", () => {
    expect(fromHash("", experiments)).toBeNull();
    expect(fromHash("#results", experiments)).toBeNull();
  });

  test("that says what cannot be is told of, and the rest of it is taken", () => {
    const read = fromHash("#experiments=gph/fig10,<b>&tables=gph,none&n=-5&seed=1.5&timeout=1e9", experiments);
    expect(read?.choice).toMatchObject({
      experiments: ["gph/fig10"],
      tables: ["gph"],
      n: 2 ** 20,
      seed: 1,
      timeout: 60,
    });
    expect(read?.problems).toHaveLength(5);
  });
});

test("the first choice names experiments and tables that there are", () => {
  const { experiments: ids, tables } = firstChoice(false);
  const chosen = experiments.filter(({ id }) => ids.includes(id));
  expect(chosen).toHaveLength(ids.length);
  const known = chosen.flatMap(({ series }) => series.map(({ table }) => table));
  expect(known).toEqual(expect.arrayContaining([...tables]));
});

test("its access patterns are all that its tables' shares of the limit refer to", () => {
  const choice = firstChoice(false);
  const chosen = experiments.filter(({ id }) => choice.experiments.includes(id));
  const planned = plan(chosen, { ...choice, n: 2 ** 22 }, { software: false, name: "a GPU" });
  const cells = planned.flatMap((part) => part.cells);
  const patterns = new Set(cells.flatMap((cell) => benchmarks[cell.bench]?.limits?.patternsOf?.(cell) ?? []));
  expect(patterns.size).toBeGreaterThan(1);
  expect(choice.tables).toEqual(expect.arrayContaining([...patterns]));
});
