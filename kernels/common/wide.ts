/** Wide keys and values: a table of records, seen from outside as one of words. */
import type { Owner } from "../device/owned.js";
import type { GpuTable } from "../table.js";

/** Largest buffer of records made at a time. */
const CHUNK_BYTES = 2 ** 30;

/** Bytes that `widened` needs for operations on n items, beside the table. */
export function wideBytes(n: number, keyBytes: number, valueBytes: number): number {
  if (keyBytes === 4 && valueBytes === 4) return 0;
  return Math.min(n, chunkOf(keyBytes, valueBytes)) * (keyBytes + valueBytes);
}

function chunkOf(keyBytes: number, valueBytes: number): number {
  return Math.floor(CHUNK_BYTES / Math.max(keyBytes, valueBytes));
}

/**
 * A table whose keys and values are records of `keyBytes` and `valueBytes`, for callers that have words. Every word is made
 * a record before the operation (wide.wgsl), untimed, and every result is checked to be a whole record and made a word
 * after it. Inputs of more than 1 GiB go in several passes, whose times are added. All else is as the table has it.
 */
export async function widened(
  gpu: Owner,
  table: GpuTable & { readonly multimap?: never },
  keyBytes: number,
  valueBytes: number,
): Promise<GpuTable> {
  if (keyBytes === 4 && valueBytes === 4) return table;
  // Apart from bundles of the library, whose tables have words.
  const { ofRecords } = await import("./of-records.js");
  return ofRecords(gpu, table, { keyBytes, valueBytes, chunk: chunkOf(keyBytes, valueBytes) });
}
