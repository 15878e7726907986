// Where the time of group-bys and joins goes: each dispatch is a pass of its own (results/studies/group-by.md). After a build, or in a bundle's folder:
//   node results/studies/group-by-steps.mjs [rows: 100000000] [device: auto]
// Prints a line for each case and each of its dispatches: microseconds, the median of five runs, and workgroups.
import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const load = (file) => import(pathToFileURL(resolve("dist", file)));
const [rows = 1e8, device = "auto", adapter] = process.argv.slice(2).map((word, i) => (i === 0 ? Number(word) : word));
if (!adapter) {
  const { chooseAdapter } = await load("bench/device/adapter/adapter.js");
  const { name, env } = await chooseAdapter({ device });
  const args = [process.argv[1], String(rows), device, name];
  process.exit(spawnSync(process.execPath, args, { env: { ...process.env, ...env }, stdio: "inherit" }).status ?? 1);
}
const { openDawn } = await load("bench/device/dawn.js");
const { GroupedRows } = await load("bench/scenarios/workload/grouped.js");
const { makeGroupBy } = await load("kernels/group-by/group-by.js");
const { makeDistinct } = await load("kernels/group-by/distinct.js");
const { makeJoin } = await load("kernels/join/join.js");
const { scoped } = await load("kernels/device/owned.js");
const gpu = await openDawn({ adapter, robust: false, toggles: [] });
const names = new WeakMap();
const make = gpu.kernel.bind(gpu);
gpu.kernel = async (source, ...more) => {
  const kernel = await make(source, ...more);
  names.set(kernel, `${source.file.replace(/^kernels\/|\.wgsl$/g, "")}${source.entry ? `:${source.entry}` : ""}`);
  return kernel;
};

/** Runs the steps one by one, and notes what each took. */
const noted = (times) => async (steps, status, more) => {
  let pass;
  let ns = 0;
  for (const [i, step] of steps.entries()) {
    const last = i === steps.length - 1;
    pass = await gpu.time([step], last ? status : undefined, last ? more : undefined);
    times.push([names.get(step.kernel) ?? "?", pass.ns, step.groups]);
    ns += pass.ns;
  }
  return { ...pass, ns };
};
const median = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1];

const show = (title, prepare) =>
  scoped(gpu, async (own) => {
    const run = await prepare(own);
    const whole = (...pass) => gpu.time(...pass);
    await run(whole);
    const together = [];
    const apart = [];
    for (let i = 0; i < 5; i++) {
      together.push(await run(whole));
      const times = [];
      await run(noted(times));
      apart.push(times);
    }
    console.log(`${title}: ${(median(together) / 1e3).toFixed(1)} µs`);
    for (const [i, [name, , groups]] of apart[0].entries()) {
      const ns = median(apart.map((times) => times[i]?.[1] ?? 0));
      console.log(`  ${(ns / 1e3).toFixed(1).padStart(8)}  ${name}, ${groups} workgroups`);
    }
  });
const sums = (groups, options = {}) => async (own) => {
  const from = await GroupedRows.make(own, { n: rows, seed: 1, groups, shape: "even", skew: 1, columns: 1 });
  const by = await makeGroupBy(own, { aggregates: ["sum"], columns: 1, ...options });
  return async (runs) => (await by.run(runs, from)).ns;
};
const distinct = (groups) => async (own) => {
  const from = await GroupedRows.make(own, { n: rows, seed: 1, groups, shape: "even", skew: 1, columns: 1 });
  const by = await makeDistinct(own, {});
  return async (runs) => (await by.run(runs, from)).ns;
};
const join = (repeats, ratio, unique) => async (own) => {
  const n = Math.ceil(rows / 6);
  const usual = { skew: 0, columns: 0, seed: 1 };
  const keys = Math.ceil(n / repeats);
  const build = await GroupedRows.make(own, { ...usual, n, groups: keys, shape: "turns" });
  const probe = await GroupedRows.make(own, { ...usual, n: Math.ceil(n * ratio), groups: keys, shape: "even" });
  const joined = await makeJoin(own, { kind: "inner", unique });
  return async (runs) => {
    const { build: built, probe: probed } = await joined.run(runs, build, probe);
    return built + probed;
  };
};
for (const groups of [4, 64, 1024, 4096, 131072, 1e6, 1e7, 1e8]) await show(`sum, ${groups} groups`, sums(Math.min(groups, rows)));
for (const groups of [1e6, 1e8]) await show(`distinct, ${groups} keys`, distinct(Math.min(groups, rows)));
for (const [repeats, ratio, unique] of [[1, 4, false], [1, 4, true], [16, 0.25, false], [256, 1 / 16, false]])
  await show(`join, ${repeats} repeats, ${ratio} of the rows probed${unique ? ", unique" : ""}`, join(repeats, ratio, unique));
process.exit(0);
