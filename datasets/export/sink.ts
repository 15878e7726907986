/** Where exported bytes go. A file appears under its name only when it is complete. */

import { existsSync, realpathSync } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { unwritten } from "../files/paths.js";

export interface Sink {
  /** Resolves when the bytes are taken, so that a slow reader slows the generator down. */
  write(bytes: Uint8Array): Promise<void>;
  /** All is written: a file gets its name. */
  commit(): Promise<void>;
  /** Something failed: nothing is left behind. */
  abandon(): Promise<void>;
}

/** `-` is stdout. Throws a UsageError if the file cannot be created: see `checkOutFile`, which says more. */
export function openSink(out: string): Promise<Sink> | Sink {
  return out === "-" ? stdoutSink() : fileSink(out);
}

function stdoutSink(): Sink {
  return {
    write: (bytes) =>
      new Promise((resolve, reject) => {
        process.stdout.write(bytes, (error) => (error ? reject(unwritten("standard output", error)) : resolve()));
      }),
    commit: async () => {},
    abandon: async () => {},
  };
}

async function fileSink(out: string): Promise<Sink> {
  // Where the name is a link, the file it leads to is replaced, not the link.
  const target = existsSync(out) ? realpathSync(out) : out;
  const temporary = `${target}.${process.pid}.partial`;
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
      await attempt(out, () => rename(temporary, target));
    },
    async abandon() {
      await close();
      await rm(temporary, { force: true });
    },
  };
}

async function attempt<T>(out: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    throw unwritten(`--out ${out}`, error);
  }
}
