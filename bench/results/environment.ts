/** Facts about the host that belong beside every result. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { arch, cpus, platform, release, totalmem } from "node:os";
import { join } from "node:path";
import { packageRoot, version } from "../base/paths.js";

/** Date in UTC; processors are logical ones, of the model of the first. */
export function hostEnvironment() {
  const processors = cpus();
  return {
    date: new Date().toISOString(),
    os: `${platform()} ${arch()}`,
    kernel: release(),
    cpu: processors[0]?.model.trim() || "unknown",
    cores: processors.length,
    memoryBytes: totalmem(),
    node: process.version,
    hashbench: version,
  };
}

/** Of the package that carries Dawn, which has no number of its own. */
export function dawnVersion(): string {
  const { version: own } = createRequire(import.meta.url)("webgpu/package.json") as { version: string };
  return `webgpu ${own}`;
}

/** `hashbench 0.1.0 (commit 43754fdd), Dawn of webgpu 0.6.2, Node 20.20.2`. */
export function versions(): string {
  const commit = gitCommit();
  return `hashbench ${version}${commit && ` (commit ${commit})`}, Dawn of ${dawnVersion()}, Node ${process.versions.node}`;
}

/** Holds the commit that a bundle was made from (scripts/bundle.ts). */
export const COMMIT_FILE = "commit.txt";

/**
 * Short hash of hashbench's own checkout, `-dirty` behind it if tracked files differ; in a bundle the one it was made from;
 * "" where neither is known. Never throws.
 */
export function gitCommit(root = packageRoot): string {
  try {
    const noted = join(root, COMMIT_FILE);
    if (existsSync(noted)) return readFileSync(noted, "utf8").trim();
    // An installed package may lie in somebody else's checkout: its commit is not ours.
    if (realpathSync(git(root, "rev-parse", "--show-toplevel")) !== realpathSync(root)) return "";
    return commitIn(root);
  } catch {
    return "";
  }
}

interface Places {
  readonly root?: string;
  readonly folder?: string;
  readonly env?: NodeJS.ProcessEnv;
}

/**
 * What rows name as the commit: the text that a user gave, else hashbench's own. Where there is neither, that of the checkout around the current folder,
 * where the user's project has it; else that of a GitHub workflow. Never throws.
 */
export function commitOfRun(given = "", { root, folder = process.cwd(), env = process.env }: Places = {}): string {
  return given || gitCommit(root) || commitIn(folder) || (env.GITHUB_SHA ?? "").slice(0, DIGITS);
}

const DIGITS = 12;

/** Of the checkout around a folder, `-dirty` behind it if tracked files differ; "" without one. */
function commitIn(folder: string): string {
  try {
    const dirty = git(folder, "status", "--porcelain", "--untracked-files=no") !== "";
    return git(folder, "rev-parse", `--short=${DIGITS}`, "HEAD") + (dirty ? "-dirty" : "");
  } catch {
    return "";
  }
}

function git(root: string, ...args: string[]): string {
  // Inside a hook, git's variables name the repository of the hook.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("GIT_")));
  return execFileSync("git", ["--no-optional-locks", "-C", root, ...args], {
    encoding: "utf8",
    env,
    stdio: ["ignore", "pipe", "ignore"],
    timeout: 10_000,
  }).trim();
}
