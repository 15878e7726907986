/** Wide keys and values: a table of records, seen from outside as one of words. */
import type { Owner } from "../device/owned.js";
import type { GpuTable } from "../table.js";

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
  return ofRecords(gpu, table, { keyBytes, valueBytes });
}
