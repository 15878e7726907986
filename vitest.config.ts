import { defineConfig } from "vitest/config";

const folders = "{bench,datasets,kernels,reports,scripts}";

/** `unit` needs no adapter, `browser` a Chromium; `gpu` runs on the adapter that the environment names (scripts/test.mjs). */
// biome-ignore lint/style/noDefaultExport: vitest asks for it
export default defineConfig({
  test: {
    pool: "forks",
    setupFiles: ["./scripts/vitest-setup.ts"],
    maxWorkers: 2,
    teardownTimeout: 10_000,
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: [`${folders}/**/*.test.ts`],
          exclude: ["**/*.gpu.test.ts", "**/*.browser.test.ts"],
          // A file takes longer to import than most files' tests take.
          isolate: false,
          // A loop over nothing, or a condition that never holds, is no test.
          expect: { requireAssertions: true },
          // Against what hangs: the slowest takes five seconds, and several times that beside other work.
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: {
          name: "browser",
          include: [`${folders}/**/*.browser.test.ts`],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: {
          name: "gpu",
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
