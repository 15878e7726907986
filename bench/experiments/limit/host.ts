import type { Experiment } from "../../base/experiment.js";
import { HOST } from "../../scenarios/allocation.js";
import { each } from "../helpers.js";
import { LOG_RATES, OPERATION_AND_RATIO, PAIRS, TABLES } from "../shared.js";

const { bucketed, cuckoo, doubleHashing, dycuckoo, fingerprints, quotient, slabHash, stash, stashPassed, warpcore } =
  TABLES;
/** Built at once, wherever the pairs go: insertions of 2^28 take 5 to 20 s. */
const atRandom = [
  bucketed,
  cuckoo,
  doubleHashing,
  warpcore,
  stash,
  stashPassed,
  slabHash,
  dycuckoo,
  { table: "gph", label: "GPH, load factor 0.5", at: { loadFactor: 0.5 } },
  { ...quotient, label: "Quotient, in one pass", variant: "one pass", params: { passes: 1 } },
  { ...fingerprints, label: "Fingerprints, in one pass", variant: "one pass", params: { passes: 1 } },
];
/** Built and searched part by part. */
const byParts = [
  quotient,
  fingerprints,
  { ...fingerprints, label: "Fingerprints of 8 bits", variant: "8 bits", params: { bits: 8 } },
];

export const host: Experiment = {
  id: "limit/host",
  title: "Tables in host memory",
  setting: "Unique random pairs, load factor 0.8, the table in the host's memory; 2^22 lookups",
  series: each(
    [
      ...each(byParts, { only: { op: ["insert"], n: { to: 2 ** 30 } } }),
      ...each(byParts, { only: { op: ["find"] } }),
      ...each(atRandom, { only: { op: ["insert"], n: { to: 2 ** 26 } } }),
      ...each(atRandom, { only: { op: ["find"], n: { to: 2 ** 28 } } }),
    ],
    { params: HOST },
  ),
  axes: {
    n: [2 ** 24, 2 ** 26, 2 ** 28, 2 ** 30, 2 ** 31],
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
    "as in the paper, and the fingerprints of Fingerprints, which are in the device's. Keys, queries and answers are there too. Quotient and " +
    "Fingerprints visit the table in parts of 256 MiB, one after another, of which the GPU keeps the addresses translated; in one pass they do " +
    "not. Insertions that go to all of a table at random end at 2^26 pairs, and searches of such tables at 2^28: they take seconds to build.",
};
