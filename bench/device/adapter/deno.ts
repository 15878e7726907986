/** Deno, which has wgpu: where it is, and how it runs a program of Node's. */
import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { UsageError } from "../../../kernels/device/errors.js";

/** Browsers in which a worker can be a thread of a page. */
const BROWSERS = ["chromium", "firefox"] as const;
export type Browser = (typeof BROWSERS)[number];

/** The implementations of WebGPU that a worker can have. */
export const IMPLEMENTATIONS = ["dawn", "wgpu", ...BROWSERS] as const;
export type Implementation = (typeof IMPLEMENTATIONS)[number];

export function isBrowser(implementation: Implementation): implementation is Browser {
  return BROWSERS.some((browser) => browser === implementation);
}

/** A command line in front of a program. Throws a UsageError where Deno is not installed. */
export function denoCommand(): readonly [string, ...string[]] {
  const program = packaged() ?? "deno";
  try {
    execFileSync(program, ["--version"], { stdio: "ignore" });
  } catch {
    throw new UsageError(
      "--webgpu wgpu needs Deno (about 40 MB to fetch): npm install --no-save deno, or a deno in the PATH",
    );
  }
  return [program, "run", "--quiet", "--allow-all", "--unstable-webgpu"];
}

/** Of npm's package `deno`, whose own program is a script of Node's: the binary that it starts. */
function packaged(): string | null {
  const libc = process.platform === "linux" ? "-glibc" : "";
  try {
    const manifest = createRequire(import.meta.url).resolve(
      `@deno/${process.platform}-${process.arch}${libc}/package.json`,
    );
    return join(dirname(manifest), process.platform === "win32" ? "deno.exe" : "deno");
  } catch {
    return null;
  }
}
