// Everything that has to pass: `npm test`. Checks of the source, unit tests, the report in a browser, a sweep on Slurm, and the
// GPU tests on each software adapter, in a process whose environment names it from the start: the dynamic linker reads LD_LIBRARY_PATH
// only then. Three steps run at a time on two cores: compiling kernels for a software adapter keeps one core busy and no more, and
// tests of whole runs and of the browser wait for processes and time-outs. Beside them runs the one that waits for Slurm.
// `npm test -- unit` or `npm test -- lint lavapipe` runs only those steps. The last line counts tests.
import { spawn, spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join, relative } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const root = join(import.meta.dirname, "..");
/** No step may take longer: a driver that hangs cannot be interrupted from inside. */
const STEP_TIMEOUT_MS = 40 * 60_000;

/** `failures`: what failed, a line each. @typedef {{ passed: number, failed: number, skipped: number, note?: string, failures?: string[] }} Outcome */

/** Runs a program of Node's, or of the system; its lines go to ours, after the step's name. @returns {Promise<number>} */
function run(step, words, env = {}, onLine = () => {}) {
  const [program, ...args] = words;
  const options = { cwd: root, env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"] };
  const child = spawn(program, args, { ...options, timeout: STEP_TIMEOUT_MS, killSignal: "SIGKILL" });
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on("line", (line) => {
      onLine(line);
      console.log(`${step.padEnd(11)} | ${line}`);
    });
  }
  return new Promise((resolve) => {
    child.on("error", (error) => {
      console.error(error.message);
      resolve(1);
    });
    child.on("close", (status) => resolve(status ?? 1));
  });
}

/** A program of a development dependency: one failure if it fails, and no test if it passes. @returns {Promise<Outcome>} */
async function tool(step, path, ...args) {
  const status = await run(step, [process.execPath, join("node_modules", path), ...args]);
  return { passed: 0, failed: status === 0 ? 0 : 1, skipped: 0 };
}

/** The tests of a file that failed, and the file if it did not load, with the first line of why. @returns {string[]} */
function failuresOf({ name, status, message, assertionResults }) {
  const first = (text) => (text ?? "").trim().split("\n")[0];
  const file = relative(root, name);
  const failed = assertionResults.filter((test) => test.status === "failed");
  if (failed.length === 0) return status === "failed" ? [`${file}: ${first(message)}`] : [];
  return failed.map((test) => `${file} > ${test.fullName}: ${first(test.failureMessages[0])}`);
}

/** What a step of vitest has transformed, for those after it. */
const modules = mkdtempSync(join(tmpdir(), "hashbench-modules-"));

/** One vitest run of a project. @returns {Promise<Outcome>} */
async function vitest(step, project, env = {}, more = []) {
  const folder = mkdtempSync(join(tmpdir(), "hashbench-test-"));
  const file = join(folder, "report.json");
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
  const program = [process.execPath, join("node_modules", "vitest", "vitest.mjs"), "run", "--project", project];
  const status = await run(step, [...program, ...reporters, ...more], { ...env, HASHBENCH_TEST_MODULES: modules });
  try {
    const report = JSON.parse(readFileSync(file, "utf8"));
    const { numPassedTests: passed, numFailedTests: failed, numPendingTests: skipped } = report;
    // A file that does not load or a process that dies fails no test.
    return {
      passed,
      skipped,
      failed: status !== 0 && failed === 0 ? 1 : failed,
      failures: report.testResults.flatMap(failuresOf),
    };
  } catch {
    return { passed: 0, failed: 1, skipped: 0, note: "no report" };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Vulkan's loader is to open no other driver than lavapipe's, a GPU's say. */
const LAVAPIPE = { VK_LOADER_DRIVERS_SELECT: "*lvp*", HASHBENCH_ADAPTER: "llvmpipe" };
/** Lavapipe compiles kernels in half the time for vectors of half the usual width: what measures on it in other steps has these too. */
const HALF_WIDTH = { LP_NATIVE_VECTOR_WIDTH: "128" };
/**
 * What SwiftShader runs beside lavapipe: what its compiler and its scheduler may do in another way. Every table's kernels, by one
 * case or a few; the primitives that they share, warps without subgroups among them, scans and sorts, whose workgroups wait for one
 * another; counters; the kernels that make and check the workload; a partitioned build; a group-by; functions of tables that
 * race in a program's kernel. The other files look at other
 * parameters of the same text, at counts, or at what the host makes of answers: that needs no second adapter.
 */
const ON_SWIFTSHADER = [
  "kernels/conformance",
  "kernels/common/count",
  "kernels/common/scan",
  "kernels/common/warp",
  "kernels/group-by/group-by",
  "kernels/library/shader",
  "kernels/partitioned",
  "kernels/radix-sort/sort.gpu",
  "kernels/stash/lanes",
  "bench/device/adapter",
  "bench/measure/counting/sums",
  "bench/device/gpu.gpu",
  "bench/verify/cases/shared-slot",
  "bench/scenarios/workload",
];

/**
 * Steps on adapters. With vectors of half the usual width subgroups have 4 lanes, as SwiftShader's have. What works by subgroups
 * is tested with 8 lanes too.
 */
const ADAPTERS = {
  lavapipe: {
    device: "lavapipe",
    env: { ...LAVAPIPE, ...HALF_WIDTH, HASHBENCH_LANES: "4" },
    files: [],
  },
  "8 lanes": {
    device: "lavapipe",
    env: { ...LAVAPIPE, LP_NATIVE_VECTOR_WIDTH: "256", HASHBENCH_LANES: "8" },
    files: [
      "kernels/common/warp",
      "kernels/common/count",
      "kernels/stash/lanes",
      "kernels/slab-hash/slab-hash",
      "bench/measure/counting",
    ],
  },
  // More threads than cores, so that the system interrupts some in the middle of an operation of theirs: races show.
  "8 threads": {
    device: "lavapipe",
    env: { ...LAVAPIPE, ...HALF_WIDTH, HASHBENCH_LANES: "4", LP_NUM_THREADS: "8" },
    files: ["kernels/library/shader", "bench/verify/cases/shared-slot"],
  },
  swiftshader: { device: "swiftshader", env: { HASHBENCH_LANES: "4" }, files: ON_SWIFTSHADER },
};

/**
 * Lavapipe's files are shared out to so many processes. It maps memory for every descriptor set, Dawn makes hundreds of them for
 * each layout, and Linux lets a process have 65,530 mappings: all files need more. Two would do; with more of them all cores end
 * at about the same time. What one of them compiled Mesa keeps on disk for the next; SwiftShader keeps nothing, and has one.
 */
const PROCESSES = 4;

/** The adapters that are there, or why they are not. */
async function findAdapters() {
  const { chooseAdapter } = await import(
    pathToFileURL(join(root, "dist", "bench", "device", "adapter", "adapter.js")).href
  );
  const found = {};
  for (const device of ["lavapipe", "swiftshader"]) {
    found[device] = await chooseAdapter({ device }).catch((error) => `not run: ${error?.message ?? error}`);
  }
  return found;
}

let adapters = {};
/** A run that skipped an adapter, or native tables, would not have tested them. */
const required = process.env.HASHBENCH_REQUIRE_ADAPTERS === "1";

/** The GPU tests on one adapter, of a share of the files; skipped where it is not there. @returns {Promise<Outcome>} */
async function onAdapter(step, shard = 1, processes = 1) {
  const { device, env, files } = ADAPTERS[step];
  const found = adapters[device];
  if (typeof found === "string") {
    const once = shard === 1 ? 1 : 0;
    return { passed: 0, failed: required ? once : 0, skipped: required ? 0 : once, note: found };
  }
  // Where there is no lavapipe, SwiftShader runs all.
  const own = step === "swiftshader" && typeof adapters.lavapipe === "string" ? [] : files;
  const adapter = { HASHBENCH_DEVICE: device, HASHBENCH_ADAPTER: found.name };
  return vitest(step, "gpu", { ...found.env, ...adapter, ...env }, [...own, `--shard=${shard}/${processes}`]);
}

/** The files of scripts/slurm against a Slurm on this host; skipped where there is none. @returns {Promise<Outcome>} */
async function slurm() {
  const found = spawnSync("sh", ["-c", "PATH=$PATH:/usr/sbin:/sbin command -v slurmctld slurmd munged"]).status === 0;
  if (!found || process.getuid?.() !== 0 || typeof adapters.lavapipe === "string") {
    const note = "not run: it needs root, lavapipe, and what scripts/setup-slurm.sh installs";
    return { passed: 0, failed: 0, skipped: 1, note };
  }
  const env = { ...adapters.lavapipe.env, ...HALF_WIDTH };
  const failures = [];
  let passed = 0;
  const status = await run("slurm", ["bash", join("scripts", "slurm", "test.sh")], env, (line) => {
    if (line.startsWith("ok ")) passed++;
    if (line.startsWith("not ok ")) failures.push(line.slice("not ok ".length));
  });
  if (status !== 0 && failures.length === 0) failures.push(`test.sh ended with ${status}`);
  return { passed, failed: failures.length, skipped: 0, failures };
}

/** Of the parts of a step: the sums. */
function together(parts) {
  const sum = (count) => parts.reduce((total, part) => total + part[count], 0);
  const [seconds, passed, failed, skipped] = ["seconds", "passed", "failed", "skipped"].map(sum);
  const note = parts.map((part) => part.note).find(Boolean);
  return {
    name: parts[0].name,
    seconds,
    passed,
    failed,
    skipped,
    note,
    failures: parts.flatMap((p) => p.failures ?? []),
  };
}

/** What `npm run build` does, where `npm ci` has not just done it. */
async function build() {
  const done = process.env.HASHBENCH_BUILT === "1";
  const outcome = done
    ? { passed: 0, failed: 0, skipped: 0, note: "built by npm ci" }
    : await tool("build", "typescript/bin/tsc", "-p", "tsconfig.build.json");
  // The compiler writes files anew, and npx starts this one.
  chmodSync(join(root, "dist", "bench", "cli", "main.js"), 0o755);
  for (const name of done ? [] : ["write-wgsl", "write-types", "write-package"])
    await run("build", [process.execPath, join("dist", "scripts", `${name}.js`)]);
  // A C compiler may have come since.
  await run("build", [process.execPath, join("scripts", "buffer-memory.mjs")]);
  const page = done ? 0 : await run("build", [process.execPath, join("dist", "scripts", "page.js")]);
  return page === 0 ? outcome : { ...outcome, failed: 1 };
}

/** Builds the native tables whose libraries are there; which ones, bench/cli/e2e/native.gpu.test.ts says. @returns {Promise<Outcome>} */
async function native() {
  if (process.platform !== "linux") return { passed: 0, failed: 0, skipped: 1, note: "not built: only on Linux" };
  if (spawnSync("cmake", ["--version"]).status !== 0)
    return { passed: 0, failed: required ? 1 : 0, skipped: required ? 0 : 1, note: "not built: there is no CMake" };
  const [source, target] = [join("kernels", "native"), join("build", "native")];
  const made = await run("native", ["cmake", "-S", source, "-B", target]);
  const status = made === 0 ? await run("native", ["cmake", "--build", target, "--parallel", "2"]) : made;
  return { passed: status === 0 ? 1 : 0, failed: status === 0 ? 0 : 1, skipped: 0 };
}

/** What steps wait for whose commands take the native tables that are built. */
let nativeBuilt = Promise.resolve();
const onLavapipe = (shard) => async () => {
  await nativeBuilt;
  return onAdapter("lavapipe", shard, PROCESSES);
};

/** Steps, some of them in parts, in the order in which they begin: the longest first, but before all what a person waits for at once. */
const order = [
  ["build", build],
  ["native", native],
  ["typecheck", () => tool("typecheck", "typescript/bin/tsc", "-p", "tsconfig.json", "--noEmit")],
  ["page", () => tool("page", "typescript/bin/tsc", "-p", join("reports", "report", "client", "tsconfig.json"))],
  [
    "browser code",
    () =>
      tool("browser code", "typescript/bin/tsc", "--noEmit", "-p", join("bench", "page", "client", "tsconfig.json")),
  ],
  ["lint", () => tool("lint", "@biomejs/biome/bin/biome", "check", ".")],
  ["lavapipe", onLavapipe(1)],
  ["browser", () => vitest("browser", "browser", HALF_WIDTH)],
  ["swiftshader", () => onAdapter("swiftshader")],
  ["lavapipe", onLavapipe(2)],
  ["lavapipe", onLavapipe(3)],
  ["lavapipe", onLavapipe(4)],
  ["unit", () => vitest("unit", "unit*")],
  ["8 lanes", () => onAdapter("8 lanes")],
  ["8 threads", () => onAdapter("8 threads")],
  ["slurm", () => nativeBuilt.then(slurm)],
];
const names = [...new Set(order.map(([name]) => name))];

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  console.error(`no such step: ${unknown.join(", ")}; there is ${names.join(", ")}`);
  process.exit(2);
}
const waiting = order.filter(([name]) => asked.length === 0 || asked.includes(name));

const parts = [];
async function perform([name, work]) {
  console.log(`--- ${name}`);
  const start = performance.now();
  const outcome = await work();
  parts.push({ name, seconds: (performance.now() - start) / 1000, ...outcome });
}

// Whatever follows runs what was built, on adapters that are there.
if (waiting[0]?.[0] === "build") await perform(waiting.shift());
const wanted = (name) => waiting.some(([other]) => other === name);
if (wanted("native") && process.platform === "linux")
  await run("set-up", ["bash", join("scripts", "setup-native.sh"), "--optional"]);
if (wanted("slurm") && process.getuid?.() === 0) await run("set-up", ["bash", "scripts/setup-slurm.sh", "--optional"]);
if (waiting.some(([name]) => name in ADAPTERS || name === "slurm")) {
  if (process.platform === "linux") await run("set-up", ["bash", join("scripts", "setup-software.sh"), "--optional"]);
  adapters = await findAdapters();
}
// Its compiler has a core to itself while the others begin.
if (waiting[0]?.[0] === "native") nativeBuilt = perform(waiting.shift());
const worker = async () => {
  for (let next = waiting.shift(); next; next = waiting.shift()) await perform(next);
};
// Slurm's step waits for daemons most of its time.
const at = waiting.findIndex(([name]) => name === "slurm");
const beside = at < 0 || availableParallelism() === 1 ? [] : waiting.splice(at, 1);
const workers = Array.from({ length: availableParallelism() > 1 ? 3 : 1 }, worker);
await Promise.all([nativeBuilt, ...beside.map(perform), ...workers]);
rmSync(modules, { recursive: true, force: true });

const rows = names
  .map((name) => parts.filter((part) => part.name === name))
  .filter((own) => own.length > 0)
  .map(together);
console.log("");
for (const { name, seconds, passed, failed, skipped, note } of rows) {
  const counts = `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
  console.log(`${name.padEnd(12)}${seconds.toFixed(0).padStart(5)} s  ${counts}${note ? ` (${note})` : ""}`);
}
for (const { name, failures = [] } of rows) for (const line of failures) console.log(`FAILED on ${name}: ${line}`);
const sum = (key) => rows.reduce((total, row) => total + row[key], 0);
console.log(`\n${sum("passed")} passed, ${sum("failed")} failed`);
process.exitCode = sum("failed") > 0 ? 1 : 0;
