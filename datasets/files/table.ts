/** Opens a file as a table, whatever its format. */
import { open } from "node:fs/promises";
import { UsageError } from "../../kernels/device/errors.js";
import { nearest } from "../nearest.js";
import { openCsv } from "./csv.js";
import type { FileTable } from "./file-table.js";
import { openParquet } from "./parquet.js";
import type { FileSpec } from "./spec.js";

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
