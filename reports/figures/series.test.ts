import { describe, expect, test } from "vitest";
import { row } from "../../bench/results/testing.js";
import { HOST } from "../../bench/scenarios/allocation.js";
import { regressionNote } from "./caption.js";
import { compileSpec } from "./compile.js";
import { missingNote } from "./missing.js";
import { withPaper } from "./paper.js";
import { plotData } from "./series.js";
import { seriesColor, seriesShape } from "./style.js";
import { experiment, failedRow, specOf, threeRows } from "./testing.js";

describe("points", () => {
  test("x and y carry the channels' factors", () => {
    const { points } = plotData(experiment({}, { y: { title: "y", factor: 2 } }), [
      row({ positive_ratio: 0.5, lo: 90 }),
    ]);
    expect(points).toMatchObject([{ series: "GPH", x: 50, y: 200, lo: 180, hi: null }]);
  });

  test("a parameter that the experiment does not set is part of the series' name", () => {
    const rows = [row(), row({ positive_ratio: 0, params: { lookups: 5, ticket: 4 } })];
    expect(new Set(plotData(experiment(), rows).points.map((p) => p.series))).toEqual(
      new Set(["GPH", "GPH, ticket 4"]),
    );
  });

  test("a table in host memory has one name and one colour, by rounds and by kernels", () => {
    const series = { table: "stash", label: "Stash", params: { ticket: 4 } };
    const both = experiment(
      { series: [series, { ...series, params: { ticket: 4, ...HOST } }] },
      { facet: { field: "bench", title: "By", names: { host: "host rounds", table: "kernels" } } },
    );
    const own = { table: "stash", variant: "" };
    const {
      points,
      panels,
      series: drawn,
    } = plotData(both, [
      row({ ...own, bench: "host", params: { ticket: 4 } }),
      row({ ...own, params: { ticket: 4, ...HOST } }),
    ]);
    expect(panels).toEqual(["Host rounds", "Kernels"]);
    expect(points.map((p) => p.series)).toEqual(["Stash", "Stash"]);
    expect(drawn).toHaveLength(1);
  });

  test("x is drawn as its complement or its reciprocal, where the channel says so", () => {
    const drawn = (as: "complement" | "reciprocal", positive_ratio: number) => {
      const x = { field: "positive_ratio", title: "x", as, factor: 100 };
      return plotData(experiment({}, { x }), [row({ positive_ratio })]).points.map((point) => point.x);
    };
    expect(drawn("complement", 0.3)).toEqual([70]);
    expect(drawn("reciprocal", 0.714286)).toEqual([140]);
  });

  test("a factor leaves no rounding error in x", () => {
    expect(plotData(experiment(), [row({ positive_ratio: 0.55 })]).points).toMatchObject([{ x: 55 }]);
  });

  test("rows of other experiments and metrics are no points", () => {
    const rows = [row(), row({ experiment: "gph/other", positive_ratio: 0 }), row({ metric: "probes", value: 2 })];
    expect(plotData(experiment(), rows).points).toHaveLength(1);
  });

  test("a row that is not ok is never a point, even with a number, but counted with its reason", () => {
    const rows = [...threeRows(), failedRow({ table: "cuckoo", variant: "1.25n", value: 5 })];
    const { points, missing } = plotData(experiment(), rows);
    expect(points.map((p) => p.series)).toEqual(["GPH", "GPH", "GPH"]);
    expect(missing).toMatchObject([
      { series: "Cuckoo 1.25n", panel: "", x: 100, status: "timeout", reason: "timeout, no answer in 60 s" },
    ]);
  });

  test("the newest run of a cell counts, be it better or worse", () => {
    const later = { run: "later", time: "2026-02-02T00:00:00Z" };
    expect(plotData(experiment(), [row({ ...later, value: 7 }), row()]).points).toMatchObject([{ y: 7 }]);
    expect(plotData(experiment(), [failedRow(later), row()]).points).toEqual([]);
    expect(plotData(experiment(), [failedRow(), row({ ...later, value: 7 })]).missing).toEqual([]);
  });

  test("an ok row without a value, or not above 0 on a log axis, is missing", () => {
    const rows = [row({ value: null }), row({ positive_ratio: 0.5, value: 0 })];
    const { points, missing } = plotData(experiment({}, { y: { title: "y", scale: "log10" } }), rows);
    expect(points).toEqual([]);
    expect(missing.map((m) => m.reason)).toEqual(["the value is not above 0 on a log axis", "no value of mops"]);
  });

  test("x may be a parameter or another metric of the cell", () => {
    const rows = [row({ params: { group: 4 } }), row({ params: { group: 4 }, metric: "probes", value: 1.5 })];
    const xOf = (field: string) => plotData(experiment({}, { x: { field, title: "x" } }), rows).points.map((p) => p.x);
    expect(xOf("params.group")).toEqual([4]);
    expect(xOf("metric.probes")).toEqual([1.5]);
  });

  test("x may join fields, in the order of the experiment's cases", () => {
    const cases = [
      { keyBytes: 8, valueBytes: 4 },
      { keyBytes: 16, valueBytes: 4 },
      { keyBytes: 4, valueBytes: 8 },
    ];
    const declared = experiment(
      { axes: { n: [1000], params: cases } },
      { x: { field: "params.keyBytes+params.valueBytes", title: "Key + value (bytes)" } },
    );
    const { xs } = plotData(
      declared,
      cases.toReversed().map((params) => row({ params })),
    );
    expect(xs).toEqual(["8 + 4", "16 + 4", "4 + 8"]);
    expect(plotData(declared, [row({ params: { keyBytes: 8 } })]).missing).toMatchObject([
      { x: null, reason: "no Key + value (bytes)" },
    ]);
  });

  test("a field that no row can have is a mistake of the experiment", () => {
    const wrong = experiment({}, { x: { field: "positiveratio", title: "x" } });
    expect(() => plotData(wrong, [row()])).toThrow('no column "positiveratio"');
  });

  test("the segment rises behind a cell without a number", () => {
    const [a, , c] = threeRows();
    const { points } = plotData(
      experiment(),
      [a, failedRow({ positive_ratio: 0.5 }), c].filter((r) => r !== undefined),
    );
    expect(points.map((p) => p.segment)).toEqual([0, 1]);
  });
});

describe("series and panels", () => {
  test("are in declared order, with labels where there are any, and unknown tables last", () => {
    const rows = [row({ table: "zzz", variant: "v" }), row({ table: "cuckoo", variant: "1.25n" }), row()];
    const { series } = plotData(experiment(), rows);
    expect(series.map((s) => s.name)).toEqual(["GPH", "Cuckoo 1.25n", "zzz v"]);
  });

  test("of tables that are not declared look like no series beside them, however many are declared", () => {
    const series = Array.from({ length: 15 }, (_, i) => ({ table: `t${i}` }));
    const tables = ["t0", "t1", "u", "v", "w"].map((table) => row({ table }));
    const drawn = plotData(experiment({ series }), tables).series;
    expect(drawn.map(({ name }) => name)).toEqual(["t0", "t1", "u", "v", "w"]);
    expect(new Set(drawn.map(({ index }) => `${seriesColor(index)} ${seriesShape(index)}`)).size).toBe(5);
  });

  test("keep their place in the palette when others have no point", () => {
    const one = row({ table: "cuckoo", variant: "1.25n" });
    const [first, second] = [[row(), one], [one]].map((rows) => plotData(experiment(), rows).series.at(-1));
    expect(second).toMatchObject({ name: "Cuckoo 1.25n", index: first?.index });
  });

  test("cells that would fall on one another get series of their own, by what tells them apart", () => {
    const rows = [row({ op: "insert" }), row({ op: "find" }), row({ op: "find", device: "Other" })];
    const { series } = plotData(experiment(), rows);
    expect(series.map((s) => s.name)).toEqual([
      "GPH, find, Other",
      "GPH, find, Test device",
      "GPH, insert, Test device",
    ]);
  });

  test("of several devices have one colour each on all of them, and say which device they are of", () => {
    const tables = (device: string) => [row({ device }), row({ device, table: "cuckoo", variant: "1.25n" })];
    const { series } = plotData(experiment(), [...tables("B"), ...tables("A")]);
    expect(series.map(({ name, side }) => [name, side])).toEqual([
      ["GPH, A", 1],
      ["GPH, B", 0],
      ["Cuckoo 1.25n, A", 1],
      ["Cuckoo 1.25n, B", 0],
    ]);
    const [first, second, third, fourth] = series.map(({ index }) => index);
    expect([first, third]).toEqual([second, fourth]);
    expect(first).not.toBe(third);
  });

  test("what depends on x or on the panel does not split a series", () => {
    const rows = [
      row({ dataset: "a", n: 10 }),
      row({ dataset: "b", n: 20 }),
      row({ dataset: "a", n: 11, positive_ratio: 0 }),
    ];
    const { series, panels } = plotData(experiment({}, { facet: { field: "dataset", title: "Data" } }), rows);
    expect(series.map((s) => s.name)).toEqual(["GPH"]);
    expect(panels).toEqual(["a", "b"]);
  });

  test("panels follow the declared order; a facet may join fields", () => {
    const axes = { n: [1], op: ["insert", "find"], positiveRatio: [1, 0] };
    const facet = { field: "op+positive_ratio", title: "Operation" };
    const rows = [row({ positive_ratio: 0 }), row({ positive_ratio: 1 }), row({ op: "insert", positive_ratio: null })];
    const { panels } = plotData(experiment({ axes }, { facet, x: { field: "load_factor", title: "LF" } }), rows);
    expect(panels).toEqual(["Insert", "Find, 100 % present", "Find, 0 % present"]);
  });

  test("cells without a number are in the same order: panels, series, x", () => {
    const cases = [{ bytes: "8 + 4" }, { bytes: "4 + 8" }];
    const axes = { n: [1], op: ["insert", "find"], params: cases };
    const facet = { field: "op", title: "Operation" };
    const declared = experiment({ axes }, { facet, x: { field: "params.bytes", title: "Bytes" } });
    const rows = ["find", "insert"].flatMap((op) =>
      ["cuckoo", "gph"].flatMap((table) =>
        cases.toReversed().map((params) => failedRow({ op, params, table, variant: table === "gph" ? "" : "1.25n" })),
      ),
    );
    expect(plotData(declared, rows).missing.map((m) => `${m.panel}, ${m.series}, ${m.x}`)).toEqual([
      "Insert, GPH, 8 + 4",
      "Insert, GPH, 4 + 8",
      "Insert, Cuckoo 1.25n, 8 + 4",
      "Insert, Cuckoo 1.25n, 4 + 8",
      "Find, GPH, 8 + 4",
      "Find, GPH, 4 + 8",
      "Find, Cuckoo 1.25n, 8 + 4",
      "Find, Cuckoo 1.25n, 4 + 8",
    ]);
  });

  test("a panel of a share of present keys is headed by it, one of a data set by its id", () => {
    const headed = (field: string) => plotData(experiment({}, { facet: { field, title: "Title" } }), [row()]).panels;
    expect(headed("positive_ratio")).toEqual(["100 % present"]);
    expect(headed("dataset")).toEqual(["random"]);
  });

  test("a table's size in MiB, of slots of 8 bytes, follows from n and load factor", () => {
    const x = { field: "table_mib", title: "Table size (GB)", factor: 2 ** -10 };
    const rows = [1.25, 1.5].map((size) =>
      row({ n: 1e8, load_factor: Number((8e8 / (size * 2 ** 30)).toPrecision(6)) }),
    );
    expect(plotData(experiment({}, { x }), rows).xs).toEqual([1.25, 1.5]);
    expect(plotData(experiment({}, { x }), [row({ load_factor: null })]).missing).toHaveLength(1);
  });

  test("a panel of numbers is headed by the facet's title and unit", () => {
    const facet = { field: "load_factor", title: "Load factor (%)", factor: 100 };
    expect(plotData(experiment({}, { facet }), [row()]).panels).toEqual(["Load factor: 80 %"]);
  });
});

describe("panels of several metrics", () => {
  const panels = [
    { metric: "mops", title: "Measured" },
    { metric: "counted", title: "Counted" },
  ];
  const both = [row(), row({ metric: "counted", value: 7 })];

  test("are one a metric, in their order, and then one a value of the facet", () => {
    const figure = { metric: panels, facet: { field: "dataset", title: "Data" } };
    const rows = [...both.map((r) => ({ ...r, dataset: "z" })), ...both].toReversed();
    const { points, panels: drawn } = plotData(experiment({}, figure), rows);
    expect(drawn).toEqual(["Measured, random", "Measured, z", "Counted, random", "Counted, z"]);
    expect(points.filter((p) => p.panel === "Counted, z")).toMatchObject([{ y: 7, x: 100 }]);
  });

  test("show a cell without a number in each of them, and count it once", () => {
    const { missing } = plotData(experiment({}, { metric: panels }), [failedRow()]);
    expect(missing.map((m) => m.panel)).toEqual(["Measured", "Counted"]);
    expect(missingNote(missing)).toBe("1 cell without a number: 1 × timeout, no answer in 60 s (GPH).");
  });
});

describe("the paper's values", () => {
  const paper = [
    { table: "gph", x: 0.5, value: 3 },
    { table: "gph", x: 0.25, value: 4 },
    { table: "cuckoo", variant: "1.25n", x: 0.5, value: 5 },
  ];

  test("stand at places and in series that have points of ours, with the channels' factors", () => {
    const data = plotData(experiment({}, { paper, y: { title: "y", factor: 100 } }), threeRows());
    expect(data.paper).toEqual([{ series: "GPH", panel: "", x: 50, y: 300, relative: false }]);
  });

  test("stand also where our cell of that series has no number", () => {
    const cuckoo = { table: "cuckoo", variant: "1.25n" };
    const rows = [...threeRows(), row(cuckoo), failedRow({ ...cuckoo, positive_ratio: 0.5 })];
    expect(plotData(experiment({}, { paper }), rows).paper.map((p) => [p.series, p.x])).toEqual([
      ["GPH", 50],
      ["Cuckoo 1.25n", 50],
    ]);
  });

  test("are lines and bands, once a panel, with the factor of y", () => {
    const declared = [
      { label: "3", value: 3 },
      { label: "1 to 2", from: 1, to: 2 },
    ];
    const figure = { paper: declared, y: { title: "y", factor: 10 }, facet: { field: "op", title: "Operation" } };
    const { paperRanges, paper: marks } = plotData(experiment({}, figure), [...threeRows(), row({ op: "insert" })]);
    expect(marks).toEqual([]);
    expect(paperRanges).toEqual(
      ["3", "1 to 2"].flatMap((label) =>
        ["Find", "Insert"].map((panel) => {
          const [from, to] = label === "3" ? [30, 30] : [10, 20];
          return { series: "", panel, label, from, to };
        }),
      ),
    );
  });

  test("belong to the panels, metrics and series that they are about", () => {
    const panels = [
      { metric: "mops", title: "Rate" },
      { metric: "probes", title: "Probes" },
    ];
    const facet = { field: "params.slice", title: "Slice" };
    const rows = [1, 2].flatMap((slice) => [
      row({ params: { slice } }),
      row({ params: { slice }, metric: "probes" }),
      row({ params: { slice }, table: "cuckoo", variant: "1.25n" }),
    ]);
    const placesOf = (where: object) => {
      const figure = { metric: panels, facet, paper: [{ label: "x", value: 1, ...where }] };
      const declared = experiment({ axes: { n: [1000], params: { slice: [1, 2] } } }, figure);
      return plotData(declared, rows).paperRanges.map(({ panel, series }) => [panel, series]);
    };
    expect(placesOf({ metric: "mops", where: { "params.slice": 2 } })).toEqual([["Rate, Slice: 2", ""]]);
    expect(placesOf({ metric: "probes", table: "gph", where: { "params.slice": 1 } })).toEqual([
      ["Probes, Slice: 1", "GPH"],
    ]);
    expect(placesOf({ table: "cuckoo", variant: "1.25n" })).toEqual([
      ["Rate, Slice: 1", "Cuckoo 1.25n"],
      ["Rate, Slice: 2", "Cuckoo 1.25n"],
    ]);
    expect(placesOf({ table: "cuckoo", variant: "2n" })).toEqual([]);
  });

  test("marks stand in one panel only where they say so", () => {
    const facet = { field: "op", title: "Operation" };
    const only = paper.map((mark) => ({ ...mark, where: { op: "insert" } }));
    const rows = [...threeRows(), ...threeRows({ op: "insert" })];
    expect(plotData(experiment({}, { facet, paper: only }), rows).paper.map((p) => p.panel)).toEqual(["Insert"]);
  });

  test("that are ratios are drawn times ours: at another x, of another table, or of its geometric mean", () => {
    const cuckoo = { table: "cuckoo", variant: "1.25n" };
    const times = [
      { table: "gph", x: 1, value: 3, times: { x: 0 } },
      { table: "gph", x: 0.5, value: 5, times: cuckoo },
      { table: "gph", x: 0, value: 7, times: { table: "absent" } },
      { label: "2×", table: "gph", value: 2, times: cuckoo },
    ];
    const others = [10, 40].map((value, i) => row({ ...cuckoo, positive_ratio: i / 2, value }));
    const data = plotData(experiment({}, { paper: times, y: { title: "y", factor: 10 } }), [...threeRows(), ...others]);
    expect(data.paper.map(({ x, y, relative }) => [x, y, relative])).toEqual([
      [100, 3 * 1000, true],
      [50, 5 * 400, true],
    ]);
    expect(data.paperRanges).toMatchObject([{ from: 2 * 200, to: 2 * 200 }]);
    expect(withPaper(data)).toBe(data);
  });

  test("stand at their own x, a ratio to ours, where they say so, and the axis goes that far", () => {
    const cuckoo = { table: "cuckoo", variant: "1.25n" };
    const own = [{ table: "gph", x: { times: 4 }, value: 3, times: cuckoo }];
    const rows = [row({ positive_ratio: 0.25 }), row({ ...cuckoo, positive_ratio: 0.5, value: 10 })];
    const figure = experiment({}, { paper: own });
    expect(plotData(figure, rows).paper).toMatchObject([{ series: "GPH", x: 200, y: 30 }]);
    expect(JSON.stringify(specOf(figure, rows))).toContain('"domain":[25,200]');
  });

  test("are one more panel of a table", () => {
    const { panels, points } = withPaper(plotData(experiment({}, { paper }), threeRows()));
    expect(panels).toEqual(["", "The paper's values"]);
    expect(points.filter((p) => p.panel !== "")).toMatchObject([{ series: "GPH", x: 50, y: 3, lo: null }]);
  });
});

describe("regression", () => {
  const declared = experiment({}, { x: { field: "n", title: "Chunk" }, beside: { trend: "parabola" } });
  const along = (f: (n: number) => number, changes = {}) =>
    Array.from({ length: 9 }, (_, i) => row({ n: i + 1, value: f(i + 1), ...changes }));

  test("is a curve through each series, with the places where it passes 0 within the series", () => {
    const rows = [
      ...along((n) => (n - 2.5) * (n - 6)),
      ...along((n) => n * n + 1, { table: "cuckoo", variant: "1.25n" }),
    ];
    const { curves } = plotData(declared, rows);
    expect(curves.map(({ series, crossings }) => [series, crossings])).toEqual([
      ["GPH", [expect.objectContaining({ rises: false }), { x: expect.closeTo(6, 6), rises: true }]],
      ["Cuckoo 1.25n", []],
    ]);
    expect(curves[0]?.points[0]).toEqual({ x: 1, y: expect.closeTo(7.5, 6) });
    expect(curves[0]?.points.at(-1)).toEqual({ x: 9, y: expect.closeTo(19.5, 6) });
  });

  test("of first order is one line through the points of all series, with their correlation", () => {
    const line = experiment({}, { x: { field: "n", title: "n" }, beside: { trend: "line" } });
    const rows = [1, 2, 3, 4].map((n) => row({ n, value: 2 * n + 1, table: n % 2 === 0 ? "gph" : "other" }));
    const { curves } = plotData(line, rows);
    expect(curves).toEqual([
      {
        series: "",
        panel: "",
        crossings: [],
        correlation: expect.closeTo(1, 9),
        points: [
          { x: 1, y: expect.closeTo(3, 9) },
          { x: 4, y: expect.closeTo(9, 9) },
        ],
      },
    ]);
    expect(regressionNote(line, plotData(line, rows))).toBe("Line: least squares through all points. Pearson's r 1.");
    expect(() => compileSpec(specOf(line, rows))).not.toThrow();
    expect(plotData(line, rows.slice(0, 1)).curves).toEqual([]);
  });

  test("takes three points, and numbers along x", () => {
    expect(plotData(declared, along((n) => n).slice(0, 2)).curves).toEqual([]);
    const byName = experiment({}, { x: { field: "dataset", title: "Data" }, beside: { trend: "parabola" } });
    expect(
      plotData(
        byName,
        ["a", "b", "c"].map((dataset) => row({ dataset })),
      ).curves,
    ).toEqual([]);
  });
});

describe("limit", () => {
  const limit = (value: number, changes = {}) => row({ metric: "limit_mops", value, ...changes });

  test("is one line a panel: the highest limit of the panel's cells at each x", () => {
    const other = { table: "cuckoo", variant: "1.25n" };
    const rows = [row(), limit(690), row(other), limit(700, other)];
    expect(plotData(experiment({}, { beside: { limit: true } }), rows).limits).toEqual([
      { panel: "", line: "limit, lookups of 128 B by 4 lanes or 8 B", x: 100, y: 700 },
    ]);
  });

  test("an access that another of the line has among others is named once", () => {
    const [one, sorted] = [
      { bench: "rows", table: "quotient", op: "ids" },
      { bench: "group-by", table: "sorted-rows", op: "ids" },
    ];
    const rows = [row(one), limit(500, one), row(sorted), limit(500, sorted)];
    const series = [one, sorted].map(({ bench, table }) => ({ bench, table, label: table }));
    const { limits } = plotData(experiment({ series }, { beside: { limit: true } }), rows);
    expect(limits.map(({ line }) => line)).toEqual(["limit, coalesced copy or lookups of 8 B or CAS of 4 B"]);
  });

  test("is one line an operation where a panel has several", () => {
    const rows = [row(), limit(500), row({ op: "insert" }), limit(300, { op: "insert" })];
    const { limits } = plotData(experiment({}, { beside: { limit: true } }), rows);
    expect(limits.map((l) => [l.line, l.y])).toEqual([
      ["limit, lookups of 128 B by 4 lanes, find", 500],
      ["limit, CAS of 4 B, insert", 300],
    ]);
  });

  test("is left out where the figure does not ask for it, or its unit is another", () => {
    expect(plotData(experiment(), [row(), limit(500)]).limits).toEqual([]);
    const ns = plotData(experiment({}, { beside: { limit: true } }), [row({ unit: "ns" }), limit(500)]);
    expect(ns.limits).toEqual([]);
  });
});
