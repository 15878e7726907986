import type { Experiment } from "../../base/experiment.js";
import { LOG_RATES, TABLES } from "../shared.js";

export const placement: Experiment = {
  id: "limit/placement",
  title: "Tables in both memories, by the share in the device's",
  setting:
    "Unique random pairs, load factor 0.8, 2^22 lookups; a table in four pieces, each in the device's or the host's memory",
  series: [TABLES.quotient, TABLES.bucketed],
  axes: {
    // A larger table takes many seconds to build across the bus.
    n: [2 ** 26],
    op: ["insert", "find"],
    dataset: ["random"],
    loadFactor: [0.8],
    positiveRatio: [1],
    lookups: 2 ** 22,
    params: { deviceShare: [0, 0.25, 0.5, 0.75, 1] },
  },
  software: { n: [2 ** 23], lookups: 2 ** 12 },
  figure: {
    ...LOG_RATES,
    x: { field: "params.deviceShare", title: "Share in the device's memory (%)", factor: 100 },
    facet: { field: "op+n", title: "Operation and pairs" },
    beside: { limit: true },
  },
  notes:
    "Ours. An access finds its piece as in tables beyond 2 GiB, in banks (kernels/common/banks.wgsl). Pieces in host memory are read and written " +
    "across the bus, in the same dispatch as those in the device's memory. Keys, queries and answers are in the device's. " +
    "The limit of a retrieval is that of the memory that takes longer for its share of the accesses, as both work at the same time.",
};
