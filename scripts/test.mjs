// Everything that has to pass: `npm test`. Checks of the source, unit tests, the report in a browser, then the GPU tests
// once on each software adapter, in a process whose environment names it from the start: the dynamic linker reads
// LD_LIBRARY_PATH only then. `npm test -- unit` or `npm test -- lint lavapipe` runs only those steps. The last line counts
// tests.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const root = join(import.meta.dirname, "..");
/** No step may take longer: a driver that hangs cannot be interrupted from inside. */
const STEP_TIMEOUT_MS = 25 * 60_000;

/** @typedef {{ passed: number, failed: number, skipped: number, note?: string }} Outcome */

/** Counts as one failure if it fails, and not as a test if it passes. @returns {Outcome} */
function command(...words) {
  const [program = "", ...args] = words;
  const { status, error } = spawnSync(program, args, { cwd: root, stdio: "inherit", timeout: STEP_TIMEOUT_MS });
  if (error) console.error(error.message);
  return { passed: 0, failed: status === 0 ? 0 : 1, skipped: 0 };
}

/** A program of a development dependency. @returns {Outcome} */
function tool(path, ...args) {
  return command(process.execPath, join("node_modules", path), ...args);
}

/** One vitest run of a project. @returns {Outcome} */
function vitest(project, env = {}, more = []) {
  const folder = mkdtempSync(join(tmpdir(), "hashbench-test-"));
  const file = join(folder, "report.json");
  const args = [
    "run",
    "--project",
    project,
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${file}`,
    ...more,
  ];
  const { status } = spawnSync(process.execPath, [join("node_modules", "vitest", "vitest.mjs"), ...args], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: "inherit",
    timeout: STEP_TIMEOUT_MS,
    killSignal: "SIGKILL",
  });
  try {
    const report = JSON.parse(readFileSync(file, "utf8"));
    const { numPassedTests: passed, numFailedTests: failed, numPendingTests: skipped } = report;
    // A file that does not load or a process that dies fails no test.
    return { passed, skipped, failed: status !== 0 && failed === 0 ? 1 : failed };
  } catch {
    return { passed: 0, failed: 1, skipped: 0, note: "no report" };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * The Vulkan loader is to open no other driver than lavapipe's, a GPU's say. Kernels are compiled in half the time for
 * vectors of half the usual width, which the adapter's whole name tells; subgroups have 4 lanes then.
 */
const SETTINGS = {
  lavapipe: { VK_LOADER_DRIVERS_SELECT: "*lvp*", LP_NATIVE_VECTOR_WIDTH: "128", HASHBENCH_ADAPTER: "llvmpipe" },
};

/** Whether whole runs of the program were tested: they are the same on every adapter. */
let tried = false;

/** The GPU tests on one adapter; skipped where it is not there. @returns {Promise<Outcome>} */
async function onAdapter(device) {
  const { chooseAdapter } = await import(pathToFileURL(join(root, "dist", "bench", "adapter", "adapter.js")).href);
  try {
    const { name, env, adapterFlag } = await chooseAdapter({ device });
    console.log(`\nGPU tests on ${name}`);
    const more = tried ? ["--exclude=bench/e2e/**"] : [];
    tried = true;
    const adapter = { HASHBENCH_DEVICE: device, HASHBENCH_ADAPTER: adapterFlag };
    return vitest("gpu", { ...env, ...adapter, ...SETTINGS[device] }, more);
  } catch (error) {
    const required = process.env.HASHBENCH_REQUIRE_ADAPTERS === "1";
    const note = `not run: ${error instanceof Error ? error.message : error}`;
    return { passed: 0, failed: required ? 1 : 0, skipped: required ? 0 : 1, note };
  }
}

const steps = {
  build: () => tool("typescript/bin/tsc", "-p", "tsconfig.build.json"),
  typecheck: () => tool("typescript/bin/tsc", "-p", "tsconfig.json", "--noEmit"),
  page: () => tool("typescript/bin/tsc", "-p", join("reports", "report", "client", "tsconfig.json")),
  lint: () => tool("@biomejs/biome/bin/biome", "check", "."),
  unit: () => vitest("unit"),
  browser: () => vitest("browser"),
  lavapipe: () => {
    if (process.platform === "linux") command("bash", join("scripts", "setup-software.sh"), "--optional");
    return onAdapter("lavapipe");
  },
  swiftshader: () => onAdapter("swiftshader"),
};

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !(name in steps));
if (unknown.length > 0) {
  console.error(`no such step: ${unknown.join(", ")}; there is ${Object.keys(steps).join(", ")}`);
  process.exit(2);
}

const rows = [];
for (const [name, step] of Object.entries(steps)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  console.log(`\n--- ${name}`);
  const start = performance.now();
  const outcome = await step();
  rows.push({ name, seconds: (performance.now() - start) / 1000, ...outcome });
}

console.log("");
for (const { name, seconds, passed, failed, skipped, note } of rows) {
  const counts = `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
  console.log(`${name.padEnd(12)}${seconds.toFixed(0).padStart(5)} s  ${counts}${note ? ` (${note})` : ""}`);
}
const sum = (key) => rows.reduce((total, row) => total + row[key], 0);
console.log(`\n${sum("passed")} passed, ${sum("failed")} failed`);
process.exitCode = sum("failed") > 0 ? 1 : 0;
