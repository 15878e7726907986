/** How a browser of the user's is started: which program, and with what. */
import { existsSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { UsageError } from "../../kernels/device/errors.js";
import type { FoundAdapter } from "../device/adapter/adapter.js";
import type { Browser } from "../device/adapter/deno.js";

export interface BrowserStart {
  readonly command: readonly string[];
  /** What follows the command, and is followed by an address. It may write into the folder, the browser's own. */
  argumentsFor(profile: string): readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Named by a variable: a program that is not in the PATH, or a script that starts one with its own libraries. */
const PROGRAMS = {
  chromium: {
    variable: "HASHBENCH_CHROMIUM",
    names: ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"],
  },
  firefox: { variable: "HASHBENCH_FIREFOX", names: ["firefox", "firefox-esr"] },
} as const;

const CHROMIUM = [
  // Nothing is said through it, but Chromium ends with it.
  "--remote-debugging-pipe",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // Also timestamps that are not rounded.
  "--enable-unsafe-webgpu",
];
const WITHOUT_WINDOW = ["--headless=new", "--disable-vulkan-surface"];
const ON_GPU = ["--use-angle=vulkan", "--enable-features=Vulkan", "--ignore-gpu-blocklist"];
const ON_SWIFTSHADER = ["--use-webgpu-adapter=swiftshader"];
/** Chromium does not start as root otherwise, nor reach the GPU in some containers. */
const AS_ROOT = ["--no-sandbox", "--disable-gpu-sandbox", "--no-zygote"];

export type Preferences = Readonly<Record<string, string | number | boolean>>;

/** A Firefox that has WebGPU, asks nobody anything, and nothing of the network. */
const PREFERENCES: Preferences = {
  "dom.webgpu.enabled": true,
  "dom.webgpu.workers.enabled": true,
  "app.normandy.enabled": false,
  "app.update.enabled": false,
  "browser.safebrowsing.malware.enabled": false,
  "browser.safebrowsing.phishing.enabled": false,
  "browser.shell.checkDefaultBrowser": false,
  "datareporting.policy.dataSubmissionEnabled": false,
  "network.captive-portal-service.enabled": false,
  "network.connectivity-service.enabled": false,
  "services.settings.server": "data:,",
};
/** Of a browser that measures: software adapters are on the list of those that Firefox does not use. */
const MEASURING: Preferences = {
  "gfx.webgpu.ignore-blocklist": true,
  "dom.allow_scripts_to_close_windows": true,
  "privacy.reduceTimerPrecision": false,
};

/** Throws a UsageError where there is no such browser, or no display for its window. @param headed with a window */
export function browserStart(browser: Browser, { name, env }: FoundAdapter, headed: boolean): BrowserStart {
  const program = programOf(browser);
  if (headed && process.platform === "linux" && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY)
    throw new UsageError("--headed needs a display, and neither DISPLAY nor WAYLAND_DISPLAY names one");
  if (browser === "firefox")
    return {
      command: [program, ...(headed ? [] : ["--headless"]), "--no-remote"],
      argumentsFor(profile) {
        writePreferences(profile, MEASURING);
        return ["--profile", profile];
      },
      env: { ...env, MOZ_CRASHREPORTER_DISABLE: "1" },
    };
  const inside = /swiftshader/i.test(name);
  const gpu = inside ? ON_SWIFTSHADER : ON_GPU;
  const asRoot = process.getuid?.() === 0 ? AS_ROOT : [];
  return {
    command: [program, ...(headed ? [] : WITHOUT_WINDOW), ...CHROMIUM, ...gpu, ...asRoot],
    argumentsFor: (profile) => [`--user-data-dir=${profile}`],
    // It brings a SwiftShader of its own, with a loader.
    env: inside ? {} : env,
  };
}

/** Into the profile of a Firefox, with those that all have. */
export function writePreferences(profile: string, more: Preferences): void {
  const all = Object.entries({ ...PREFERENCES, ...more });
  const lines = all.map((pair) => `user_pref(${pair.map((one) => JSON.stringify(one)).join(", ")});`);
  writeFileSync(join(profile, "user.js"), lines.join("\n"));
}

/** Throws a UsageError where there is no such browser. */
export function programOf(browser: Browser): string {
  const { variable, names } = PROGRAMS[browser];
  const named = process.env[variable];
  if (named && !existsSync(named)) throw new UsageError(`${variable}=${named}: no such file`);
  const folders = (process.env.PATH ?? "").split(delimiter);
  const found = names.flatMap((name) => folders.map((folder) => join(folder, name))).find((path) => existsSync(path));
  const program = named || found;
  if (!program) throw new UsageError(`--webgpu ${browser} needs ${names[0]} in the PATH, or ${variable}=<program>`);
  return program;
}
