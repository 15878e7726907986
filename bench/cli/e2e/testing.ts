/** Runs the built command line as a user would, on the adapter that the tests run on. */
import { type ChildProcess, execFileSync, fork, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pathToFileURL } from "node:url";
import { afterAll } from "vitest";
import { packageRoot } from "../../base/paths.js";
import { requireBuilt } from "../../base/testing.js";
import { rowKey } from "../../results/key.js";
import type { ResultRow } from "../../results/record.js";

/** The `--device` that scripts/test.mjs chose. */
export const device = process.env.HASHBENCH_DEVICE || "software";
/** SwiftShader is about ten times slower than lavapipe. */
export const slow = device === "swiftshader";
export const brokenTables = join(packageRoot, "bench", "cli", "e2e", "fixtures", "broken-tables.mjs");

const stopper = join(packageRoot, "bench", "cli", "e2e", "fixtures", "stop-at.mjs");
const server = join(packageRoot, "bench", "cli", "e2e", "fixtures", "commands.mjs");
const program = join(packageRoot, "dist", "bench", "cli", "main.js");
/** Limits measured once serve all tests of a user, and the user's own stay as they are. */
const cache = join(tmpdir(), `hashbench-e2e-${process.getuid?.() ?? 0}`);

const children: ChildProcess[] = [];
const folders: string[] = [];
// Of the test file that imports this one.
afterAll(() => {
  for (const child of children) killGroup(child);
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

export interface Told {
  readonly code: number | null;
  readonly stdout: string;
  /** Lines on stderr. */
  readonly lines: readonly string[];
}

export interface Ended extends Told {
  readonly signal: string | null;
  /** The process and its children were gone when it ended. */
  readonly alone: boolean;
}

export interface Running {
  /** Of the command, or of the shell that it runs in. */
  readonly pid: number;
  readonly ended: Promise<Ended>;
  /** Resolves when a line on stderr matches; rejects if the process ends before. */
  line(pattern: RegExp): Promise<void>;
  /** Ctrl-C: SIGINT to the process group. */
  interrupt(): void;
  /** kill -9 of the process group: nobody gets to clean up. */
  killGroup(): void;
  /** Whether it has stopped at its line: it does so after a reader may have seen that. From /proc, so on Linux alone. */
  stopped(): boolean;
  /** After it has stopped. */
  goOn(): void;
  /** kill -9 of the command only. */
  killParent(): void;
  /** Whether any process of the group is left. */
  groupLives(): boolean;
}

export interface Start {
  /** A line for a shell in which `"$@"` is the command. */
  readonly shell?: string;
  /** The command stops itself and its workers when it has written this line on stderr, so that a busy machine is not late to interrupt it there. */
  readonly stopAt?: RegExp;
}

requireBuilt();

/** Starts `hashbench …` in a process group of its own. */
export function start(args: readonly string[], { shell = "", stopAt }: Start = {}): Running {
  if (!existsSync(program)) throw new Error(`${program} is missing: npm run build`);
  mkdirSync(cache, { recursive: true });
  const before = stopAt ? ["--import", pathToFileURL(stopper).href] : [];
  const command = [process.execPath, ...before, program, ...args] as const;
  const [file, ...words] = shell ? (["sh", "-c", shell, "sh", ...command] as const) : command;
  const child = spawn(file, words, {
    env: { ...process.env, XDG_CACHE_HOME: cache, ...(stopAt && { HASHBENCH_STOP_AT: stopAt.source }) },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  children.push(child);
  let stdout = "";
  let stderr = "";
  const listeners = new Set<() => void>();
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
    for (const listener of listeners) listener();
  });
  const ended = new Promise<Ended>((resolve) => {
    child.once("close", (code, signal) => {
      const lines = stderr.split("\n").filter((line) => line !== "");
      resolve({ code, signal, stdout, lines, alone: !groupLives(child) });
    });
  });
  return {
    pid: child.pid ?? 0,
    ended,
    line: (pattern) =>
      new Promise((resolve, reject) => {
        const look = () => stderr.split("\n").some((line) => pattern.test(line)) && resolve();
        listeners.add(look);
        look();
        ended.then(() => reject(new Error(`ended without a line ${pattern}: ${stderr}`)));
      }),
    interrupt: () => child.pid !== undefined && process.kill(-child.pid, "SIGINT"),
    killGroup: () => killGroup(child),
    stopped: () => /\) T /.test(readFileSync(`/proc/${child.pid}/stat`, "utf8")),
    goOn: () => child.pid !== undefined && process.kill(-child.pid, "SIGCONT"),
    killParent: () => process.kill(child.pid ?? 0, "SIGKILL"),
    groupLives: () => groupLives(child),
  };
}

/** With these a command loads what stays for as long as its process. */
const LOADING = ["--plugin", "--native", "--webgpu"];

/** Runs `hashbench …` to its end: in a process of its own, or in one that has run others. */
export function hashbench(...args: readonly string[]): Promise<Told> {
  return LOADING.some((option) => args.includes(option)) ? start(args).ended : served(args);
}

const MARK = "\0";
/** Processes that have run a command, and wait for the next. */
const waiting: ChildProcess[] = [];

async function served(args: readonly string[]): Promise<Told> {
  mkdirSync(cache, { recursive: true });
  const env = { ...process.env, XDG_CACHE_HOME: cache };
  const child = waiting.pop() ?? fork(server, { env, execArgv: [], stdio: ["ignore", "pipe", "pipe", "ipc"] });
  /** What it prints up to the mark; all that it has printed if it ends before. */
  const printed = (stream: Readable | null) =>
    new Promise<string>((resolve) => {
      let text = "";
      const end = () => {
        stream?.off("data", take).off("end", end);
        resolve(text.replace(MARK, ""));
      };
      const take = (more: string) => {
        text += more;
        if (text.endsWith(MARK)) end();
      };
      stream?.setEncoding("utf8").on("data", take).on("end", end);
    });
  const ended = Promise.all([
    new Promise<number | null>((resolve) => {
      const exit = (code: number | null) => resolve(code);
      child.once("exit", exit).once("message", (code) => {
        child.off("exit", exit);
        resolve(Number(code));
      });
    }),
    printed(child.stdout),
    printed(child.stderr),
  ]);
  child.send(args);
  const [code, stdout, stderr] = await ended;
  if (child.exitCode === null && child.signalCode === null) waiting.push(child);
  return { code, stdout, lines: stderr.split("\n").filter((line) => line !== "") };
}

/** The same by a shell; see `start`. */
export function inShell(shell: string, ...args: readonly string[]): Promise<Ended> {
  return start(args, { shell }).ended;
}

function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid) process.kill(-pid, "SIGKILL");
  } catch {
    // All of them are gone.
  }
}

/** Whether a process of the group still runs; those that are dead but not yet waited for (state Z) do not count. */
function groupLives({ pid }: ChildProcess): boolean {
  const all = execFileSync("ps", ["-eo", "pgid=,stat="], { encoding: "utf8" });
  return all.split("\n").some((line) => {
    const [group, state = "Z"] = line.trim().split(/\s+/);
    return group === String(pid) && !state.startsWith("Z");
  });
}

/** A folder that goes away with the test file. */
export function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), "hashbench-e2e-"));
  folders.push(folder);
  return folder;
}

/** The rows of `run --json`. */
export function rowsOf({ stdout, lines }: Pick<Ended, "stdout" | "lines">): ResultRow[] {
  try {
    return (JSON.parse(stdout) as { rows: ResultRow[] }).rows;
  } catch {
    throw new Error(`no JSON on stdout: ${stdout.slice(0, 200)} ${lines.join("\n")}`);
  }
}

/** What tells a row from every other of the same run, sorted. */
export function rowNames(rows: readonly ResultRow[]): string[] {
  return rows.map((row) => `${rowKey(row)} ${row.metric}`).sort();
}

/** Keys of the cells that have rows, each once, sorted. */
export function cellNames(rows: readonly ResultRow[]): string[] {
  return [...new Set(rows.map(rowKey))].sort();
}
