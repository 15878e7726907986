/** Opens a file as a table, whatever its format. */
import { UsageError } from "../../kernels/device/errors.js";
import { didYouMean } from "../nearest.js";
import { openCsv } from "./csv.js";
import type { FileTable } from "./file-table.js";
import { firstBytes } from "./paths.js";
import type { FileSpec } from "./spec.js";

const COLUMNS_SHOWN = 20;

/**
 * Opens the file and reads no more than its header or footer; Parquet is recognised by its first bytes. Throws a
 * UsageError if the file cannot be read, is empty or lacks one of the columns.
 */
export async function openTable({ path, columns, text }: FileSpec): Promise<FileTable> {
  const magic = firstBytes(path, 4);
  if (magic === "") throw new UsageError(`${path} is empty`);
  // Most commands read no Parquet, and a tenth of what they would load is for it.
  const table: FileTable =
    magic === "PAR1" ? await (await import("./parquet.js")).openParquet(path) : await openCsv(path, text);
  for (const column of columns) {
    if (!table.columns.includes(column)) {
      const readAs = table.readAs ? ` (read by ${table.readAs})` : "";
      throw new UsageError(
        `${path} has no column "${column}"${didYouMean(column, table.columns) || "."} It has: ${few(table.columns)}${readAs}`,
      );
    }
    if (table.columns.indexOf(column) !== table.columns.lastIndexOf(column))
      throw new UsageError(`${path} has several columns "${column}"; give each a name of its own`);
  }
  return table;
}

/** The names of the first columns, and how many there are if that is not all. */
function few(names: readonly string[]): string {
  const shown = names.slice(0, COLUMNS_SHOWN).join(", ");
  return names.length > COLUMNS_SHOWN ? `${shown}, … (${names.length} columns)` : shown;
}
