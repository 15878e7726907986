/** Facts about the host that belong beside every result. */
import { execFileSync } from "node:child_process";
import { realpathSync } from "node:fs";
import { arch, cpus, platform, release, totalmem } from "node:os";
import { packageRoot, version } from "../paths.js";

export interface HostEnvironment {
  readonly date: string;
  readonly os: string;
  readonly cpu: string;
  readonly cores: number;
  readonly memoryBytes: number;
  readonly node: string;
  readonly hashbench: string;
}

export function hostEnvironment(): HostEnvironment {
  const processors = cpus();
  return {
    date: new Date().toISOString(),
    os: `${platform()} ${release()} ${arch()}`,
    cpu: processors[0]?.model.trim() ?? "unknown",
    cores: processors.length,
    memoryBytes: totalmem(),
    node: process.version,
    hashbench: version,
  };
}

/** Short hash of hashbench's own checkout, `-dirty` behind it if files differ; "" where it is none. */
export function gitCommit(): string {
  const git = (...args: string[]): string =>
    execFileSync("git", ["-C", packageRoot, ...args], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  try {
    // An installed package may lie in somebody else's checkout: its commit is not ours.
    if (realpathSync(git("rev-parse", "--show-toplevel")) !== realpathSync(packageRoot)) return "";
    const dirty = git("status", "--porcelain", "--untracked-files=no") !== "";
    return git("rev-parse", "--short=12", "HEAD") + (dirty ? "-dirty" : "");
  } catch {
    return "";
  }
}
