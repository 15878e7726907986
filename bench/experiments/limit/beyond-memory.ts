import type { Experiment } from "../../base/experiment.js";
import { LOG_RATES, OPERATION_AND_RATIO, PAIRS } from "../shared.js";

const wide = { keyBytes: 64, valueBytes: 64, parts: 16 };

export const beyondMemory: Experiment = {
  id: "limit/beyond-memory",
  title: "A table larger than the device's memory",
  setting:
    "Unique random pairs of 128 bytes, load factor 0.8, 2^22 lookups; Stash in the device's memory, or half in the host's",
  series: [
    { table: "stash", label: "Stash, in the device's memory", variant: "device", params: { ...wide, deviceShare: 1 } },
    { table: "stash", label: "Stash, half in the host's", variant: "both", params: { ...wide, deviceShare: 0.5 } },
  ],
  axes: {
    // 10, 40, 80 and 160 GiB: an H100 has 80, an H200 139.
    n: [2 ** 26, 2 ** 28, 2 ** 29 - 4, 2 ** 30],
    op: ["find"],
    dataset: ["random"],
    loadFactor: [0.8],
    positiveRatio: [1],
    lookups: 2 ** 22,
  },
  quick: { n: [2 ** 26] },
  software: { n: [2 ** 21], lookups: 2 ** 12 },
  figure: { ...LOG_RATES, x: PAIRS, facet: OPERATION_AND_RATIO },
  notes:
    "Ours. A table beyond what a kernel binds consists of 16 tables, each for the keys of its own hashes. A batch is routed to these by a kernel before " +
    "each operation, and its answers are brought back, untimed. What a part has in the host's memory is read across the bus. Ticket-boards are in the " +
    "device's memory. Sizes beyond both memories are skipped, and say so.",
};
