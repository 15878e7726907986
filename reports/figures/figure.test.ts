import { describe, expect, test } from "vitest";
import { row } from "../../bench/results/testing.js";
import { compileSpec } from "./compile.js";
import { legendColumns } from "./figure.js";
import { looksOf } from "./looks.js";
import { renderSvg } from "./render.js";
import { INK, PAPER, seriesColor } from "./style.js";
import { experiment, failedRow, specOf, threeRows } from "./testing.js";

/** Every text of the picture, in drawing order. */
async function texts(...args: Parameters<typeof specOf>): Promise<string[]> {
  const svg = await renderSvg(specOf(...args));
  return [...svg.matchAll(/<(?:text|tspan)[^>]*>([^<]*)(?=<)/g)].map((m) => m[1] ?? "").filter((t) => t !== "");
}

const manySeries = Array.from({ length: 12 }, (_, i) => ({
  table: `t${i}`,
  label: `Series with a long name, number ${i}`,
}));
const twoMetrics = [
  { metric: "mops", title: "Measured" },
  { metric: "probes", title: "Counted" },
];
const cases: [string, ...Parameters<typeof specOf>][] = [
  ["a line figure", experiment(), threeRows({ lo: 90, hi: 210 })],
  ["a bar figure", experiment({}, { kind: "bar", x: { field: "dataset", title: "Data" } }), [row({ lo: 90, hi: 110 })]],
  ["a bar figure with a log axis", experiment({}, { kind: "bar", y: { title: "y", scale: "log10" } }), threeRows()],
  ["one point", experiment(), [row()]],
  ["no point", experiment(), [failedRow()]],
  ["no row", experiment({}, { y: { title: "y", scale: "log2" } }), []],
  ["a value of 0", experiment(), [row({ value: 0 })]],
  ["twelve series", experiment({ series: manySeries }), manySeries.flatMap(({ table }) => threeRows({ table }))],
  ["values over decades", experiment(), threeRows().map((r, i) => ({ ...r, value: 10 ** (3 * i) }))],
  [
    "a log2 axis",
    experiment({}, { x: { field: "n", title: "n", scale: "log2" } }),
    [row({ n: 4 }), row({ n: 1 << 20 })],
  ],
  ["a log10 axis", experiment({}, { x: { field: "n", title: "n", scale: "log10" } }), [row({ n: 4 }), row({ n: 400 })]],
  ["panels", experiment({}, { facet: { field: "n", title: "n" } }), [1, 2, 3, 4, 5, 6, 7].map((n) => row({ n }))],
  [
    "a figure against another table",
    experiment({}, { against: { table: "cuckoo", as: "difference" }, beside: { trend: "parabola" } }),
    [...threeRows(), ...threeRows({ table: "cuckoo", variant: "1.25n", value: 150, lo: 140, hi: 170 })],
    { interactive: true },
  ],
  [
    "bars of two metrics beside the paper's values",
    experiment({}, { kind: "bar", metric: twoMetrics, paper: [{ table: "gph", x: 0.5, value: 400 }] }),
    [...threeRows(), ...threeRows({ metric: "probes" })],
    { interactive: true },
  ],
  [
    "the paper's lines and bands",
    experiment(
      {},
      {
        paper: [
          { table: "gph", label: "a line", value: 150 },
          { label: "a band", from: 100, to: 900 },
        ],
      },
    ),
    threeRows({ lo: 90, hi: 210 }),
    { interactive: true },
  ],
  [
    "the paper's line over bars",
    experiment({}, { kind: "bar", paper: [{ label: "a line", value: 150 }] }),
    threeRows(),
  ],
  ["an interactive figure", experiment(), threeRows({ lo: 90, hi: 210 }), { interactive: true }],
];

test.each(cases)("vega-lite compiles %s without a warning", (_, ...args) => {
  expect(() => compileSpec(specOf(...args))).not.toThrow();
});

describe("the paper's lines and bands", () => {
  const paper = [
    { table: "gph", label: "GPH 150", value: 150 },
    { label: "100–900", from: 100, to: 900 },
  ];

  test("are named in the panel and in the caption", async () => {
    const drawn = await texts(experiment({}, { paper }), threeRows());
    expect(drawn).toEqual(expect.arrayContaining(["paper: GPH 150", "paper: 100–900"]));
    expect(drawn.join(" ")).toContain("Dotted, the paper: GPH 150. Shaded, the paper: 100–900.");
  });

  test("that the axis cannot tell from 0 stand in the caption alone", async () => {
    const low = [{ table: "gph", label: "1 M/s", value: 1 }];
    const drawn = await texts(experiment({}, { paper: low }), threeRows());
    expect(drawn).not.toContain("paper: 1 M/s");
    expect(drawn.join(" ")).toContain("Close to 0 on this axis: the paper's GPH: 1 M/s.");
    const log = experiment({}, { paper: low, y: { title: "y", scale: "log10" } });
    expect((await texts(log, threeRows())).join(" ")).toContain("The paper's numbers below this axis: GPH: 1 M/s.");
    const onPage = await texts(experiment({}, { paper: low }), threeRows(), { interactive: true });
    expect(onPage).toContain("paper: 1 M/s");
  });

  test.each([
    ["linear", 600, 400],
    ["log10", 600, 400],
  ] as const)(
    "far above ours, on a %s axis, are told in the caption and leave the axis as it is",
    async (scale, far, near) => {
      const draw = (value: number) => {
        const line = { table: "gph", label: `GPH above ${value} M/s`, value };
        const mark = { table: "gph", x: 1, value };
        return texts(experiment({}, { paper: [line, mark], y: { title: "y", scale } }), threeRows());
      };
      const drawn = await draw(far);
      expect(drawn).not.toContain(`paper: GPH above ${far} M/s`);
      expect(drawn.join(" ")).toContain(`The paper's numbers above this axis: GPH above ${far} M/s, values up to`);
      expect(drawn.join(" ")).not.toContain("Dotted");
      const axis = await texts(experiment({}, { y: { title: "y", scale } }), threeRows());
      const ticks = (all: readonly string[]) => all.filter((text) => /^[\d,]+$/.test(text));
      expect(ticks(drawn)).toEqual(ticks(axis));
      expect(await draw(near)).toContain(`paper: GPH above ${near} M/s`);
    },
  );

  test("ratios are explained as such", async () => {
    const ratio = [{ table: "gph", x: 1, value: 2, times: { x: 0 } }];
    const drawn = (await texts(experiment({}, { paper: ratio }), threeRows())).join(" ");
    expect(drawn).toContain("Hollow diamonds: the paper's ratios, applied to our values.");
  });

  test("lie within the axis", async () => {
    expect(await texts(experiment({}, { paper }), threeRows())).toContain("1,000");
    expect(await texts(experiment(), threeRows())).not.toContain("1,000");
  });

  test("are drawn at their values, in the colour of their series", async () => {
    const spec = specOf(experiment({}, { paper }), threeRows());
    expect(JSON.stringify(spec)).toContain('"label":"GPH 150","from":150,"to":150');
    const [gph = 0] = looksOf(["gph"]);
    const svg = await renderSvg(spec);
    expect(svg).toContain(`stroke="${seriesColor(gph)}" stroke-width="1.6" stroke-dasharray="2,3"`);
    expect(svg).toContain(`fill="${INK}" fill-opacity="0.13"`);
  });
});

test("a legend has as many columns as fit, each as wide as its widest entry", () => {
  expect(legendColumns([90, 30, 30], 150)).toBe(3);
  expect(legendColumns([90, 30, 90, 30], 130)).toBe(2);
  expect(legendColumns([90, 90], 100)).toBe(1);
  expect(legendColumns([500], 100)).toBe(1);
});

test("a figure of some tables draws no others", async () => {
  const rows = [...threeRows(), ...threeRows({ table: "cuckoo", variant: "1.25n" })];
  expect(await texts(experiment({}, { only: ["cuckoo"] }), rows)).not.toContain("GPH");
  expect(await texts(experiment(), rows)).toContain("GPH");
});

describe("axis", () => {
  test("is one for all panels, or one for each metric where the figure tells them apart", async () => {
    const counted = threeRows().map((r) => ({ ...r, metric: "probes", value: 3000 }));
    const ends = async (figure: object) => {
      const drawn = await texts(experiment({}, { metric: twoMetrics, ...figure }), [...threeRows(), ...counted]);
      return ["3", "200"].map((tick) => drawn.includes(tick));
    };
    expect(await ends({ y: { title: "y", factor: 1 } })).toEqual([false, false]);
    expect(await ends({ y: { title: "y", factor: 1 }, apart: true })).toEqual([false, true]);
  });

  test("is one for each panel where the figure says so, in a unit of its own", async () => {
    const rows = [...threeRows(), ...threeRows({ op: "insert", value: 5e-4 })];
    const drawn = (apart?: "panels") =>
      texts(experiment({}, { facet: { field: "op", title: "op" }, ...(apart && { apart }) }), rows);
    expect(await drawn()).not.toContain("Throughput (k op/s)");
    expect(await drawn("panels")).toEqual(expect.arrayContaining(["Throughput (M op/s)", "Throughput (k op/s)"]));
  });

  test("of x goes as far as a panel's own points where the figure says so", () => {
    const rows = [...threeRows(), row({ op: "insert", positive_ratio: 0 }), row({ op: "insert", positive_ratio: 0.5 })];
    const domains = (own?: true): string => {
      const x = { field: "positive_ratio", title: "x", factor: 100, ...(own && { own }) };
      const spec = JSON.stringify(specOf(experiment({}, { x, facet: { field: "op", title: "op" } }), rows));
      return ["[0,50]", "[0,100]"].filter((domain) => spec.includes(domain)).join(" ");
    };
    expect(domains()).toBe("[0,100]");
    expect(domains(true)).toBe("[0,50] [0,100]");
  });

  test("along x keeps the label of what the paper names where not all have room", async () => {
    const x = { field: "n", title: "n", scale: "log2" } as const;
    const rows = [500, 505, 510, 750].map((n) => row({ n }));
    const drawn = async (paper: { table: string; x: number; value: number }[]) => {
      return (await texts(experiment({}, { x, paper }), rows)).filter((text) => /^5(00|05|10)$/.test(text));
    };
    expect(await drawn([])).toEqual(["500"]);
    expect(await drawn([{ table: "gph", x: 505, value: 100 }])).toEqual(["505"]);
  });

  test("titles name the unit, in G op/s when values are large", async () => {
    expect(await texts(experiment(), threeRows())).toContain("Throughput (M op/s)");
    const large = threeRows().map((r) => ({ ...r, value: 8000 }));
    expect(await texts(experiment(), large)).toContain("Throughput (G op/s)");
  });

  test("labels powers of two as such", async () => {
    const rows = [14, 15, 16].map((e) => row({ n: 2 ** e }));
    const drawn = await texts(experiment({}, { x: { field: "n", title: "n", scale: "log2" } }), rows);
    expect(drawn).toEqual(expect.arrayContaining(["2¹⁴", "2¹⁵", "2¹⁶"]));
  });

  test("has whole numbers alone as ticks where x has no others", async () => {
    const rows = Array.from({ length: 16 }, (_, i) => row({ params: { batch: i + 1 } }));
    const drawn = await texts(experiment({}, { x: { field: "params.batch", title: "Batch" } }), rows);
    expect(drawn).toEqual(expect.arrayContaining(["5", "10", "15"]));
    expect(drawn).not.toContain("7.5");
  });

  test("takes the experiment's own format", async () => {
    const drawn = await texts(experiment({}, { y: { title: "Share", factor: 0.001, format: ".1%" } }), threeRows());
    expect(drawn).toEqual(expect.arrayContaining(["Share", "20.0%"]));
  });
});

describe("words", () => {
  test("the caption says paper, figure, device, setting, n, driver and day", async () => {
    const all = (await texts(experiment(), threeRows())).join(" ");
    for (const part of ["A test", "GPH, SIGMOD 2025, Fig. 0, section 1.2 · Test device", "A small table. n = 1,000."]) {
      expect(all).toContain(part);
    }
    expect(all).toContain("gph/test; driver 1.0; Dawn 2.0; commit 0123456789; 2026-01-02.");
  });

  test("where fewer pairs ran than the setting is about, the caption says so", async () => {
    const caption = async (n: number | number[] | Record<string, number>) => {
      const axes = { n: typeof n === "number" ? [n] : n };
      return (await texts(experiment({ axes }), threeRows())).join(" ");
    };
    expect(await caption(1000)).toContain("A small table. n = 1,000. ");
    expect(await caption(2e6)).toContain("n = 1,000, in place of 2,000,000.");
    expect(await caption({ random: 2e6, other: 3e6 })).toContain("n = 1,000, in place of 2,000,000.");
    expect(await caption({ random: 1000, other: 3e6 })).toContain("n = 1,000. ");
  });

  test("a software adapter is named as one", async () => {
    const on = async (device: string) => (await texts(experiment(), threeRows({ device }))).join(" ");
    expect(await on("llvmpipe (LLVM 19)")).toContain("Software adapter");
    expect(await on("NVIDIA H200")).not.toContain("Software adapter");
  });

  test("cells without a number are listed with their reasons under the figure", async () => {
    const rows = [...threeRows(), ...threeRows().map((r) => ({ ...failedRow(r), table: "cuckoo", variant: "1.25n" }))];
    const failed = rows.map((r) => (r.table === "cuckoo" ? { ...r, status: "timeout" as const, reason: "60 s" } : r));
    expect(await texts(experiment(), failed)).toContain("3 cells without a number: 3 × timeout, 60 s (Cuckoo 1.25n).");
  });

  test("a figure without points says so and why", async () => {
    expect(await texts(experiment(), [failedRow()])).toEqual(
      expect.arrayContaining(["No data", "1 × timeout, no answer in 60 s"]),
    );
    expect(await texts(experiment(), [])).toContain("no row has the metric mops");
  });

  test("a comparison says with what, and a regression where it changes its sign", async () => {
    const n = { field: "n", title: "Chunk (of 5)" };
    const figure = { x: n, against: { table: "cuckoo", as: "difference" }, beside: { trend: "parabola" } } as const;
    const series = [
      { table: "gph", label: "GPH" },
      { table: "cuckoo", label: "Cuckoo" },
    ];
    const rows = [1, 2, 3, 4, 5].flatMap((n) => [row({ n, value: 100 + n * n - 9 }), row({ n, table: "cuckoo" })]);
    const all = (await texts(experiment({ series }, figure), rows)).join(" ");
    expect(all).toContain("From each value that of Cuckoo at the same place is subtracted; the line at 0 is Cuckoo.");
    expect(all).toContain("Curves: second-order polynomial regression. GPH: 0 at chunk 3 (− to +).");
    expect(all).not.toContain("Error bars");
  });

  test("where some points are single samples it says that these have no error bars", async () => {
    const some = threeRows({ lo: 90, hi: 210, samples: 5 });
    const one = some.map((r, i) => (i === 0 ? { ...r, lo: null, hi: null, samples: 1 } : r));
    const all = async (rows: typeof some) => (await texts(experiment(), rows)).join(" ");
    expect(await all(some)).toContain("Error bars: 95 % interval of the median; 5 samples per point.");
    expect(await all(some)).not.toContain("A single sample has none.");
    expect(await all(one)).toContain(
      "Error bars: 95 % interval of the median; 1 to 5 samples per point. A single sample has none.",
    );
    expect(await all(one.map((r) => ({ ...r, lo: null, hi: null })))).not.toContain("Error bars");
  });

  test("the paper's values are drawn and explained, and in the range of the axis", async () => {
    const paper = [{ table: "gph", x: 0.5, value: 400 }];
    const drawn = await texts(experiment({}, { kind: "bar", paper }), threeRows());
    expect(drawn).toContain("Hollow diamonds: the paper's values.");
    expect(drawn).toContain("400");
  });

  test("a limit far above the points is named instead of drawn", async () => {
    const limit = (value: number) => threeRows().map((r) => ({ ...r, metric: "limit_mops", value }));
    const figure = experiment({}, { beside: { limit: true } });
    expect(await texts(figure, [...threeRows(), ...limit(300)])).toContain("limit 300, lookups of 128 B");
    expect(await texts(figure, [...threeRows(), ...limit(9000)])).toContain(
      "limit 9,000, lookups of 128 B (above the axis)",
    );
  });

  test("a limit that comes down to the axis along x is drawn as far as it is on it, and named where it ends", async () => {
    const levels = [9000, 900, 250];
    const limits = threeRows().map((r, i) => ({ ...r, metric: "limit_mops", value: levels[i] ?? 0 }));
    const drawn = await texts(experiment({}, { beside: { limit: true } }), [...threeRows(), ...limits]);
    expect(drawn).toContain("limit 250, lookups of 128 B");
    expect(drawn.join(" ")).not.toContain("(above the axis)");
    expect(drawn.join(" ")).toContain("The limit goes on above the axis, up to 9,000.");
  });

  test("of a figure's limits one table's may be asked for", async () => {
    const limits = (table: string, variant: string, value: number) =>
      threeRows({ table, variant }).flatMap((r) => [r, { ...r, metric: "limit_mops", value }]);
    const rows = [...limits("gph", "", 220), ...limits("cuckoo", "1.25n", 300)];
    expect(await texts(experiment({}, { beside: { limit: "gph" } }), rows)).toContain("limit 220, lookups of 128 B");
  });

  test("accesses of different amounts have limits of their own; those that are nearly equal have one", async () => {
    const limits = (table: string, variant: string, value: number) =>
      threeRows({ table, variant }).flatMap((r) => [r, { ...r, metric: "limit_mops", value }]);
    const apart = await texts(experiment({}, { beside: { limit: true } }), [
      ...limits("gph", "", 220),
      ...limits("cuckoo", "1.25n", 300),
    ]);
    expect(apart).toEqual(expect.arrayContaining(["limit 300, lookups of 8 B", "limit 220, lookups of 128 B"]));
    const equal = await texts(experiment({}, { beside: { limit: true } }), [
      ...limits("gph", "", 298),
      ...limits("cuckoo", "1.25n", 300),
    ]);
    expect(equal).toContain("limit 300, lookups of 128 B or 8 B");
  });

  test("tables far below a GB have their size in MB", async () => {
    const sized = experiment({}, { x: { field: "table_mib", title: "Table size (GB)", factor: 1 / 1024 } });
    const at = (n: number) => texts(sized, [row({ n }), row({ n: 2 * n })]);
    expect(await at(2 ** 16)).toEqual(expect.arrayContaining(["Table size (MB)", "0.625", "1.25"]));
    expect(await at(2 ** 27)).toEqual(expect.arrayContaining(["Table size (GB)", "1.25", "2.5"]));
  });

  test("the paper's numbers far below ours leave a log axis as it is", async () => {
    const far = experiment(
      {},
      { y: { title: "y", scale: "log10" }, paper: [{ table: "gph", label: "20 M/s", value: 20 }] },
    );
    const drawn = await texts(far, threeRows());
    expect(drawn).not.toContain("20");
    expect(drawn.join(" ")).toContain("The paper's numbers below this axis: GPH: 20 M/s.");
  });

  test("values over that at one x are drawn on an axis that need not have 0; a series without it is left out", async () => {
    const closeUp = experiment({}, { y: { title: "y", factor: 1, zero: false, over: 0 } });
    const alone = threeRows({ table: "cuckoo", variant: "1.25n" }).filter(({ positive_ratio }) => positive_ratio !== 0);
    const { datasets } = specOf(closeUp, [...threeRows(), ...alone]) as unknown as {
      datasets: { points: { series: string; y: number }[] };
    };
    expect(datasets.points.map(({ series, y }) => [series, y])).toEqual([
      ["GPH", 1],
      ["GPH", 1.5],
      ["GPH", 2],
    ]);
    expect(await texts(closeUp, threeRows())).not.toContain("0.0");
  });

  test("a place of x that the paper names is marked and explained, if it is on the axis", async () => {
    const at = (place: number) => texts(experiment({}, { paper: [{ label: "512", at: place }] }), threeRows());
    expect(await at(0.5)).toContain("paper: 512");
    expect(await at(2)).not.toContain("paper: 512");
    expect((await at(0.5)).join(" ")).toContain("Dotted, the paper: 512.");
  });

  test("an axis with 0 and decades shows both", async () => {
    const y = { title: "Builds (%)", scale: "symlog" } as const;
    const rows = threeRows().map((r, i) => ({ ...r, value: [0, 0.5, 80][i] ?? 0 }));
    const drawn = await texts(experiment({}, { y }), rows);
    for (const tick of ["0", "0.1", "1", "10", "100"]) expect(drawn).toContain(tick);
  });

  test("data sets that stand in for others are called so, in headings, on axes and beside their numbers of pairs", async () => {
    const facet = { field: "dataset", title: "Data set" };
    const rows = [row({ dataset: "random", n: 100 }), row({ dataset: "reddit", n: 200 })];
    const drawn = await texts(experiment({}, { facet }), rows);
    for (const shown of [drawn, await texts(experiment({}, { kind: "bar", x: facet }), rows)]) {
      expect(shown).toContain("reddit (stand-in)");
      expect(shown).toContain("random");
    }
    expect(drawn.join(" ")).toContain("n = 100 (random), 200 (reddit, a stand-in)");
  });

  test("panels are called by the names that the facet gives its values", async () => {
    const facet = { field: "op+positive_ratio", title: "Operation", names: { find: "Retrieval" } };
    const rows = [row({ positive_ratio: 0.5 }), row({ op: "insert", positive_ratio: null })];
    const drawn = await texts(experiment({}, { facet, x: { field: "n", title: "n" } }), rows);
    expect(drawn).toEqual(expect.arrayContaining(["Retrieval, 50 % present", "Insert"]));
  });

  test("a series that a linear axis shows as 0 is named with its value, and drawn on pages alone, which have a log axis", async () => {
    const small = threeRows({ table: "cuckoo", variant: "1.25n", value: 0.25 });
    const rows = [...threeRows(), ...threeRows({ table: "slab" }), ...small];
    const drawn = await texts(experiment(), rows);
    expect(drawn.join(" ")).toContain("Close to 0 on this axis: Cuckoo 1.25n (at most 250 k op/s).");
    expect(drawn).not.toContain("Cuckoo 1.25n");
    const onPage = await texts(experiment(), rows, { interactive: true });
    expect(onPage).toContain("Cuckoo 1.25n");
    const share = experiment({}, { y: { title: "Builds (%)", factor: 100 } });
    expect((await texts(share, rows)).join(" ")).toContain("Close to 0 on this axis: Cuckoo 1.25n (at most 25 %).");
  });
});

test.each(["line", "bar"] as const)(
  "in a %s figure native series are hollow, named by their API, and in the legend",
  async (kind) => {
    const native = threeRows({ table: "map", api: "cuda", system: { title: "A Map", clock: "CUDA events" } });
    const inJavaScript = threeRows({ table: "js-map", bench: "cpu", api: "cpu" });
    const spec = specOf(experiment({}, { kind }), [...threeRows(), ...native, ...inJavaScript]);
    const svg = await renderSvg(spec);
    expect(spec.usermeta).toMatchObject({ hollow: ["A Map, CUDA"] });
    expect(svg).toContain(">A Map, CUDA<");
    // Three points or bars, and the legend's key.
    const marks = [...svg.matchAll(/<path [^>]*fill="([^"]*)" stroke="(#[0-9a-f]{6})"/gi)];
    expect(marks.filter(([, fill]) => fill === PAPER)).toHaveLength(4);
    expect(new Set(marks.filter(([, fill]) => fill === PAPER).map(([, , stroke]) => stroke)).size).toBe(1);
  },
);

test("a legend has every series of the figure, and the caption says how many are not in it", async () => {
  const titles = Array.from({ length: 40 }, (_, i) => `Map ${i}`);
  const rows = titles.flatMap((title, i) => threeRows({ table: `map-${i}`, api: "cuda", system: { title } }));
  const svg = await renderSvg(specOf(experiment(), rows));
  for (const [i, title] of titles.toSorted().entries()) expect(svg.includes(`>${title}, CUDA<`)).toBe(i < 8);
  expect(svg).toContain("32 more series");
  expect(svg).not.toContain("entries");
});
