import { expect, test } from "vitest";
import type { Axes, Experiment, Series } from "../base/experiment.js";
import { cellKey } from "../results/key.js";
import { atLoadFactors, expand, largestN, MIN_N, type Size } from "./expand.js";

const full: Size = { scale: 1, quick: false, seed: 1 };

function experiment(axes: Partial<Axes>, series: readonly Series[] = [{ table: "bucketed" }]): Experiment {
  return {
    id: "gph/figX",
    title: "",
    setting: "",
    series,
    axes: { n: [1e6], ...axes },
    figure: { kind: "line", x: { field: "n", title: "" }, metric: "mops", y: { title: "" } },
  };
}

test("cells are the product of series and axes", () => {
  const axes = {
    n: [1e6, 2e6],
    op: ["find"],
    loadFactor: [0.5, 0.9],
    positiveRatio: [0, 1],
    params: { warp: [1, 32] },
  };
  const cells = expand(experiment(axes, [{ table: "bucketed" }, { table: "cuckoo" }]), full);
  expect(cells).toHaveLength(2 * 2 * 2 * 2 * 2);
  expect(new Set(cells.map(cellKey)).size).toBe(cells.length);
});

test("an insertion has no positive ratio and no lookups, and stands once", () => {
  const axes = { op: ["insert", "find"], loadFactor: [0.5], positiveRatio: [1, 0.5, 0], lookups: 2e6 };
  const inserts = expand(experiment(axes), full).filter(({ op }) => op === "insert");
  expect(inserts).toMatchObject([{ positiveRatio: null, loadFactor: 0.5, params: {} }]);
  expect(inserts[0]?.params).not.toHaveProperty("lookups");
});

test("lookups are scaled with the pairs", () => {
  const [cell] = expand(experiment({ op: ["find"], lookups: 2e6 }), { ...full, scale: 0.01 });
  expect(cell).toMatchObject({ n: 10_000, params: { lookups: 20_000 }, positiveRatio: 1 });
});

test("lookups of every pair once are no parameter", () => {
  expect(expand(experiment({ op: ["find"], lookups: "n" }), full)[0]?.params).toEqual({});
});

test("a mixed batch has a positive ratio, and no lookups", () => {
  const series = [{ table: "cuckoo", bench: "mixed" }];
  const cells = expand(experiment({ op: ["mixed"], positiveRatio: [1, 0.5], lookups: 2e6 }, series), full);
  expect(cells.map(({ positiveRatio, params }) => [positiveRatio, params])).toEqual([
    [1, {}],
    [0.5, {}],
  ]);
});

test("parameters that go together are a list, and are not combined", () => {
  const cases = [
    { keyBytes: 4, valueBytes: 8 },
    { keyBytes: 8, valueBytes: 4 },
  ];
  const cells = expand(experiment({ op: ["insert"], params: cases }), full);
  expect(cells.map(({ params }) => params)).toEqual([
    { keyBytes: 4, valueBytes: 8 },
    { keyBytes: 8, valueBytes: 4 },
  ]);
});

test("a table size in bytes is a load factor that scaling leaves alone", () => {
  const axes = { n: [1e8], op: ["find"], loadFactor: { bytes: [2e9, 1e9] } };
  for (const scale of [1, 1e-3, 1e-9]) {
    const cells = expand(experiment(axes), { ...full, scale });
    expect(cells.map(({ loadFactor }) => loadFactor)).toEqual([0.4, 0.8]);
  }
});

test("points that fall below the smallest n are one point", () => {
  const axes = { n: [1e4, 2e4, 1e6], op: ["insert"] };
  const sizes = (size: Partial<Size>) => expand(experiment(axes), { ...full, ...size }).map(({ n }) => n);
  expect(sizes({ scale: 1e-2 })).toEqual([MIN_N, 10_000]);
  expect(sizes({ scale: 1e-6 })).toEqual([MIN_N]);
  expect(sizes({ scale: 1e-4, smallest: 10 })).toEqual([10, 100]);
});

test("a series with a largest n stops there, its lookups in proportion", () => {
  const series = [{ table: "bucketed" }, { table: "js-map", bench: "cpu", at: { maxN: 1e5 } }];
  const axes = { n: [5e4, 1e6], op: ["find"], lookups: 4e6 };
  const cells = expand(experiment(axes, series), full).filter(({ table }) => table === "js-map");
  expect(cells.map(({ n, params }) => [n, params.lookups])).toEqual([
    [5e4, 4e6],
    [1e5, 4e5],
  ]);
});

test("a series is left out where the experiment has more pairs than it goes up to, whatever the scale", () => {
  const series = [{ table: "bucketed" }, { table: "cuckoo", only: { n: { to: 1e5 } } }];
  const axes = { n: [5e4, 1e6], op: ["insert"] };
  const sizes = (scale: number) =>
    expand(experiment(axes, series), { ...full, scale }).flatMap(({ table, n }) => (table === "cuckoo" ? [n] : []));
  expect([sizes(1), sizes(0.1)]).toEqual([[5e4], [5e3]]);
});

test("a series may have the larger sizes alone, and some values of parameters", () => {
  const series = [{ table: "stash", only: { n: { from: 1e6 }, params: { keyBytes: [4, 64] } } }];
  const axes = { n: [5e4, 1e6, 2e6], op: ["insert"], params: { keyBytes: [4, 8, 64], valueBytes: [4] } };
  expect(expand(experiment(axes, series), full).map(({ n, params }) => [n, params.keyBytes])).toEqual([
    ...[1e6, 1e6, 2e6, 2e6].map((n, i) => [n, [4, 64][i % 2]]),
  ]);
});

test("a series' own operations and load factor come before the experiment's", () => {
  const axes = { op: ["insert", "find"], loadFactor: [0.5, 0.9] };
  const cells = expand(
    experiment(axes, [{ table: "cuckoo", only: { op: ["insert"] }, at: { loadFactor: 0.7 } }]),
    full,
  );
  expect(cells).toMatchObject([{ op: "insert", loadFactor: 0.7 }]);
  const some = expand(experiment(axes, [{ table: "cuckoo", only: { op: ["insert"], loadFactor: [0.9, 0.95] } }]), full);
  expect(some).toMatchObject([{ op: "insert", loadFactor: 0.9 }]);
  const asked = atLoadFactors(
    experiment(axes, [{ table: "cuckoo", only: { op: ["insert"], loadFactor: [0.9] } }]),
    [0.6],
  );
  expect(expand(asked, full)).toMatchObject([{ op: "insert", loadFactor: 0.6 }]);
});

test("a series may have a part of the pairs", () => {
  const series = [{ table: "cuckoo" }, { table: "bucketed", at: { share: 0.3 } }];
  expect(expand(experiment({ n: [1e6] }, series), full).map(({ n }) => n)).toEqual([1e6, 3e5]);
  expect(expand(experiment({ n: [1e6] }, series), { ...full, scale: 0.1 }).map(({ n }) => n)).toEqual([1e5, 3e4]);
});

test("a data set of the user's takes the size of the first one", () => {
  const declared = experiment({ n: { random: 7e6, lineitem: 9e6 }, dataset: ["random", "lineitem"] });
  expect(expand(declared, { ...full, datasets: ["zipf:1"] })).toMatchObject([{ dataset: "zipf:1", n: 7e6 }]);
  expect(largestN(declared)).toBe(9e6);
  expect(largestN(declared, ["random"])).toBe(7e6);
});

test("quick axes stand in for the whole ones, and only where they are declared", () => {
  const declared = { ...experiment({ loadFactor: [0.5, 0.6, 0.7], op: ["insert"] }), quick: { loadFactor: [0.5] } };
  expect(expand(declared, { ...full, quick: true })).toMatchObject([{ loadFactor: 0.5, op: "insert" }]);
  expect(expand(declared, full)).toHaveLength(3);
});

test("only the tables asked for are expanded", () => {
  const series = [{ table: "bucketed" }, { table: "cuckoo" }];
  const cells = expand(experiment({}, series), { ...full, tables: ["cuckoo"] });
  expect(cells.map(({ table }) => table)).toEqual(["cuckoo"]);
});
