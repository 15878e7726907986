/** What a table costs to keep, by the declaration of its type: rows need not say it. */
import { allTables } from "../../kernels/index.js";
import type { ResultRow } from "../results/record.js";
import { DEFAULT_BENCH } from "./index.js";
import { tableParams } from "./parameters.js";
import { BULK_PARAMETERS } from "./table.js";

type Cell = Pick<ResultRow, "bench" | "table" | "n" | "load_factor" | "params">;

/**
 * Bytes that the cell's table holds for each pair stored, with locks, tickets, stashes and indexes. Null for what is no table of
 * pairs on the GPU, or a table that is not known here, as one of a plug-in.
 * @param refused share of the input's pairs that the table refused
 */
export function heldPerPair({ bench, table, n, load_factor, params }: Cell, refused = 0): number | null {
  const type = bench === DEFAULT_BENCH ? allTables().find(({ id, answers }) => id === table && !answers) : undefined;
  const loadFactor = type?.dense ? 1 : load_factor;
  if (!type || loadFactor === null) return null;
  const own = tableParams({ params }, BULK_PARAMETERS);
  const bytes = type.held?.(n, loadFactor, own) ?? type.bytes(n, loadFactor, own);
  return bytes / (n * (1 - refused));
}
