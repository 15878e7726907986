import type { Experiment } from "../../base/experiment.js";
import { librarySeries } from "../originals.js";
import { CPU_LIBRARIES, CPU_TABLES, LOAD_FACTOR, OPERATION_AND_RATIO, RATES, TABLES } from "../shared.js";

const {
  bucketed,
  cuckoo,
  cuckooProgram,
  doubleHashing,
  dycuckoo,
  dycuckooPairs,
  quotient,
  slabHash,
  stash,
  stashPassed,
  warpcore,
} = TABLES;

/** Of native tables, whose cells take seconds: pairs, queries and answers go to another process and back. */
const NATIVE = [0.5, 0.8, 0.9, 0.95];

export const loadFactor: Experiment = {
  id: "tables/load-factor",
  title: "All tables by load factor",
  setting: "100 M unique random pairs, 200 M lookups",
  series: [
    bucketed,
    { ...quotient, label: "Quotient, by bytes" },
    cuckoo,
    cuckooProgram,
    doubleHashing,
    stash,
    stashPassed,
    { ...slabHash, label: "Slab hash, by memory utilisation" },
    dycuckoo,
    {
      table: "dycuckoo",
      label: "DyCuckoo, batches ordered",
      variant: "ordered",
      ops: ["insert"],
      params: { regionKiB: 2 ** 15 },
    },
    dycuckooPairs,
    warpcore,
    { table: "gph", label: "GPH" },
    // Twice as many buckets a cell as in the paper, and as many virtual buckets more: the cell index is half as large. Of smaller
    // buckets a find reads less; with three times as many a cell the index is two thirds of the paper's.
    ...[
      { label: "GPH, larger cells", variant: "larger cells", params: { bucketsPerCell: 3.2, R: 16, refusals: true } },
      {
        label: "GPH, larger cells, 64-byte buckets",
        variant: "larger cells, 64 bytes",
        params: { bucketsPerCell: 4.8, R: 16, M: 8, refusals: true },
      },
    ].map((series) => ({ table: "gph", loadFactor: 0.5, ...series })),
    ...CPU_LIBRARIES.map((one) => ({ ...one, label: `${one.label}, n ≤ 16 M`, maxN: 2 ** 24, loadFactors: NATIVE })),
    ...CPU_TABLES,
    ...librarySeries(undefined, { loadFactors: NATIVE }),
  ],
  axes: {
    n: [100_000_000],
    op: ["insert", "find"],
    dataset: ["random"],
    loadFactor: [0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95],
    positiveRatio: [1, 0.5, 0],
    lookups: 200_000_000,
  },
  quick: { loadFactor: [0.5, 0.8, 0.9] },
  software: { n: [2 ** 16], loadFactor: [0.5, 0.9], positiveRatio: [1, 0], lookups: 2 ** 16 },
  figure: { ...RATES, x: LOAD_FACTOR, facet: OPERATION_AND_RATIO, beside: { limit: "quotient", references: true } },
  notes:
    "The load factor of Quotient, a compact table, is 8 bytes a pair / bytes of the table: at equal load factors it takes the space " +
    "of tables with slots of 8 bytes.",
};
