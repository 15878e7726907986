import type { Experiment } from "../../base/experiment.js";
import { HOST } from "../../scenarios/allocation.js";
import { each } from "../helpers.js";
import { LOG_RATES, OPERATION_AND_RATIO, PAIRS, TABLES } from "../shared.js";

const { bucketed, cuckoo, doubleHashing, dycuckoo, quotient, slabHash, stash, stashPassed, warpcore } = TABLES;
const tables = [quotient, bucketed, cuckoo, doubleHashing, warpcore, stash, stashPassed, slabHash, dycuckoo];

export const host: Experiment = {
  id: "limit/host",
  title: "Tables in host memory",
  setting: "Unique random pairs, load factor 0.8, the table in the host's memory; 2^22 lookups",
  series: each(tables, { params: HOST }),
  axes: {
    n: [2 ** 24, 2 ** 26],
    op: ["insert", "find"],
    dataset: ["random"],
    loadFactor: [0.8],
    positiveRatio: [1, 0.5, 0],
    lookups: 2 ** 22,
  },
  quick: { n: [2 ** 24] },
  software: { n: [2 ** 24], positiveRatio: [1], lookups: 2 ** 12 },
  figure: { ...LOG_RATES, x: PAIRS, facet: OPERATION_AND_RATIO },
  notes:
    "Ours. All of a table is in host memory, which kernels read and write across the bus (device/host), but for the ticket-board of Stash, " +
    "which is in the device's, as in the paper. Keys, queries and answers are there too.",
};
