import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import type { CellSpec } from "../base/experiment.js";
import { main } from "../cli/program.js";
import type { CellResult, RunInfo } from "../results/record.js";
import { cell, metric, result, runInfo, temporaryFolder } from "../results/testing.js";
import { openResults } from "../results/write.js";
import { compare, defaultOptions, regressed } from "./compare.js";
import { FORMATS, format } from "./format.js";
import { environmentDiffers } from "./groups.js";
import { readSide, type SideCell } from "./side.js";

/** Nanoseconds. */
const QUIET = [100, 100.1, 99.9, 100.05, 99.95, 100.02, 99.98, 100.01, 99.99, 100.03].map((ms) => 1e6 * ms);

interface Measured {
  readonly spec?: Partial<CellSpec>;
  readonly slower?: number;
  readonly probes?: number;
  readonly change?: Partial<CellResult>;
}

/** A results folder of these cells; the samples of each are quiet, times `slower`. */
async function measured(cells: readonly Measured[], info: Partial<RunInfo> = {}): Promise<string> {
  const folder = join(temporaryFolder(), "results");
  const writer = await openResults(folder, { seed: 1 }, { resume: false, force: false });
  for (const { spec, slower = 1, probes = 1.5, change } of cells) {
    const samples = QUIET.map((ns) => ns * slower);
    const metrics = [metric("mops", 1 / slower), metric("time", 1e8 * slower), metric("probes", probes)];
    await writer.append(cell({ n: 1e6, ...spec }), result({ samples, metrics, ...change }), { ...runInfo, ...info });
  }
  await writer.close();
  return folder;
}

async function compared(before: string, after: string, options: Partial<typeof defaultOptions> = {}) {
  return compare(await readSide(before), await readSide(after), { ...defaultOptions, ...options });
}

const gpu = { device: "Example GPU" };
const lavapipe = { device: "llvmpipe (LLVM 15)" };
const two: Measured[] = [{ spec: { op: "insert" } }, { spec: { op: "find" } }];

/** What the command prints to stdout and stderr, and its exit code. */
async function command(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const text = { out: "", err: "" };
  const write = (stream: "out" | "err") => (chunk: unknown) => {
    text[stream] += String(chunk);
    return true;
  };
  vi.spyOn(process.stdout, "write").mockImplementation(write("out"));
  vi.spyOn(console, "error").mockImplementation(write("err"));
  onTestFinished(() => {
    vi.restoreAllMocks();
  });
  return { code: await main(["compare", ...args]), ...text };
}

test("equal results have no regression", async () => {
  const [a, b] = [await measured(two, gpu), await measured(two, gpu)];
  const found = await compared(a, b);
  expect(regressed(found)).toBe(false);
  expect(found.verdicts.map(({ metric: m }) => m).sort()).toEqual(["probes", "probes", "time", "time"]);
});

test("the slower cell is named, the others are not", async () => {
  const slower = [{ spec: { op: "insert" } }, { spec: { op: "find" }, slower: 1.05 }];
  const found = await compared(await measured(two, gpu), await measured(slower, gpu));
  const worse = found.verdicts.filter(({ decision }) => decision === "worse");
  expect(worse).toMatchObject([{ metric: "time", cell: { last: { op: "find" } } }]);
  expect(worse[0]?.change).toBeCloseTo(0.05);
});

test("a cell has one line for its counters, the worst, and no evidence where none is needed; --all lists each", async () => {
  const counted = (probes: number, transactions: number): Measured[] => [
    { change: { metrics: [metric("mops", 1), metric("probes", probes), metric("transactions", transactions)] } },
  ];
  const found = await compared(await measured(counted(1, 1), lavapipe), await measured(counted(1.5, 2), lavapipe));
  expect(format(found, "markdown")).toMatch(
    /\| change \|\n.*\n\|.* \| transactions, and 1 more counter \|.*\*\*\+100 %\*\* \|\n\n/,
  );
  expect(format(found, "text", { all: true })).toMatch(/ transactions .*\+100 %\n.* probes .*\+50 %/);
});

test("times that are all too noisy are not said to be fine", async () => {
  const wild = { change: { samples: QUIET.map((ns, i) => ns * (i % 2 === 0 ? 1 : 3)) } };
  const one = async (other: Measured) =>
    compared(await measured([wild, other], gpu), await measured([wild, other], gpu));
  const all = await one({ ...wild, spec: { op: "insert" } });
  expect(format(all, "markdown")).toMatch(/^### ⚠️ hashbench: 2 cells, none became worse; no time could be judged\n/);
  expect(format(await one({ spec: { op: "insert" } }), "markdown")).toMatch(/^### ✅ .*; 1 time could not be judged\n/);
});

test("--all lists what stayed the same too, and the rule says what a worse time is", async () => {
  const found = await compared(await measured(two, gpu), await measured(two, gpu));
  expect(format(found, "text")).not.toMatch(/^same /m);
  expect(format(found, "text", { all: true })).toMatch(/^same +metric[\s\S]*\bfind\b.*\btime\b/m);
  expect(format(found, "text")).toContain("worse if it rose by more than 2.5 % (half of the threshold)");
});

test("on a software adapter counters decide and times do not", async () => {
  const before = await measured(two, lavapipe);
  expect(regressed(await compared(before, await measured([{ ...two[1], slower: 3 }], lavapipe)))).toBe(false);
  const probes = await compared(before, await measured([{ ...two[1], probes: 2.5 }], lavapipe));
  expect(probes.verdicts.filter(({ decision }) => decision === "worse")).toMatchObject([{ metric: "probes" }]);
  const forced = await compared(before, await measured([{ ...two[1], slower: 3 }], lavapipe), { gate: "times" });
  expect(regressed(forced)).toBe(true);
});

test("a short sample of a pass that repeats its operation is no short pass: 20 % of it is found", async () => {
  const short = (slower: number, repetitions: number): Measured => {
    return { change: { samples: QUIET.map((ns) => 2e-5 * ns * slower), repetitions } };
  };
  const decided = async (repetitions: number) => {
    const [a, b] = [await measured([short(1, repetitions)], gpu), await measured([short(1.2, repetitions)], gpu)];
    return (await compared(a, b)).verdicts.find((one) => one.metric === "time")?.decision;
  };
  expect([await decided(50), await decided(1)]).toEqual(["worse", "noisy"]);
});

test("the headline counts no cell of which only what its table keeps was compared", async () => {
  const kept = { metrics: [metric("held_per_pair", 12)] };
  const cells: Measured[] = [{ spec: { op: "insert" } }, { spec: { op: "erase" }, change: kept }];
  const [a, b] = [await measured(cells, lavapipe), await measured(cells, lavapipe)];
  expect(format(await compared(a, b), "text")).toMatch(/^1 cell, none became worse/);
});

test("times of CPU tables decide nothing", async () => {
  const cpu = (slower: number): Measured[] => [{ spec: { bench: "cpu", table: "js-map" }, slower }];
  const found = await compared(await measured(cpu(1), gpu), await measured(cpu(2), gpu));
  expect(found.verdicts.filter(({ metric: m }) => m === "time")).toEqual([]);
  expect(regressed(found)).toBe(false);
});

test.each([gpu, lavapipe])("times of CPU tables decide where they are asked to: %j", async (info) => {
  const cpu = (slower: number): Measured[] => [{ spec: { bench: "cpu", table: "js-map" }, slower }, ...two];
  const [before, after] = [await measured(cpu(1), info), await measured(cpu(2), info)];
  const worse = (await compared(before, after, { cpuTimes: true })).verdicts.filter((one) => one.decision === "worse");
  expect(worse).toMatchObject([{ metric: "time", cell: { last: { table: "js-map" } } }]);
  expect((await command(before, after, "--cpu-times")).code).toBe(1);
});

test("a cell that has no number any more is worse, one that had none before is not compared", async () => {
  const failed = { change: { status: "failed" as const, reason: "a wrong value", metrics: [], samples: [] } };
  const [good, bad] = [await measured(two, gpu), await measured([{ ...two[0] }, { ...two[1], ...failed }], gpu)];
  expect((await compared(good, bad)).broken).toMatchObject([{ reason: "failed: a wrong value" }]);
  expect((await compared(bad, good)).unlike).toMatchObject([{ reason: "failed before" }]);
});

test("cells with other inputs are not compared, cells of one side are counted", async () => {
  const other = [{ ...two[0], change: { dataHash: "other" } }, { spec: { op: "erase" } }];
  const found = await compared(await measured(two, gpu), await measured(other, gpu));
  expect(found).toMatchObject({ unlike: [{ reason: "its input differs" }], onlyBefore: 1, onlyAfter: 1, verdicts: [] });
});

test.each(["device", "driver", "toggles"] as const)("another %s is refused unless it is allowed", async (column) => {
  const [a, b] = [await measured(two, gpu), await measured(two, { ...gpu, [column]: "other" })];
  await expect(compared(a, b)).rejects.toThrow(`differ in ${column}`);
  expect((await compared(a, b, { allow: [column] })).differences).toMatchObject([{ column, after: "other" }]);
});

test("another Dawn and commit are compared, and said", async () => {
  const found = await compared(await measured(two, gpu), await measured(two, { ...gpu, dawn: "9", commit: "b" }));
  expect(found.differences.map(({ column }) => column)).toEqual(["dawn", "commit"]);
});

test("another version of a plug-in's code is compared, and said", async () => {
  const version = (plugin: string) => measured(two, { ...gpu, system: { plugin } });
  const found = await compared(await version("1a"), await version("2b"));
  expect(format(found, "text")).toContain("plugin: bucketed 1a before, bucketed 2b after.");
  expect(environmentDiffers(found)).toBe(false);
});

test("slower accesses of device/limits are said to be no table's doing", async () => {
  const limit = (slower: number): Measured => ({ spec: { experiment: "device/limits", bench: "limit" }, slower });
  const found = await compared(await measured([...two, limit(1)], gpu), await measured([...two, limit(1.1)], gpu));
  expect(format(found, "text")).toContain("Accesses of device/limits became slower too, by 10 %");
});

test("several runs of a side are taken together", async () => {
  const folder = join(temporaryFolder(), "results");
  const writer = await openResults(folder, { seed: 1 }, { resume: false, force: false });
  const run = (name: string, slower: number) => {
    const samples = QUIET.map((ns) => ns * slower);
    return writer.append(cell({ n: 1e6 }), result({ samples }), { ...runInfo, ...gpu, run: name });
  };
  await run("20260101T000000Z", 1);
  const side = await readSide(folder);
  expect([...side.cells.values()][0]?.runs).toHaveLength(1);
});

test("the command ends with 0, 1 or 2", async () => {
  const [a, b] = [await measured(two, gpu), await measured([{ ...two[1], slower: 1.2 }], gpu)];
  expect(await command(a, a)).toMatchObject({ code: 0, err: "" });
  const worse = await command(a, b);
  expect(worse.code).toBe(1);
  expect(worse.err).toContain("became worse: gph/fig10 bucketed find");
  const refused = await command(a, await measured(two, lavapipe));
  expect(refused.code).toBe(2);
  expect(refused.err).toContain("--allow device");
});

test.each([
  [["--threshold", "0"], "--threshold 0"],
  [["--threshold", "5"], "--threshold 5: a share above 0 and below 1 is wanted; 5 % are 0.05"],
  [["--threshold", "1"], "--threshold 1: a share above 0 and below 1 is wanted; 1 % are 0.01"],
  [["--threshold", "500"], "--threshold 500: a share above 0 and below 1 is wanted, such as 0.05 for 5 %"],
  [["--threshold", "5%"], "--threshold 5%: a share above 0 and below 1 is wanted"],
  [["--gate", "colour"], "--gate colour: one of auto, times, counters, both"],
  [["--allow", "seed"], "--allow seed: one of device, driver, toggles"],
  [["--format", "pdf"], "--format pdf: one of text"],
  [["--of-device", "nobody"], "no rows of a device called nobody"],
  [["--out", "/dev/null/x"], "--out /dev/null/x: /dev/null is a device"],
])("bad options are one line: %j", async (options, message) => {
  const a = await measured(two, gpu);
  const { code, err } = await command(a, a, ...options);
  expect(code).toBe(2);
  expect(err).toContain(message);
  expect(err.trim().split("\n")).toHaveLength(1);
});

test("a baseline that is not there is said, with the command that would make it", async () => {
  const { code, err } = await command("@main", await measured(two, gpu), "--store", temporaryFolder());
  expect(code).toBe(2);
  expect(err).toContain("no baseline main of Example GPU");
});

test.each([["mops"], ["mops", "held_per_pair", "load_factor_reached"]])(
  "where no counter of work is there, the answer is not yes: %j",
  async (...names) => {
    const uncounted = () => measured([{ change: { metrics: names.map((name) => metric(name, 1)) } }], lavapipe);
    for (const options of [[], ["--require-all"]]) {
      const { code, err } = await command(await uncounted(), await uncounted(), ...options);
      expect(code).toBe(1);
      expect(err).toContain("no counter of work was compared (1 × no counters of work on either side)");
    }
  },
);

test("where the sides have no cell in common the answer is not yes, and says in which columns they differ", async () => {
  const [a, b] = [await measured(two.slice(0, 1), gpu), await measured(two.slice(1), gpu)];
  const { code, err } = await command(a, b);
  expect(code).toBe(1);
  expect(err).toMatch(/have no cell in common: \w+ is .* before, .* after/);
});

test.each([0, -1])("samples of %d ns are refused", async (ns) => {
  const [a, b] = [await measured(two, gpu), await measured([{ ...two[0], change: { samples: [5, ns] } }], gpu)];
  for (const sides of [
    [a, b],
    [b, a],
  ]) {
    const { code, err } = await command(...sides);
    expect(code).toBe(2);
    expect(err).toContain(`${b}: a sample of ${ns} ns is no time (gph/fig10 bucketed insert`);
  }
});

test("Markdown has names from rows as text", async () => {
  const device = "[GPU](https://x)";
  const spec = { dataset: "a|b*c*" };
  const found = await compared(
    await measured([{ spec }], { device }),
    await measured([{ spec, slower: 2 }], { device }),
  );
  expect(format(found, "markdown")).toContain("| gph/fig10 bucketed find a\\|b\\*c\\*,");
  expect(format(found, "markdown")).toContain("Device: \\[GPU\\](https://x).");
});

test.each(FORMATS)("%s names the worse cell or its number", async (how) => {
  const found = await compared(await measured(two, gpu), await measured([{ ...two[1], slower: 1.2 }], gpu));
  const text = format(found, how);
  expect(text).toContain("gph/fig10 bucketed find");
  if (how === "json") expect(JSON.parse(text)).toMatchObject({ regressed: true, gated: ["times", "counters"] });
  if (how === "markdown") expect(text).toContain("❌");
  if (how === "github-action-benchmark") {
    const values = JSON.parse(text) as { name: string; unit: string; value: number }[];
    expect(values).toMatchObject([{ unit: "M op/s", value: 1.2e8 }]);
  }
});

const SAMPLES = join("gph", "fig10.samples.jsonl");
const three: Measured[] = [...two, { spec: { op: "erase" } }];

/** The folder without the samples of the cells of these operations, as if they had not been kept. */
function withoutSamples(folder: string, ...ops: string[]): string {
  const file = join(folder, SAMPLES);
  const lines = readFileSync(file, "utf8").split("\n");
  const left = lines.filter((line) => !ops.some((op) => line.includes(`\\"${op}\\"`)));
  expect(left).toHaveLength(lines.length - ops.length);
  writeFileSync(file, left.join("\n"));
  return folder;
}

test.each([
  ["before", ["find"], []],
  ["after", [], ["find"]],
  ["on either side", ["find"], ["find"]],
] as const)("a cell without samples %s is no compared time, and said in every format", async (where, was, is) => {
  const slower = [{ spec: { op: "insert" } }, { spec: { op: "find" }, slower: 2 }];
  const before = withoutSamples(await measured(two, gpu), ...was);
  const after = withoutSamples(await measured(slower, gpu), ...is);
  const found = await compared(before, after);
  expect(found.verdicts.filter(({ metric: m }) => m === "time")).toHaveLength(1);
  expect(found).toMatchObject({ missing: 1, unlike: [{ gap: true, reason: `times, no samples ${where}` }] });
  for (const how of ["text", "markdown"] as const) {
    expect(format(found, how)).toContain("none became worse; 1 cell not compared, or only in part");
    expect(format(found, how)).toContain(`Not compared: 1 × times, no samples ${where}.`);
  }
  expect(JSON.parse(format(found, "json"))).toMatchObject({
    missing: 1,
    objections: [],
    unlike: [{ gap: true, reason: `times, no samples ${where}` }],
  });
});

test("the newest run of a side has to have samples: older ones are not what is to be judged", async () => {
  const folder = await measured(two, gpu);
  const side = await readSide(folder);
  const aged = (cell: SideCell): SideCell => ({
    ...cell,
    runs: [...cell.runs, { run: "newer", rows: cell.runs[0]?.rows ?? new Map(), samples: [] }],
  });
  const newer = { ...side, cells: new Map([...side.cells].map(([key, one]) => [key, aged(one)])) };
  const { verdicts, missing } = compare(side, newer);
  expect(verdicts.filter(({ metric: m }) => m === "time")).toEqual([]);
  expect(missing).toBe(2);
});

test("with --require-all a cell without samples or counterpart is an answer no, and without it is not", async () => {
  const whole = await measured(two, gpu);
  const lacking = withoutSamples(await measured(two, gpu), "find");
  expect(await command(whole, lacking)).toMatchObject({ code: 0, err: "" });
  for (const [before, after] of [
    [whole, lacking],
    [lacking, whole],
  ] as const) {
    const { code, out, err } = await command(before, after, "--require-all");
    expect(code).toBe(1);
    expect(err).toContain("--require-all: not compared, or only in part: 1 × times, no samples");
    expect(out).toContain("The answer is no: --require-all: not compared");
  }
  const more = await measured(three, gpu);
  expect((await command(whole, more)).code).toBe(0);
  expect((await command(whole, more, "--require-all")).err).toContain("only in part: 1 × after only");
  expect((await command(more, whole, "--require-all", "--format", "markdown")).out).toMatch(/^### ❌/);
  expect((await command(whole, whole, "--require-all")).code).toBe(0);
});

test("a gap of times is none where counters alone decide", async () => {
  const before = await measured(two, lavapipe);
  const after = withoutSamples(await measured(two, lavapipe), "find", "insert");
  expect(await command(before, after, "--require-all")).toMatchObject({ code: 0, err: "" });
});

test("a counter that one side lacks is said, and a gap", async () => {
  const uncounted = { change: { metrics: [metric("mops", 1), metric("time", 100)] } };
  const [a, b] = [await measured(two, gpu), await measured([{ ...two[0] }, { ...two[1], ...uncounted }], gpu)];
  expect(await compared(a, b)).toMatchObject({ missing: 1, unlike: [{ reason: "no probes after" }] });
  expect(await compared(b, a)).toMatchObject({ missing: 1, unlike: [{ reason: "no probes before" }] });
  expect((await command(a, b, "--require-all")).code).toBe(1);
});

test("on a GPU a gate that compared no time is an answer no, with its reason", async () => {
  const whole = await measured(two, gpu);
  const lacking = withoutSamples(await measured(two, gpu), "find", "insert");
  for (const args of [[], ["--gate", "times"]]) {
    const { code, out, err } = await command(whole, lacking, ...args);
    expect(code).toBe(1);
    expect(err).toContain("no time was compared (2 × times, no samples after)");
    expect(out).toContain("The answer is no: no time was compared");
  }
  const json = await command(whole, lacking, "--json");
  expect(JSON.parse(json.out)).toMatchObject({
    regressed: false,
    objections: [expect.stringContaining("no time was compared")],
  });
  expect((await command(whole, lacking, "--gate", "counters")).code).toBe(0);
  const cpu = await measured([{ spec: { bench: "cpu", table: "js-map" } }], gpu);
  expect((await command(cpu, cpu)).err).toContain("no time was compared");
});

test("what both sides skipped, and what nothing gates, is no gap", async () => {
  const skipped = { change: { status: "skipped" as const, reason: "too large", metrics: [], samples: [] } };
  const uncounted = { change: { metrics: [metric("mops", 1), metric("time", 100)] } };
  const cells = [
    ...two,
    { spec: { op: "erase" }, ...skipped },
    { spec: { bench: "cpu", table: "js-map" }, ...uncounted },
  ];
  const folder = await measured(cells, gpu);
  const found = await compared(folder, folder);
  expect(found).toMatchObject({
    missing: 0,
    unlike: [{ reason: "skipped on both sides" }, { reason: "timed by the CPU's clock" }],
  });
  expect((await command(folder, folder, "--require-all")).code).toBe(0);
});

test("across drivers one table says which table and operation became faster or slower; with one driver there is none", async () => {
  const before = await measured(two, { ...gpu, driver: "1.0" });
  const cells = [
    { spec: { op: "insert" as const }, slower: 1.2 },
    { spec: { op: "find" as const }, slower: 0.9 },
  ];
  const comparison = await compared(before, await measured(cells, { ...gpu, driver: "2.0" }), { allow: ["driver"] });
  const table = /table .*operation[\s\S]*?\n\n/.exec(format(comparison, "text"))?.[0].trim().split("\n") ?? [];
  expect(
    table.slice(1).map((line) =>
      line
        .trim()
        .split(/\s{2,}/)
        .slice(0, 3),
    ),
  ).toEqual([
    ["bucketed", "insert", "+20 %"],
    ["bucketed", "find", "−10.0 %"],
  ]);
  expect(format(comparison, "markdown")).toContain("| bucketed | insert | +20 % | +20 % | +20 % | 1 | 1 | 0 |");
  expect(JSON.parse(format(comparison, "json")).groups).toMatchObject([
    { op: "insert", worse: 1 },
    { op: "find", better: 1 },
  ]);
  const same = await compared(before, await measured(cells, { ...gpu, driver: "1.0" }));
  expect(format(same, "text")).not.toContain("operation");
});
