/**
 * Who writes into a folder: one process at a time. The lock is a file in the folder, which the file system makes only if there
 * is none. It says which process holds it: one that a killed process left is known as such, and taken over.
 */
import { randomUUID } from "node:crypto";
import {
  existsSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { dirname, join, resolve } from "node:path";
import { z } from "zod";
import { checkOutFolder, makeFolder, writing } from "../../datasets/files/paths.js";
import { UsageError } from "../../kernels/device/errors.js";
import { jsonIn } from "./validate.js";

export const LOCK_FILE = ".hashbench.lock";

/** A holder renews its lock so often … */
const RENEWED_MS = 10_000;
/** … and one on another machine, of which nothing else is known, counts as dead after so long without. */
const DEAD_MS = 120_000;
/** A lock without its content counts as one that is being written for so long. */
const WRITTEN_MS = 2000;
/** Another process may take over the same dead lock. */
const ATTEMPTS = 10;

const holderSchema = z.object({
  pid: z.number().int().positive(),
  /** When the process began, in ticks since the start of the machine: numbers of processes are used again. "": not known. */
  start: z.string(),
  host: z.string(),
  /** Start of the machine, and namespace of its processes' numbers; "" where the system has none. */
  boot: z.string(),
  namespace: z.string(),
});
type Holder = z.infer<typeof holderSchema>;

export interface Lock {
  /** Lets others write; may be called again. */
  release(): void;
}

const held = new Set<Lock>();
process.on("exit", () => {
  for (const lock of held) lock.release();
});

/**
 * Takes the lock of a folder, which is made where there is none. Throws a UsageError, and has changed nothing, where a process
 * that lives holds it, be it this one.
 * @param what how the line calls the folder, such as `--out results`
 */
export function lockFolder(folder: string, what: string): Lock {
  checkOutFolder(folder, what);
  const made = missing(folder);
  makeFolder(folder, what);
  const file = join(folder, LOCK_FILE);
  const text = `${JSON.stringify({ ...here(), id: randomUUID() })}\n`;
  for (let attempt = 1; !writing(what, () => make(file, text)); attempt++) {
    const found = read(file);
    if (found === null) continue;
    refuseAlive(found, what);
    if (attempt >= ATTEMPTS) throw new UsageError(`${what}: in use by another process`);
    writing(what, () => takeAway(file, found.text));
  }
  const renewal = setInterval(() => renew(file), RENEWED_MS).unref();
  const lock = {
    release(): void {
      if (!held.delete(lock)) return;
      clearInterval(renewal);
      if (read(file)?.text === text) rmSync(file, { force: true });
      removeEmpty(made);
    },
  };
  held.add(lock);
  return lock;
}

/** Runs what writes into a folder while it holds the folder's lock. */
export function locked<T>(folder: string, what: string, action: () => T): T {
  const lock = lockFolder(folder, what);
  try {
    return action();
  } finally {
    lock.release();
  }
}

/** Throws a UsageError where a process that lives holds the folder's lock. */
export function requireUnlocked(folder: string, what: string): void {
  const found = read(join(folder, LOCK_FILE));
  if (found) refuseAlive(found, what);
}

interface Found {
  readonly text: string;
  /** Null: the text was not written by hashbench, or is not there yet. */
  readonly holder: Holder | null;
  /** Milliseconds since it was made or renewed. */
  readonly age: number;
}

function read(file: string): Found | null {
  try {
    const text = readFileSync(file, "utf8");
    return {
      text,
      holder: holderSchema.safeParse(jsonIn(text)).data ?? null,
      age: Date.now() - statSync(file).mtimeMs,
    };
  } catch {
    return null;
  }
}

function refuseAlive({ holder, age }: Found, what: string): void {
  if (!holder) {
    if (age < WRITTEN_MS) throw new UsageError(`${what}: in use by another process`);
    return;
  }
  const { pid, host, boot, namespace } = holder;
  const own = here();
  if (host === own.host && boot === own.boot && namespace === own.namespace) {
    if (isAlive(holder)) throw new UsageError(`${what}: in use by process ${pid}`);
    return;
  }
  const restarted = host === own.host && boot !== own.boot;
  if (restarted || age >= DEAD_MS) return;
  const seconds = DEAD_MS / 1000;
  throw new UsageError(`${what}: in use by process ${pid} of ${host} (free ${seconds} s after that one has died)`);
}

/** False where there is a lock. */
function make(file: string, text: string): boolean {
  try {
    writeFileSync(file, text, { flag: "wx" });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    rmSync(file, { force: true });
    throw error;
  }
}

/** Takes away a dead process's lock. Only one process gets it; where it was replaced meanwhile, the new one is put back. */
function takeAway(file: string, text: string): void {
  const aside = `${file}.${randomUUID()}`;
  try {
    renameSync(file, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
    throw error;
  }
  const taken = readFileSync(aside, "utf8");
  if (taken !== text) make(file, taken);
  rmSync(aside);
}

function renew(file: string): void {
  try {
    utimesSync(file, new Date(), new Date());
  } catch {
    // Only other machines look at it.
  }
}

/** The folder and those above it, as far as there are none yet; the lowest first. */
function missing(folder: string): string[] {
  const place = resolve(folder);
  return existsSync(place) ? [] : [place, ...missing(dirname(place))];
}

/** Nothing was written into a folder that is still empty: as if the lock had not been taken. */
function removeEmpty(folders: readonly string[]): void {
  try {
    for (const folder of folders) rmdirSync(folder);
  } catch {
    // The folder is not empty.
  }
}

function here(): Holder {
  return {
    pid: process.pid,
    start: startOf(process.pid) ?? "",
    host: hostname(),
    boot: told(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()) ?? "",
    namespace: told(() => readlinkSync("/proc/self/ns/pid")) ?? "",
  };
}

function isAlive({ pid, start }: Holder): boolean {
  const now = startOf(pid);
  return now !== null && (now === "" || start === "" || now === start);
}

/** Null without such a process; "" where the system does not tell. */
function startOf(pid: number): string | null {
  const status = told(() => readFileSync(`/proc/${pid}/stat`, "utf8"));
  if (status === null) return exists(pid) ? "" : null;
  // The name of the program, in brackets, may hold anything.
  const fields = status.slice(status.lastIndexOf(")") + 2).split(" ");
  const ended = fields[0] === "Z" || fields[0] === "X";
  return ended ? null : (fields[19] ?? "");
}

function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function told(ask: () => string): string | null {
  try {
    return ask();
  } catch {
    return null;
  }
}
