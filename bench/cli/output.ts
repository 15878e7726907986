/** Standard output and standard error: a failed write never goes unnoticed. Concerns the whole process; see main.ts. */
import { fstatSync, writeSync } from "node:fs";
import { unwritten } from "../../datasets/files/paths.js";
import { OutputError } from "../../kernels/device/errors.js";
import { messageOf } from "../base/errors.js";

/** What a shell reports of a command whose reader went away (128 + SIGPIPE). */
const READER_GONE = 141;

/**
 * Output that cannot be written ends the process: quietly where a reader has gone away (`hashbench list | head`), which is the
 * reader's decision, else with exit code 4 and one line. Progress and messages on standard error that cannot be written stop
 * nothing; a full disk there makes a command that ended well end with 4.
 */
export function watchOutput(): void {
  for (const stream of [process.stdout, process.stderr]) writeWhole(stream);
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(READER_GONE);
    const said = unwritten("standard output", error);
    console.error(`hashbench: ${messageOf(said)}`);
    process.exit(new OutputError().exitCode);
  });
  process.stderr.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") return;
    process.on("exit", (code) => {
      if (code === 0) process.exitCode = new OutputError().exitCode;
    });
  });
}

/** Node writes to a file once and does not check how much of it a nearly full disk took. */
function writeWhole(stream: NodeJS.WriteStream & { fd: number }): void {
  if (stream.isTTY || !isFile(stream.fd)) return;
  stream._write = (chunk: Uint8Array | string, encoding, done) => {
    const bytes = typeof chunk === "string" ? Buffer.from(chunk, encoding) : chunk;
    try {
      for (let from = 0; from < bytes.length; ) from += writeSync(stream.fd, bytes, from);
    } catch (error) {
      done(error as Error);
      return;
    }
    done();
  };
}

/** A device, such as /dev/full, counts as one. */
function isFile(descriptor: number): boolean {
  try {
    const status = fstatSync(descriptor);
    return status.isFile() || status.isCharacterDevice();
  } catch {
    return false;
  }
}
