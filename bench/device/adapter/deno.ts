/** Deno, which has wgpu: where it is, and how it runs a program of Node's. */
import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { UsageError } from "../../../kernels/device/errors.js";

/** The implementations of WebGPU that a worker process can have. */
export const IMPLEMENTATIONS = ["dawn", "wgpu", "chromium"] as const;
export type Implementation = (typeof IMPLEMENTATIONS)[number];

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
