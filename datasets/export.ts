/** Writes a data set to a file or to stdout: what `hashbench data` does. */

import { createHash } from "node:crypto";
import { existsSync, realpathSync } from "node:fs";
import { extname } from "node:path";
import { UsageError } from "../kernels/device/errors.js";
import { EXPORT_FORMATS, type ExportFormat, encode } from "./export/formats.js";
import { openSink } from "./export/sink.js";
import { exportTable, type TableOptions } from "./export/table.js";
import { checkOutFile } from "./files/paths.js";
import { parseFileSpec } from "./files/spec.js";

export interface ExportOptions extends TableOptions {
  /** Default: the ending of `out`; on stdout tbl for lineitem's own columns and csv for everything else. */
  readonly format?: ExportFormat | undefined;
  /** Path of the file, or `-` for stdout. */
  readonly out: string;
  /** Replaces an existing file, once the new one is complete. Default: that is refused. */
  readonly force?: boolean | undefined;
}

export interface ExportSummary {
  readonly rows: number;
  readonly bytes: number;
  /** Of the bytes written, in hexadecimal. */
  readonly sha256: string;
  readonly format: ExportFormat;
}

/**
 * Streams the data set to `out`; memory does not grow with it, but for the set that removes duplicates. If anything
 * fails, no file is left. Throws the UsageErrors of `exportTable`, `encode` and `openSink`.
 *
 * `{ name: "lineitem", sf: 0.01, columns: ["orderkey", "partkey", "linenumber", "linestatus"], … }` gives the 60,175 lines
 * whose sha256 begins with c0368e35.
 */
export async function exportDataset(options: ExportOptions): Promise<ExportSummary> {
  requireOther(options);
  checkOut(options);
  const table = await exportTable(options);
  const format = options.format ?? formatOf(options.out) ?? (table.raw ? "tbl" : "csv");
  let rows = 0;
  const counted = async function* () {
    for await (const batch of table.batches) {
      rows += batch[0]!.length;
      yield batch;
    }
  };
  const encoded = encode({ ...table, batches: counted() }, format);
  const sink = await openSink(options.out);
  const hash = createHash("sha256");
  let bytes = 0;
  try {
    for await (const chunk of encoded) {
      await sink.write(chunk);
      hash.update(chunk);
      bytes += chunk.length;
    }
    await sink.commit();
  } catch (error) {
    await sink.abandon();
    throw error;
  }
  return { rows, bytes, sha256: hash.digest("hex"), format };
}

/** The file that keys come from is not to be replaced by them. */
function requireOther({ name, out }: ExportOptions): void {
  if (!name.startsWith("file:")) return;
  const { path } = parseFileSpec(name.slice("file:".length));
  if (existsSync(path) && existsSync(out) && realpathSync(path) === realpathSync(out))
    throw new UsageError(`--out ${out} is the file that is read; give another`);
}

function checkOut({ out, force }: ExportOptions): void {
  if (out === "-") return;
  checkOutFile(out, `--out ${out}`);
  if (!force && existsSync(out))
    throw new UsageError(`--out ${out} exists; give --force to replace it, or another name`);
}

/** By the ending; undefined for stdout. Throws a UsageError for another ending. */
function formatOf(out: string): ExportFormat | undefined {
  if (out === "-") return undefined;
  const ending = extname(out).slice(1).toLowerCase();
  const found = EXPORT_FORMATS.find((format) => ending === format);
  if (found) return found;
  const known = EXPORT_FORMATS.map((format) => `.${format}`).join(", ");
  throw new UsageError(`--out ${out}: its ending is not one of ${known}; --format says it too`);
}
