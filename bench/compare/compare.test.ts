import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { main } from "../cli/program.js";
import type { CellSpec } from "../experiment.js";
import type { CellResult, RunInfo } from "../results/record.js";
import { cell, metric, result, runInfo, temporaryFolder } from "../results/testing.js";
import { openResults } from "../results/write.js";
import { compare, defaultOptions, regressed } from "./compare.js";
import { FORMATS, format } from "./format.js";
import { readSide } from "./side.js";

const QUIET = [100, 100.1, 99.9, 100.05, 99.95, 100.02, 99.98, 100.01, 99.99, 100.03];

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
    const metrics = [metric("mops", 1 / slower), metric("time", 100 * slower), metric("probes", probes)];
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

test("on a software adapter counters decide and times do not", async () => {
  const before = await measured(two, lavapipe);
  expect(regressed(await compared(before, await measured([{ ...two[1], slower: 3 }], lavapipe)))).toBe(false);
  const probes = await compared(before, await measured([{ ...two[1], probes: 2.5 }], lavapipe));
  expect(probes.verdicts.filter(({ decision }) => decision === "worse")).toMatchObject([{ metric: "probes" }]);
  const forced = await compared(before, await measured([{ ...two[1], slower: 3 }], lavapipe), { gate: "times" });
  expect(regressed(forced)).toBe(true);
});

test("times of CPU tables decide nothing", async () => {
  const cpu = (slower: number): Measured[] => [{ spec: { bench: "cpu", table: "js-map" }, slower }];
  const found = await compared(await measured(cpu(1), gpu), await measured(cpu(2), gpu));
  expect(found.verdicts.filter(({ metric: m }) => m === "time")).toEqual([]);
  expect(regressed(found)).toBe(false);
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
  [["--gate", "colour"], "--gate colour: one of auto, times, counters, both"],
  [["--allow", "seed"], "--allow seed: one of device, driver, toggles"],
  [["--format", "pdf"], "--format pdf: one of text"],
  [["--device", "nobody"], "no rows of a device called nobody"],
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

test("where nothing can be compared the answer is not yes", async () => {
  const uncounted = (info: Partial<RunInfo>) => measured([{ change: { metrics: [metric("mops", 1)] } }], info);
  const [a, b] = [await uncounted(lavapipe), await uncounted(lavapipe)];
  const { code, err } = await command(a, b);
  expect(code).toBe(2);
  expect(err).toContain("no counters on both sides");
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
    expect(values).toMatchObject([{ unit: "M op/s", value: 120 }]);
  }
});
