/** What a conformance case is. */

import type { Gpu } from "../../kernels/device/gpu.js";
import type { TableType } from "../../kernels/table.js";

export interface Case {
  readonly name: string;
  /** Run for every combination of a table's parameters that is tested; the others for its defaults alone. */
  readonly core?: boolean;
  /** Why the case does not apply to a table; "" if it does. */
  applies(type: TableType): string;
  /** Throws Mismatch (or whatever the table throws) if the table is wrong. */
  check(gpu: Gpu, type: TableType): Promise<void>;
}
