import { createOpenAddressing, type OpenAddressing, REUSE, REUSES, tableBytes } from "../common/open-addressing.js";
import type { TableType } from "../table.js";

type About = Pick<TableType, "id" | "title" | "source"> & Partial<Pick<TableType, "reusesSlots" | "parameters">>;

function slotTable(LINEAR: boolean, about: About): TableType {
  const layout: OpenAddressing = {
    folder: "kernels/double-hashing",
    sizeName: "slots",
    pairsPerTarget: 1,
    conditions: { LINEAR },
  };
  return {
    ops: ["insert", "find", "erase"],
    maxLoadFactor: 1,
    duplicates: true,
    incremental: true,
    parameters: [],
    ...about,
    access: (op) =>
      op === "find"
        ? { pattern: "lookup8", why: "one 8-byte slot, the key, the result" }
        : { pattern: "cas", why: "one random 32-bit CAS" },
    bytes: (n, loadFactor) => tableBytes(layout, n, loadFactor),
    create: (gpu, options) => createOpenAddressing(gpu, layout, options),
  };
}

/** One pair a slot, one slot a probe, a prime number of slots. See README.md. */
export const doubleHashing = slotTable(false, {
  id: "double-hashing",
  title: "Double hashing",
  source: "classical; Stadium (PACT 2015), section 2",
  reusesSlots: REUSES,
  parameters: [REUSE],
});

/** The hash table of Crystal's join. */
export const crystal = slotTable(true, {
  id: "crystal",
  title: "Linear probing (Crystal)",
  source:
    "Shanbhag et al., A Study of the Fundamental Performance Characteristics of GPUs and CPUs for Database Analytics, SIGMOD 2020",
});
