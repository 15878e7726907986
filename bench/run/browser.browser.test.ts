/** A browser as what runs WebGPU: a real Chromium, on SwiftShader, and a program in place of one. */
import { chmodSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { UsageError } from "../../kernels/device/errors.js";
import { defaultStopping } from "../measure/stopping.js";
import type { CellResult } from "../results/record.js";
import { temporaryFolder } from "../results/testing.js";
import { limitCell } from "../scenarios/limit.js";
import { browserChild } from "./browser.js";
import { browserStart } from "./browser-start.js";
import { Pool } from "./pool.js";

/** Where the project's setup has unpacked one. */
const unpacked = process.env.HASHBENCH_TEST_CHROMIUM;
const required = process.env.HASHBENCH_REQUIRE_ADAPTERS === "1";
const withChromium = test.skipIf(!required && !unpacked);
const NAME = "SwiftShader Device (Subzero)";
const FOUND = {
  name: NAME,
  kind: "software",
  env: {},
  source: "bundled",
  vendor: "",
  driver: "",
  fallback: true,
} as const;

/** Answers the first message as the page's worker does, and then it ends. */
const FAKE = `#!${process.execPath}
const address = process.argv.at(-1);
const hear = await fetch(address + "hear");
const message = JSON.parse(new TextDecoder().decode((await hear.body.getReader().read()).value).slice("data: ".length));
const { adapter } = message.options.open;
const said = { type: "unusable", usage: false, reason: "no adapter for " + adapter + ", " + process.argv.includes("--headless") };
await fetch(address + "tell", { method: "POST", body: JSON.stringify([said]) });
`;

let programs: string;
let profiles: string;

function program(name: string, text: string): string {
  const file = join(programs, name);
  writeFileSync(file, text);
  chmodSync(file, 0o755);
  return file;
}

beforeEach(() => {
  const libraries = join(unpacked ?? "", "libraries", "lib");
  const script = `#!/bin/sh\nLD_LIBRARY_PATH=${libraries} exec ${unpacked}/chromium "$@"\n`;
  programs = temporaryFolder();
  profiles = temporaryFolder();
  vi.stubEnv("HASHBENCH_CHROMIUM", program("chromium", script));
  vi.stubEnv("TMPDIR", profiles);
});
afterEach(() => {
  vi.unstubAllEnvs();
});

function poolOn(adapter: string, browser: "chromium" | "firefox" = "chromium"): Pool {
  const options = {
    open: { adapter, driver: "a driver", robust: true, toggles: [] },
    stopping: { ...defaultStopping, minSamples: 2, maxSamples: 2 },
    memory: 2 ** 28,
    counting: false,
    plugins: [],
    native: [],
    timeoutMs: 60_000,
  };
  return new Pool(options, () => browserChild(browserStart(browser, FOUND, false)));
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

test("what a Firefox refuses is said, and it leaves nothing behind", async () => {
  vi.stubEnv("HASHBENCH_FIREFOX", program("firefox.mjs", FAKE));
  const pool = poolOn("NVIDIA H200", "firefox");
  await expect(pool.device()).rejects.toThrow("the device cannot be used: no adapter for NVIDIA H200, true");
  await vi.waitFor(() => expect(readdirSync(profiles)).toEqual([]), 20_000);
});

test("a browser that ends at its start is a line with what it printed", async () => {
  vi.stubEnv("HASHBENCH_FIREFOX", program("firefox", "#!/bin/sh\necho no display >&2\nexit 3\n"));
  await expect(poolOn(NAME, "firefox").device()).rejects.toThrow("it ended with code 3: no display");
});

test("a Firefox gets a profile of its own that switches WebGPU on", () => {
  vi.stubEnv("HASHBENCH_FIREFOX", program("firefox", ""));
  const { argumentsFor } = browserStart("firefox", FOUND, false);
  expect(argumentsFor(profiles)).toEqual(["--profile", profiles]);
  expect(readFileSync(join(profiles, "user.js"), "utf8")).toContain('user_pref("dom.webgpu.enabled", true);\n');
});

test.each(["chromium", "firefox"] as const)("a %s that is not there is a line that says what to do", (browser) => {
  vi.stubEnv(`HASHBENCH_${browser.toUpperCase()}`, "");
  vi.stubEnv("PATH", profiles);
  expect(() => browserStart(browser, FOUND, false)).toThrow(
    new UsageError(`--webgpu ${browser} needs ${browser} in the PATH, or HASHBENCH_${browser.toUpperCase()}=<program>`),
  );
});

test("a window without a display is a line that says so", () => {
  vi.stubEnv("DISPLAY", "");
  vi.stubEnv("WAYLAND_DISPLAY", "");
  vi.stubEnv("HASHBENCH_FIREFOX", program("firefox", ""));
  expect(() => browserStart("firefox", FOUND, true)).toThrow(/^--headed needs a display/);
});
