import type { Axes, Experiment } from "../../base/experiment.js";
import { HOST } from "../../scenarios/allocation.js";
import { each } from "../helpers.js";
import { LOG_RATES, OPERATION_AND_RATIO, PAIRS, TABLES } from "../shared.js";

const { bucketed, cuckoo, doubleHashing, dycuckoo, fingerprints, quotient, slabHash, stash, stashPassed, warpcore } =
  TABLES;
/** Built and searched part by part. */
const byParts = [quotient, fingerprints];
const eightBits = { ...fingerprints, label: "Fingerprints of 8 bits", variant: "8 bits", params: { bits: 8 } };
const onePass = [
  { ...quotient, label: "Quotient, in one pass", variant: "one pass", params: { passes: 1 } },
  { ...fingerprints, label: "Fingerprints, in one pass", variant: "one pass", params: { passes: 1 } },
];
/** Built at once, wherever the pairs go: each insertion makes one to three requests of its own. */
const atRandom = [
  stash,
  stashPassed,
  bucketed,
  cuckoo,
  doubleHashing,
  warpcore,
  slabHash,
  dycuckoo,
  { table: "gph", label: "GPH, load factor 0.5", at: { loadFactor: 0.5 } },
];

const shared = {
  setting: "Unique random pairs, load factor 0.8, the table in the host's memory; 2^22 lookups",
  figure: { ...LOG_RATES, x: PAIRS, facet: OPERATION_AND_RATIO },
} as const satisfies Partial<Experiment>;
const axes = {
  op: ["insert", "find"],
  dataset: ["random"],
  loadFactor: [0.8],
  positiveRatio: [1, 0.5, 0],
  lookups: 2 ** 22,
} as const satisfies Partial<Axes>;

export const host: Experiment = {
  ...shared,
  id: "limit/host",
  title: "Tables in host memory",
  series: each(
    [
      ...each([...byParts, ...onePass], { only: { op: ["find"] } }),
      ...each([eightBits], { only: { op: ["find"], n: { to: 2 ** 26 } } }),
      ...each([...byParts, ...atRandom], { only: { n: { to: 2 ** 26 } } }),
    ],
    { params: HOST },
  ),
  axes: { n: [2 ** 26, 2 ** 28], ...axes },
  quick: { n: [2 ** 26] },
  software: { n: [2 ** 24], positiveRatio: [1], lookups: 2 ** 12 },
  notes:
    "Ours. All of a table is in host memory, which kernels read and write across the bus (device/host), but for the ticket-board of Stash, " +
    "as in the paper, and the fingerprints of Fingerprints, which are in the device's. Keys, queries and answers are in the device's, too. Quotient and " +
    "Fingerprints visit the table in parts of 256 MiB, one after another, of which the GPU keeps the addresses translated; in one pass they do " +
    "not. Tables that are reached at random take seconds to build: they end at 2^26 pairs, and larger ones are in limit/host-large.",
};

export const hostLarge: Experiment = {
  ...shared,
  id: "limit/host-large",
  title: "Large tables in host memory",
  series: each(
    [
      ...each(byParts, { only: { op: ["insert"], n: { to: 2 ** 30 } } }),
      ...each(byParts, { only: { op: ["find"], n: { from: 2 ** 30 } } }),
      ...each(atRandom, { only: { op: ["find"], n: { to: 2 ** 28 } } }),
    ],
    { params: HOST },
  ),
  axes: { n: [2 ** 28, 2 ** 30, 2 ** 31], ...axes },
  quick: { n: [2 ** 28] },
  software: { n: [2 ** 24], positiveRatio: [1], lookups: 2 ** 12 },
  notes:
    "Ours, as limit/host, which has smaller tables. A table that is reached at random makes one to three requests for each of 2^28 pairs.",
};
