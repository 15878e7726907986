import type { Readable } from "node:stream";

/** Of Dawn, and what a Rust program prints after why it ended. */
const NOISE = /^(Warning:|stack backtrace:|note: )/;

/** The newest line a process prints on stderr from now on that says something, as ": line"; "" if none. */
export function tail(stderr: Readable | null): { readonly line: () => string; readonly end: () => void } {
  let last = "";
  const listen = (text: string): void => {
    const lines = text.split("\n").filter((line) => line.trim() && !NOISE.test(line));
    last = lines.at(-1) ?? last;
  };
  stderr?.setEncoding("utf8").on("data", listen);
  return {
    line: () => (last ? `: ${last}` : ""),
    // Without a listener a stream stands still, and a full pipe stops who writes to it.
    end: () => stderr?.off("data", listen).resume(),
  };
}
