/** A plug-in with an experiment, a claim and a data set, as a user runs it: fixtures/outside. Needs the built program. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packageRoot } from "../../base/paths.js";
import type * as Run from "../../run/index.js";
import { device, hashbench, rowsOf, temporary } from "./testing.js";

const { runExperiments } = (await import(
  /* @vite-ignore */ join(packageRoot, "dist", "bench", "run", "index.js")
)) as typeof Run;

const outside = join(packageRoot, "bench", "cli", "e2e", "fixtures", "outside", "outside.mjs");
const plugin = ["--plugin", outside];
const sizes = ["--device", device, "--n", "2048"];

test("it is listed, measured by its data set, drawn, and its claim is judged", async () => {
  const { stdout: listed } = await hashbench("list", ...plugin, "--json");
  const { experiments, datasets } = JSON.parse(listed) as Record<string, { id: string }[]>;
  expect(experiments?.map(({ id }) => id)).toContain("mine/runs");
  expect(datasets?.map(({ id }) => id)).toContain("runs");
  const out = temporary();
  const ended = await hashbench("run", "mine", ...plugin, ...sizes, "--out", out, "--json");
  expect(ended.code, ended.lines.join("\n")).toBe(0);
  const rows = rowsOf(ended);
  expect(new Set(rows.map(({ status, dataset }) => `${status} ${dataset}`))).toEqual(new Set(["ok runs"]));
  expect(rows.filter(({ metric }) => metric === "probes")).toHaveLength(4);
  const { claims } = JSON.parse(ended.stdout) as { claims: { id: string; verdict: string; origin: string }[] };
  expect(claims).toMatchObject([{ id: "mine/runs:fewer", verdict: "reproduced", origin: "hashbench" }]);
  expect(existsSync(join(out, "figures", "mine", "runs.svg"))).toBe(true);
});

test("a parameter's values are series of a figure, each with its own name", async () => {
  const fanned = ["tables/load-factor", "--tables", "cuckoo", "--series", "functions=3,4", "--load-factor", "0.5"];
  const ended = await hashbench("run", ...fanned, ...sizes, "--out", temporary(), "--no-count", "--no-plots");
  expect(ended.code, ended.lines.join("\n")).toBe(0);
  const series = ended.stdout.split("\n").flatMap((line) => /^Cuckoo, functions \d/.exec(line)?.[0] ?? []);
  expect(new Set(series)).toEqual(new Set(["Cuckoo, functions 3", "Cuckoo, functions 4"]));
});

test("from code: with the plug-in, a data set, load factors, parameters, series and an experiment of one's own", async () => {
  const own = {
    id: "own/object",
    title: "An object",
    setting: "an object",
    series: [{ table: "cuckoo" }],
    axes: { n: [2048], op: ["find"], dataset: ["random"], loadFactor: [0.5], lookups: "n" },
    figure: { kind: "line", metric: "mops", x: { field: "load_factor", title: "x" }, y: { title: "y" } },
  } as const;
  const options = { out: temporary(), device, n: 2048, maxNoise: 0.9 };
  const { rows } = await runExperiments(["mine/runs", own], {
    ...options,
    plugins: [outside],
    datasets: ["runs"],
    loadFactors: [0.6],
    params: { earlyExit: true },
    series: { functions: [3, 4] },
  });
  const rates = rows.filter(({ metric }) => metric === "mops");
  const cells = rates.map((row) => [row.experiment, row.table, row.dataset, row.load_factor, row.params.functions]);
  expect(cells.sort()).toEqual([
    ["mine/runs", "bucketed", "runs", 0.6, undefined],
    ["mine/runs", "double-hashing", "runs", 0.6, undefined],
    ["own/object", "cuckoo", "runs", 0.6, 3],
    ["own/object", "cuckoo", "runs", 0.6, 4],
  ]);
  expect(rates.filter(({ params }) => params.functions).every(({ params }) => params.earlyExit === true)).toBe(true);
  const wrong = { ...own, axes: { ...own.axes, op: ["frob"] } };
  await expect(runExperiments([wrong], options)).rejects.toThrow(
    'experiment own/object: cuckoo has no operation "frob"',
  );
  const misspelt = { ...options, plugin: [outside] };
  await expect(runExperiments(["mine/runs"], misspelt)).rejects.toThrow("there is no option plugin");
});

test("a counter of a plug-in's kernels is a metric of its rows, which figures draw and compare decides", async () => {
  const folder = temporary();
  execFileSync(process.execPath, [join(packageRoot, "dist", "bench", "cli", "main.js"), "new-table", "own"], {
    cwd: folder,
  });
  const find = join(folder, "own", "find.wgsl");
  const text = readFileSync(find, "utf8");
  // Two for each probe.
  const counting = text
    .replace("{count_step,", "{count_own, count_step,")
    .replace("@if(COUNT) count_read();", "@if(COUNT) count_read();\n    @if(COUNT) count_own(1u, 2u);");
  writeFileSync(find, counting);
  const module = join(folder, "own", "own.mjs");
  const exported = `export const counters = [{ name: "nothing", meaning: "none" },
    { name: "looks", meaning: "looks at slots", gate: { worse: "more", race: 6 } }];`;
  writeFileSync(module, `${readFileSync(module, "utf8")}\n${exported}`);
  const own = ["--plugin", module];
  const run = async (out: string, ...more: readonly string[]) => {
    const asked = ["run", "tables/load-factor", "--tables", "own", "--load-factor", "0.5", ...own, ...sizes];
    const ended = await hashbench(...asked, "--out", out, "--json", ...more);
    expect(ended.code, ended.lines.join("\n")).toBe(0);
    return rowsOf(ended);
  };
  const rows = await run(join(folder, "a"));
  const of = (metric: string) => rows.filter((row) => row.metric === metric && row.op === "find");
  expect(of("looks").length).toBeGreaterThan(0);
  expect(of("looks").map(({ value }) => value)).toEqual(of("probes").map(({ value }) => 2 * (value ?? 0)));
  expect(of("looks")[0]?.unit).toBe("1/op");
  expect(of("nothing").map(({ value }) => value)).toEqual(of("probes").map(() => 0));
  writeFileSync(find, counting.replace("count_own(1u, 2u)", "count_own(1u, 3u)"));
  await run(join(folder, "b"), "--no-plots");
  const { stdout, code } = await hashbench("compare", join(folder, "a"), join(folder, "b"), ...own);
  expect(code).toBe(1);
  expect(stdout).toMatch(/looks/);
});
