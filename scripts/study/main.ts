/**
 * What `compare` finds and what it does not, measured on the device at hand: runs of equal code compared with one another,
 * and with runs of a copy whose kernels are a little slower. `node dist/scripts/study/main.js --help`.
 */

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { median } from "simple-statistics";
import { decimals, percent } from "../../bench/base/format.js";
import { packageRoot } from "../../bench/base/paths.js";
import { type CompareOptions, defaultOptions } from "../../bench/compare/compare.js";
import { cellName, readSide, type Side } from "../../bench/compare/side.js";
import { isSoftware } from "../../bench/results/device-name.js";
import { uniform } from "../../datasets/rng.js";
import { copyPackage, extraProbe, type Plant, plantInto, slowerFind, slowerInsert, strengthFor } from "./plant.js";
import { type Outcome, pairsOf, resampled, runTrials } from "./trials.js";

const USAGE = `node dist/scripts/study/main.js [--device NAME] [--runs 15] [--planted 14] [--trials 200] [--slowdown 0.05]
    [--out build/study] [--evaluate]
Runs the suite --runs times, then --planted times with slower kernels (on a software adapter: with one more probe a
lookup), and compares --trials pairs of each. Writes study.json and study.md to --out.
--evaluate compares the runs that lie in --out, and measures nothing.`;

const SUITE = ["tables/load-factor", "cuckoo", "--tables", "bucketed,cuckoo,double-hashing"];
const GPU_SIZE = ["--quick", "--no-count"];
const SOFTWARE_SIZE = ["--n", "30000", "--max-noise", "1"];

/** A cell whose slow-down is set to the wanted one. */
interface Target {
  readonly plant: Plant;
  readonly table: string;
  readonly op: string;
}
const TARGETS: readonly Target[] = [
  { plant: slowerFind, table: "bucketed", op: "find" },
  { plant: slowerInsert, table: "double-hashing", op: "insert" },
];
/** The cell of a target: present keys at this load factor. */
const LOAD_FACTOR = 0.8;
const CALIBRATION_STEPS = 10;
/** How close to the wanted slow-down calibration gets, relative. */
const CALIBRATED = 0.04;

const { values: flags } = parseArgs({
  options: {
    device: { type: "string", default: "auto" },
    runs: { type: "string", default: "15" },
    planted: { type: "string", default: "14" },
    trials: { type: "string", default: "200" },
    slowdown: { type: "string", default: "0.05" },
    out: { type: "string", default: "build/study" },
    evaluate: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
if (flags.help) console.log(USAGE);
else if (flags.evaluate) evaluate(resolve(flags.out), await kept("equal"), await kept("slower"));
else await study(resolve(flags.out), Number(flags.runs), Number(flags.planted));

async function study(out: string, runs: number, plantedRuns: number): Promise<void> {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(join(out, "planted"), { recursive: true });
  const first = await measure(out, "equal-0", packageRoot);
  const software = first.distinct("device").every(isSoftware);
  const equal = [first];
  for (let i = 1; i < runs; i++) equal.push(await measure(out, `equal-${i}`, packageRoot));
  const copy = join(out, "planted");
  copyPackage(copy);
  if (software) plantInto(copy, [{ plant: extraProbe, strength: 1 }]);
  else await calibrate(out, copy, first, Number(flags.slowdown));
  const slower: Side[] = [];
  for (let i = 0; i < plantedRuns; i++) slower.push(await measure(out, `slower-${i}`, copy));

  evaluate(out, equal, slower);
}

/** The runs `<name>-0`, `<name>-1` … of an earlier study. */
async function kept(name: string): Promise<Side[]> {
  const sides: Side[] = [];
  for (let i = 0; existsSync(join(flags.out, `${name}-${i}`)); i++) {
    sides.push(await readSide(join(flags.out, `${name}-${i}`)));
  }
  return sides;
}

/** Compares pairs of the runs, and reports. */
function evaluate(out: string, equal: readonly Side[], slower: readonly Side[]): void {
  const [first] = equal;
  if (!first) throw new Error(`no runs in ${out}`);
  const software = first.distinct("device").every(isSoftware);
  const trials = Number(flags.trials);
  const options: CompareOptions = defaultOptions;
  const random = uniform(1);
  const same = pairsOf(equal, equal, trials, random);
  const worse = pairsOf(equal, slower, trials, random);
  const outcomes = {
    "equal code": runTrials(same, options),
    "equal code, samples drawn anew": runTrials(
      same.map((trial) => resampled(trial, random)),
      options,
    ),
    "slower kernels": runTrials(worse, options),
    "slower kernels, samples drawn anew": runTrials(
      worse.map((trial) => resampled(trial, random)),
      options,
    ),
  };
  report(out, first, equal, slower, outcomes, software);
}

/** One run in a process of its own. */
async function measure(
  out: string,
  name: string,
  root: string,
  suite: readonly string[] = SUITE,
  size: readonly string[] = /lavapipe|swiftshader|software/.test(flags.device) ? SOFTWARE_SIZE : GPU_SIZE,
): Promise<Side> {
  const folder = join(out, name);
  const args = ["run", ...suite, ...size, "--device", flags.device, "--no-plots", "--out", folder];
  const begin = performance.now();
  const { status, stderr } = spawnSync(process.execPath, [join(root, "dist", "bench", "cli", "main.js"), ...args], {
    encoding: "utf8",
    stdio: ["ignore", "ignore", "pipe"],
    maxBuffer: 2 ** 28,
  });
  if (status !== 0) throw new Error(`${name} ended with ${status}: ${stderr.trim().split("\n").at(-1)}`);
  console.log(`${name}: ${decimals((performance.now() - begin) / 1000, 1)} s`);
  return readSide(folder);
}

function targetCell(side: Side, { table, op }: Target): string {
  const found = [...side.cells.values()].find(
    ({ last }) =>
      last.experiment === "tables/load-factor" &&
      last.table === table &&
      last.op === op &&
      last.load_factor === LOAD_FACTOR &&
      (last.positive_ratio ?? 1) === 1,
  );
  if (!found) throw new Error(`no cell of ${table} ${op}`);
  return found.key;
}

function medianOf(side: Side, key: string): number {
  return median((side.cells.get(key)?.runs ?? []).flatMap(({ samples }) => [...samples]));
}

/** Finds the strengths that slow the targets' cells by `slowdown`, by interpolation between what other strengths gave. */
async function calibrate(out: string, copy: string, first: Side, slowdown: number): Promise<void> {
  const n = first.cells.get(targetCell(first, TARGETS[0] as Target))?.last.n;
  const tables = TARGETS.map(({ table }) => table).join();
  const suite = ["tables/load-factor", "--tables", tables, "--load-factor", `${LOAD_FACTOR}`];
  const size = ["--n", `${n}`, "--no-count"];
  const plain = await measure(out, "calibration-0", packageRoot, suite, size);
  const tried = TARGETS.map(() => [{ strength: 0, change: 0 }]);
  for (let step = 1; step <= CALIBRATION_STEPS; step++) {
    const strengths = tried.map((points) => strengthFor(points, slowdown));
    plantInto(
      copy,
      TARGETS.map(({ plant }, i) => ({ plant, strength: strengths[i] ?? 0 })),
    );
    const slow = await measure(out, `calibration-${step}`, copy, suite, size);
    const reached = TARGETS.map((target) => {
      const key = targetCell(plain, target);
      return medianOf(slow, key) / medianOf(plain, key) - 1;
    });
    const said = strengths.map((strength, i) => `${decimals(strength, 4)} slows by ${percent(reached[i] ?? 0)}`);
    console.log(`strength ${said.join(", ")}`);
    if (reached.every((change) => Math.abs(change / slowdown - 1) < CALIBRATED)) return;
    for (const [i, points] of tried.entries()) points.push({ strength: strengths[i] ?? 0, change: reached[i] ?? 0 });
  }
  throw new Error(`no strength slows both kernels by ${percent(slowdown)}`);
}

function report(
  out: string,
  first: Side,
  equal: readonly Side[],
  slower: readonly Side[],
  outcomes: Readonly<Record<string, Outcome>>,
  software: boolean,
): void {
  const last = (key: string) => first.cells.get(key)?.last;
  const targets = TARGETS.slice(0, software ? 1 : TARGETS.length).map((target) => {
    const key = targetCell(first, target);
    const times = (sides: readonly Side[]) => median(sides.map((side) => medianOf(side, key)));
    const row = last(key);
    return { key, name: row ? cellName(row) : key, slowdown: times(slower) / times(equal) - 1 };
  });
  const metric = software ? "probes" : "time";
  const lines = [
    `Device: ${first.distinct("device").join()}, ${first.distinct("driver").join()}, ${first.distinct("dawn").join()}.`,
    `${first.cells.size} cells; ${equal.length} runs of equal code, ${slower.length} of slower kernels.`,
    software
      ? "Slower: every lookup of bucketed makes one more probe."
      : `Slower, by calibration: ${targets.map(({ name, slowdown }) => `${name} by ${percent(slowdown)}`).join("; ")}.`,
    "",
    `| trials | comparisons | with an alarm | ${targets.map(({ name }) => name).join(" | ")} |`,
    `|---|--:|--:|${targets.map(() => "--:|").join("")}`,
    ...Object.entries(outcomes).map(([name, { trials, alarms, worse }]) => {
      const found = targets.map(({ key }) => `${worse.get(`${key} ${metric}`) ?? 0} found`);
      return `| ${name} | ${trials} | ${alarms} | ${found.join(" | ")} |`;
    }),
    "",
  ];
  const others = Object.fromEntries(
    Object.entries(outcomes).map(([name, { trials, alarms, worse }]) => [
      name,
      { trials, alarms, worse: Object.fromEntries([...worse].map(([key, times]) => [key, times])) },
    ]),
  );
  writeFileSync(join(out, "study.md"), lines.join("\n"));
  writeFileSync(join(out, "study.json"), `${JSON.stringify({ targets, outcomes: others }, null, 1)}\n`);
  console.log(lines.join("\n"));
}
