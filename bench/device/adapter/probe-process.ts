/** Asks a child process which adapters Dawn finds, so that a driver that crashes or hangs cannot take us along. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { packageRoot } from "../../base/paths.js";

/** An adapter as Dawn describes it. */
export interface ProbedAdapter {
  /** The driver's name of the device, such as `NVIDIA H200`; what Dawn's `adapter=` option is matched with. */
  readonly name: string;
  readonly vendor: string;
  /** Driver and version. */
  readonly driver: string;
  readonly fallback: boolean;
}

/** What probe.ts prints, a line each. `trying` stands before anything that may crash. */
export type ProbeLine =
  | { readonly trying: string }
  | { readonly adapter: ProbedAdapter }
  | { readonly problem: string }
  | { readonly done: true };

/** What Dawn finds in one environment, and why it found no more. */
export interface ProbeResult {
  readonly adapters: readonly ProbedAdapter[];
  readonly problems: readonly string[];
}

export interface ProbeOptions {
  /** The program to run with Node; only tests give another than probe.js. */
  readonly program?: string;
  readonly timeoutMs?: number;
}

/** Environment variables to set on top of this process's own. */
export type Env = Readonly<Record<string, string>>;

/** A server with eight GPUs takes seconds to open them all. */
const TIMEOUT_MS = 30_000;
/** How many drivers may crash before we stop asking. */
const MAX_CRASHES = 4;

/**
 * The adapters that Dawn finds under `env`, in Dawn's order (discrete GPUs first). Never rejects: crashes and time-outs
 * become problems. After a crash the probe goes on with the adapters behind the one that crashed.
 */
export async function probeAdapters(env: Env, options: ProbeOptions = {}): Promise<ProbeResult> {
  const adapters: ProbedAdapter[] = [];
  const problems: string[] = [];
  const seen: string[] = [];
  for (let crashes = 0; crashes < MAX_CRASHES; crashes++) {
    const run = await runProbe(env, seen, options);
    let trying: string | null = null;
    for (const line of run.lines) {
      if ("trying" in line) trying = line.trying;
      else if ("adapter" in line) adapters.push(line.adapter);
      else if ("problem" in line) problems.push(line.problem);
    }
    if (run.end === null) break;
    problems.push(trying === null ? run.end : `${trying}: ${run.end}`);
    if (trying === null) break;
    seen.push(...run.lines.flatMap((line) => ("trying" in line ? [line.trying] : [])));
  }
  return { adapters, problems };
}

interface ProbeRun {
  readonly lines: readonly ProbeLine[];
  /** Why the process ended before it was done; null if it was done. */
  readonly end: string | null;
}

function runProbe(env: Env, skip: readonly string[], options: ProbeOptions): Promise<ProbeRun> {
  const { program = join(packageRoot, "dist", "bench", "device", "adapter", "probe.js"), timeoutMs = TIMEOUT_MS } =
    options;
  const settings = {
    env: { ...process.env, ...env },
    timeout: timeoutMs,
    killSignal: "SIGKILL",
    maxBuffer: 2 ** 26,
  } as const;
  return new Promise((resolve) => {
    execFile(process.execPath, [program, ...skip], settings, (error, stdout, stderr) => {
      const lines = parseLines(stdout);
      const ends = (end: string | null) => resolve({ lines, end });
      if (lines.some((line) => "done" in line)) return ends(null);
      if (error?.killed) return ends(`no answer in ${timeoutMs / 1000} s`);
      if (typeof error?.code === "string") return ends(error.message);
      ends(`the driver crashed (${error?.signal ?? `exit code ${error?.code ?? 0}`}) ${lastLine(stderr)}`.trim());
    });
  });
}

/** The lines that are ours: drivers print to stdout too. */
function parseLines(text: string): ProbeLine[] {
  return text.split("\n").flatMap((line) => {
    try {
      const value: unknown = JSON.parse(line);
      return typeof value === "object" && value !== null ? [value as ProbeLine] : [];
    } catch {
      return [];
    }
  });
}

function lastLine(text: string): string {
  const lines = text.split("\n").filter((line) => line.trim() !== "" && !line.startsWith("Warning:"));
  return lines.findLast((line) => line.includes("Error")) ?? lines.at(-1) ?? "";
}
