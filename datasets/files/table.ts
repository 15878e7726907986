/** What the readers of file formats have in common: a table of named columns, read in batches. */
import { open } from "node:fs/promises";
import { UsageError } from "../../kernels/device/errors.js";
import { nearest } from "../nearest.js";
import { openCsv } from "./csv.js";
import { openParquet } from "./parquet.js";
import type { FileSpec } from "./spec.js";

/** Some consecutive rows: for each column asked for, its values. Text, a number, a bigint, … or null, as the format has it. */
export type Batch = readonly ArrayLike<unknown>[];

export interface FileTable {
  readonly columns: readonly string[];
  /** Reads the columns, in the order named. Throws a UsageError where the file is malformed. */
  read(columns: readonly string[]): AsyncIterable<Batch>;
  /** The number of rows, where the file says it in its footer. */
  readonly rows?: number;
  /** The number of rows. Reads a CSV file from end to end. */
  countRows(): Promise<number>;
}

/**
 * Opens the file and reads no more than its header or footer; Parquet is recognised by its first bytes. Throws a
 * UsageError if the file cannot be read, is empty or lacks one of the columns.
 */
export async function openTable({ path, columns, delimiter }: FileSpec): Promise<FileTable> {
  const magic = await firstBytes(path);
  if (magic === "") throw new UsageError(`${path} is empty`);
  const table = magic === "PAR1" ? await openParquet(path) : await openCsv(path, delimiter);
  for (const column of columns) {
    if (!table.columns.includes(column)) {
      throw new UsageError(
        `${path} has no column "${column}", did you mean "${nearest(column, table.columns)}"? It has: ${table.columns.join(", ")}`,
      );
    }
  }
  return table;
}

async function firstBytes(path: string): Promise<string> {
  try {
    const file = await open(path);
    try {
      const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(4) });
      return buffer.toString("latin1", 0, bytesRead);
    } finally {
      await file.close();
    }
  } catch (error) {
    throw new UsageError(`${path} ${reasonOf(error)}`, { cause: error });
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "does not exist",
  ENOTDIR: "does not exist: a part of the path is no folder",
  EISDIR: "is a folder, not a file",
  EACCES: "cannot be read: permission denied",
  EPERM: "cannot be read: permission denied",
};

function reasonOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return REASONS[code] ?? `cannot be read: ${error instanceof Error ? error.message : String(error)}`;
}
