/** A real Chromium as what runs WebGPU, on SwiftShader. */
import { chmodSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { UsageError } from "../../kernels/device/errors.js";
import { defaultStopping } from "../measure/stopping.js";
import type { CellResult } from "../results/record.js";
import { temporaryFolder } from "../results/testing.js";
import { limitCell } from "../scenarios/limit.js";
import { browserChild, chromiumCommand } from "./browser.js";
import { Pool } from "./pool.js";

/** Where the project's setup has unpacked one. */
const unpacked = process.env.HASHBENCH_TEST_CHROMIUM;
const required = process.env.HASHBENCH_REQUIRE_ADAPTERS === "1";
const withChromium = test.skipIf(!required && !unpacked);
const NAME = "SwiftShader Device (Subzero)";

let profiles: string;
beforeEach(() => {
  const script = join(temporaryFolder(), "chromium");
  const libraries = join(unpacked ?? "", "libraries", "lib");
  writeFileSync(script, `#!/bin/sh\nLD_LIBRARY_PATH=${libraries} exec ${unpacked}/chromium "$@"\n`);
  chmodSync(script, 0o755);
  profiles = temporaryFolder();
  vi.stubEnv("HASHBENCH_CHROMIUM", script);
  vi.stubEnv("TMPDIR", profiles);
});
afterEach(() => {
  vi.unstubAllEnvs();
});

function poolOn(adapter: string): Pool {
  const options = {
    open: { adapter, driver: "a driver", robust: true, toggles: [] },
    stopping: { ...defaultStopping, minSamples: 2, maxSamples: 2 },
    memory: 2 ** 28,
    counting: false,
    plugins: [],
    native: [],
    timeoutMs: 60_000,
  };
  return new Pool(options, () => browserChild(chromiumCommand(NAME), {}));
}

withChromium("cells are measured in Chromium, which leaves nothing behind", async () => {
  const pool = poolOn(NAME);
  const results: CellResult[] = [];
  try {
    const { name, driver, implementation } = await pool.device();
    expect([name, driver, implementation]).toEqual([NAME, "a driver", expect.stringMatching(/Chrome\/\d/)]);
    await pool.measure([limitCell("read4", 1, 2 ** 14)], {
      onResult: async (_, result) => {
        results.push(result);
      },
    });
  } finally {
    pool.stop();
  }
  expect(results.map(({ status, metrics }) => [status, metrics[0]?.metric])).toEqual([["ok", "mops"]]);
  await vi.waitFor(() => expect(readdirSync(profiles)).toEqual([]), 20_000);
});

withChromium("an adapter that Chromium does not offer is refused by its name", async () => {
  const pool = poolOn("NVIDIA H200");
  await expect(pool.device()).rejects.toThrow("the browser offers google swiftshader, not NVIDIA H200");
  pool.stop();
});

test("a Chromium that is not there is a line that says what to do", () => {
  vi.stubEnv("HASHBENCH_CHROMIUM", "/nowhere/chromium");
  expect(() => chromiumCommand(NAME)).toThrow(new UsageError("HASHBENCH_CHROMIUM=/nowhere/chromium: no such file"));
});
