/** Where exported bytes go. A file appears under its name only when it is complete. */
import { open, rename, rm } from "node:fs/promises";
import { UsageError } from "../../kernels/device/errors.js";

export interface Sink {
  /** Resolves when the bytes are taken, so that a slow reader slows the generator down. */
  write(bytes: Uint8Array): Promise<void>;
  /** All is written: a file gets its name. */
  commit(): Promise<void>;
  /** Something failed: nothing is left behind. */
  abandon(): Promise<void>;
}

/** `-` is stdout. Throws a UsageError if the file cannot be created. */
export function openSink(out: string): Promise<Sink> | Sink {
  return out === "-" ? stdoutSink() : fileSink(out);
}

function stdoutSink(): Sink {
  return {
    write: (bytes) =>
      new Promise((resolve, reject) => {
        process.stdout.write(bytes, (error) => (error ? reject(error) : resolve()));
      }),
    commit: async () => {},
    abandon: async () => {},
  };
}

async function fileSink(out: string): Promise<Sink> {
  const temporary = `${out}.${process.pid}.partial`;
  const file = await attempt(out, () => open(temporary, "w"));
  let closed = false;
  const close = async () => {
    if (!closed) await file.close();
    closed = true;
  };
  return {
    write: (bytes) => attempt(out, () => file.writeFile(bytes)),
    async commit() {
      await close();
      await attempt(out, () => rename(temporary, out));
    },
    async abandon() {
      await close();
      await rm(temporary, { force: true });
    },
  };
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "the folder does not exist",
  ENOTDIR: "a part of the path is no folder",
  EISDIR: "it is a folder",
  EACCES: "permission denied",
  EPERM: "permission denied",
  EROFS: "the file system is read-only",
  ENOSPC: "no space left on the device",
};

async function attempt<T>(out: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    throw new UsageError(`cannot write ${out}: ${REASONS[code] ?? String(error)}`, { cause: error });
  }
}
