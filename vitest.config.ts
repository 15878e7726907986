import { dirname, join, relative, resolve, sep } from "node:path";
import { defineConfig } from "vitest/config";
import { kernelModules, kernelTexts } from "./scripts/wgsl-modules.js";

const folders = "{bench,datasets,kernels,reports,scripts}";

/** Against what hangs: the slowest takes five seconds, and several times that beside other work. */
const UNIT = { expect: { requireAssertions: true }, testTimeout: 120_000, hookTimeout: 120_000 };
const OTHERS = ["**/*.gpu.test.ts", "**/*.browser.test.ts"];
/** They load plug-ins, which stay for as long as their process. */
const WITH_PLUGINS = [
  "bench/cli/bad-plugins.test.ts",
  "bench/cli/plugin-exports.test.ts",
  "bench/cli/serve.test.ts",
  "bench/plugins/plugin-versions.test.ts",
  "datasets/ahead.test.ts",
];

const WRITTEN = ".wgsl.js";
let written: ReadonlyMap<string, string> | undefined;

/** Kernel files as the build writes them, made from the sources: tests do not depend on what was built. */
const kernels = {
  name: "kernels",
  enforce: "pre" as const,
  resolveId(name: string, from?: string) {
    if (!(name.endsWith(WRITTEN) && from)) return undefined;
    // A module that vitest kept names others by their paths below the root.
    const below = name.startsWith("/") && !name.startsWith(import.meta.dirname);
    return below ? join(import.meta.dirname, name) : resolve(dirname(from), name);
  },
  load(path: string) {
    if (!path.endsWith(WRITTEN)) return undefined;
    written ??= kernelModules(kernelTexts());
    return written.get(
      relative(import.meta.dirname, path)
        .split(sep)
        .join("/")
        .slice(0, -".js".length),
    );
  },
};

/** A folder of scripts/test.mjs, for one run: what a step has transformed the next ones read. */
const kept = process.env.HASHBENCH_TEST_MODULES;

/** Groups have an order, so that a file may be named without its project. `unit` needs no adapter, `browser` a Chromium; `gpu` runs on the adapter that the environment names (scripts/test.mjs). */
// biome-ignore lint/style/noDefaultExport: vitest asks for it
export default defineConfig({
  plugins: [kernels],
  test: {
    pool: "forks",
    setupFiles: ["./scripts/vitest-setup.ts"],
    maxWorkers: 2,
    teardownTimeout: 10_000,
    ...(kept && { experimental: { fsModuleCache: true, fsModuleCachePath: kept } }),
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          sequence: { groupOrder: 0 },
          include: [`${folders}/**/*.test.ts`],
          exclude: [...OTHERS, ...WITH_PLUGINS],
          // A file takes longer to import than most files' tests take.
          isolate: false,
          // A loop over nothing, or a condition that never holds, is no test.
          ...UNIT,
        },
      },
      { extends: true, test: { name: "unit-plugins", include: WITH_PLUGINS, ...UNIT } },
      {
        extends: true,
        test: {
          name: "browser",
          sequence: { groupOrder: 1 },
          // As above: their modules are the report's and the experiments', hundreds of them.
          isolate: false,
          globalSetup: ["./reports/report/testing.ts"],
          include: [`${folders}/**/*.browser.test.ts`],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: {
          name: "gpu",
          sequence: { groupOrder: 2 },
          include: [`${folders}/**/*.gpu.test.ts`],
          // Software adapters use all cores by themselves, and SwiftShader is slow.
          fileParallelism: false,
          // One process and one device for all files.
          isolate: false,
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
    ],
  },
});
