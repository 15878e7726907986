import { createOpenAddressing, type OpenAddressing, tableBytes } from "../common/open-addressing.js";
import type { TableType } from "../table.js";

const layout: OpenAddressing = { folder: "kernels/double-hashing", sizeName: "slots", pairsPerTarget: 1 };

/** One pair a slot, one slot a probe, a prime number of slots. See README.md. */
export const doubleHashing: TableType = {
  id: "double-hashing",
  title: "Double hashing",
  source: "classical; Stadium (PACT 2015), section 2",
  ops: ["insert", "find", "erase"],
  maxLoadFactor: 1,
  duplicates: true,
  incremental: true,
  parameters: [],
  access: (op) =>
    op === "find"
      ? { pattern: "lookup8", why: "one 8-byte slot, the key, the result" }
      : { pattern: "cas", why: "one random 32-bit CAS" },
  bytes: (n, loadFactor) => tableBytes(layout, n, loadFactor),
  create: (gpu, options) => createOpenAddressing(gpu, layout, options),
};
