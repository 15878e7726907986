/** What a table costs to keep, by the declaration of its type. */
import type { Params, TableType } from "../../kernels/table.js";

/** What a table was made for. */
export interface Made {
  /** Different keys. */
  readonly n: number;
  readonly loadFactor: number;
  readonly params: Params;
}

/**
 * Bytes that a table holds for each pair stored, with locks, tickets, stashes and indexes.
 * @param refused of the n pairs, those that it refused
 */
export function heldPerPair(
  type: Pick<TableType, "held" | "bytes">,
  { n, loadFactor, params }: Made,
  refused = 0,
): number {
  return (type.held?.(n, loadFactor, params) ?? type.bytes(n, loadFactor, params)) / (n - refused);
}
