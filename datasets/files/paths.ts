/**
 * Files and folders that the user names. There may be a pipe, a device, a link to nothing, a folder where a file is
 * wanted, or a file system that takes no files. Whatever it is, every function here ends with a UsageError of one line, and none waits for a
 * writer. What cannot be written although its name is right, as on a full disk, is an OutputError. `what` is how the line calls the path, such as `--out results`; by default the path itself.
 */

import {
  accessSync,
  closeSync,
  constants,
  type Dirent,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  readSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from "node:fs";
import { constants as system } from "node:os";
import { dirname, join, resolve } from "node:path";
import { getSystemErrorMap } from "node:util";
import { OutputError, UsageError } from "../../kernels/device/errors.js";

export type Kind = "file" | "folder" | "nothing";

const REASONS: Readonly<Record<string, string>> = {
  ENOTDIR: "a part of the path is no folder",
  EISDIR: "it is a folder",
  EACCES: "permission denied",
  EPERM: "permission denied",
  EROFS: "the file system is read-only",
  ENOSPC: "no space left on the device",
  ENAMETOOLONG: "a name in it is too long",
  ELOOP: "its links lead in a circle",
  Z_BUF_ERROR: "its gzip is cut off",
  Z_DATA_ERROR: "its gzip is broken",
  ERR_STRING_TOO_LONG: "it is too large",
  ERR_FS_FILE_TOO_LARGE: "it is too large",
};

/** What the system has against a file, in words; undefined for an error that is not the system's. */
function reasonOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  const code = String(error.code);
  return REASONS[code] ?? getSystemErrorMap().get(Number((error as NodeJS.ErrnoException).errno))?.[1] ?? code;
}

/** What to throw for an error: one of the system's becomes a UsageError `<problem>: <reason>`, another stays what it is. */
export function explained(problem: string, error: unknown): unknown {
  const reason = isOurs(error) ? undefined : reasonOf(error);
  return reason === undefined ? error : new UsageError(`${problem}: ${reason}`, { cause: error });
}

function isOurs(error: unknown): boolean {
  return error instanceof UsageError || error instanceof OutputError;
}

/** Errors of writing that no other name would have avoided. */
const FAILURES: ReadonlySet<unknown> = new Set(["ENOSPC", "EDQUOT", "EFBIG", "EIO"]);

/** The same for what was to be written: an OutputError where the name is not to blame. */
export function unwritten(what: string, error: unknown): unknown {
  const problem = `${what} cannot be written`;
  const { code, errno } = error as NodeJS.ErrnoException;
  // Node has no name for it.
  const quota = errno !== undefined && errno === -system.errno.EDQUOT;
  if (isOurs(error) || !(quota || FAILURES.has(code))) return explained(problem, error);
  return new OutputError(`${problem}: ${quota ? "the disk quota is used up" : reasonOf(error)}`, { cause: error });
}

/** Runs what touches files; what it throws is `explained`. */
export function saying<T>(problem: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw explained(problem, error);
  }
}

/** Runs what writes files; what it throws is `unwritten`. */
export function writing<T>(what: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw unwritten(what, error);
  }
}

/** What there is at a path, links followed. Throws for the empty path and for what is neither a file nor a folder. */
export function kindOf(path: string, what = path): Kind {
  if (path.trim() === "")
    throw new UsageError(`${what.trim() || `"${path}"`}: the name is empty; a file or folder is wanted`);
  const found = saying(`${what} cannot be used`, () => look(path));
  if (found?.isFile()) return "file";
  if (found?.isDirectory()) return "folder";
  if (found) throw new UsageError(`${what} is ${oddity(found)}; a file or folder is wanted`);
  const target = linkTarget(path);
  if (target === undefined) return "nothing";
  throw new UsageError(`${what} is a link to ${target}, which does not exist`);
}

function linkTarget(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

/** Undefined where there is nothing, also below a file. */
function look(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOTDIR") return undefined;
    throw error;
  }
}

function oddity(found: Stats): string {
  if (found.isFIFO()) return "a pipe";
  return found.isSocket() ? "a socket" : "a device";
}

/** Checks that there is a file to read. */
function requireFile(path: string, what = path): void {
  const kind = kindOf(path, what);
  if (kind === "nothing") throw new UsageError(`${what} does not exist`);
  if (kind === "folder") throw new UsageError(`${what} is a folder, not a file`);
}

/** All bytes of a file. Those below /proc, some of which never end, have no size and count as empty. */
export function readBytes(path: string, what = path): Buffer {
  requireFile(path, what);
  return saying(`${what} cannot be read`, () => (statSync(path).size === 0 ? Buffer.alloc(0) : readFileSync(path)));
}

/** The first `count` bytes of a file, fewer where it has fewer; as text of one character a byte. */
export function firstBytes(path: string, count: number, what = path): string {
  requireFile(path, what);
  return saying(`${what} cannot be read`, () => {
    if (statSync(path).size === 0) return "";
    const descriptor = openSync(path, "r");
    try {
      const bytes = Buffer.alloc(count);
      return bytes.toString("latin1", 0, readSync(descriptor, bytes, 0, count, 0));
    } finally {
      closeSync(descriptor);
    }
  });
}

/** What is in a folder; nothing where there is none. */
export function entriesOf(path: string, what = path): Dirent[] {
  const kind = kindOf(path, what);
  if (kind === "file") throw notAFolder(path, resolve(path), what);
  return kind === "nothing" ? [] : saying(`${what} cannot be read`, () => readdirSync(path, { withFileTypes: true }));
}

/** Checks, before any work, that a folder is there or can be made, and that files can be made in it. */
export function checkOutFolder(path: string, what = path): void {
  const { place, kind } = nearestPresent(path, what);
  if (kind === "file") throw notAFolder(path, place, what);
  checkTakesFiles(place, what);
}

/** Checks, before any work, that a file can be written, or replaced, in a folder that is there. */
export function checkOutFile(path: string, what = path): void {
  const kind = kindOf(path, what);
  if (kind === "folder" || /[\\/]$/.test(path)) throw new UsageError(`${what} is a folder, not a file`);
  if (kind === "file") {
    writing(what, () => closeSync(openSync(path, "r+")));
    return;
  }
  const parent = dirname(resolve(path));
  const { place, kind: above } = nearestPresent(parent, `${what}: ${dirname(path)}`);
  if (above === "file") throw notAFolder(path, place, what);
  if (place !== parent) throw new UsageError(`${what} cannot be written: the folder ${dirname(path)} does not exist`);
  checkTakesFiles(parent, what);
}

/** The path, or the nearest folder (or file) above it that exists. */
function nearestPresent(path: string, what: string): { readonly place: string; readonly kind: Kind } {
  let kind = kindOf(path, what);
  let place = resolve(path);
  while (kind === "nothing" && dirname(place) !== place) {
    place = dirname(place);
    kind = kindOf(place, `${what}: ${place}`);
  }
  return { place, kind };
}

function notAFolder(path: string, place: string, what: string): UsageError {
  return new UsageError(
    place === resolve(path) ? `${what} is a file, not a folder` : `${what}: ${place} is a file, not a folder`,
  );
}

/** Makes something in the folder and takes it away: of a read-only file system or /proc, its mode says nothing. */
function checkTakesFiles(folder: string, what: string): void {
  writing(what, () => {
    accessSync(folder, constants.W_OK);
    rmdirSync(attempt(folder, what, () => mkdtempSync(join(folder, ".hashbench-"))));
  });
}

/** Runs what makes an entry of a folder that exists; the likes of /proc say of it that it does not. */
function attempt<T>(folder: string, what: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    throw new UsageError(`${what} cannot be written: ${folder} takes no files`, { cause: error });
  }
}

/** Makes a folder and those above it that are missing. Node's own recursion never ends where the system takes no folder. */
export function makeFolder(path: string, what = path): void {
  const kind = kindOf(path, what);
  if (kind === "folder") return;
  if (kind === "file") throw notAFolder(path, resolve(path), what);
  const parent = dirname(resolve(path));
  makeFolder(parent, what === path ? parent : what);
  writing(what, () =>
    attempt(parent, what, () => {
      try {
        mkdirSync(path);
      } catch (error) {
        // Another shard may have been faster.
        if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      }
    }),
  );
}

/** Writes a whole file; whoever reads it, also after a kill or a full disk, sees all of the old content or all of the new. */
export function replaceFile(path: string, content: string | Uint8Array): void {
  // Where the name is a link, the file that it leads to is replaced, not the link.
  const target = kindOf(path) === "file" ? realpathSync(path) : path;
  const partial = `${target}.tmp`;
  try {
    writeFileSync(partial, content, { flush: true });
    renameSync(partial, target);
  } catch (error) {
    rmSync(partial, { force: true });
    throw error;
  }
}

/** Writes a file, and makes its folder where there is none. */
export function writeOut(path: string, content: string | Uint8Array, what = path): void {
  if (kindOf(path, what) === "folder") throw new UsageError(`${what} is a folder, not a file`);
  makeFolder(dirname(resolve(path)), what);
  writing(what, () => replaceFile(path, content));
}
