/** What a conformance case is. */

import type { Gpu } from "../../kernels/device/gpu.js";
import type { TableType } from "../../kernels/table.js";

/** Nothing wrong was seen of the table, but on this adapter it would not have been seen either; the message says why. */
export class Inconclusive extends Error {}

export interface Case {
  readonly name: string;
  /** Run for every combination of a table's parameters that is tested; the others for its defaults alone. */
  readonly core?: boolean;
  /** Why the case does not apply to a table; "" if it does. */
  applies(type: TableType): string;
  /** Throws Mismatch (or whatever the table throws) if the table is wrong, Inconclusive if this adapter cannot tell. */
  check(gpu: Gpu, type: TableType): Promise<void>;
}
