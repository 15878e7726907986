import type { Experiment } from "../../base/experiment.js";
import { DATA_SET, LOG_RATES, TABLES } from "../shared.js";

const { bucketed, bucketedKeyed, cuckoo, doubleHashing, quotient, slabHash, warpcore } = TABLES;

export const hostile: Experiment = {
  id: "work/hostile",
  title: "Keys that are made to collide",
  setting: "20,000 pairs, load factor 0.8, all keys present; keys by the inverse of a table's hash, and of few bits",
  series: [
    bucketed,
    bucketedKeyed,
    quotient,
    { table: "crystal", label: "Crystal" },
    doubleHashing,
    warpcore,
    cuckoo,
    slabHash,
  ],
  axes: {
    n: [20_000],
    op: ["insert", "find"],
    dataset: [
      "random",
      "sequential",
      "hostile:multiples",
      "hostile:bits",
      "hostile:bucketed",
      "hostile:quotient",
      "hostile:crystal",
      "hostile:double-hashing",
    ],
    loadFactor: [0.8],
    positiveRatio: [1],
    lookups: "n",
  },
  software: { n: [2 ** 11], dataset: ["random", "sequential", "hostile:bits", "hostile:bucketed", "hostile:crystal"] },
  figure: { ...LOG_RATES, kind: "bar", x: DATA_SET, facet: { field: "op", title: "Operation" } },
  notes:
    "The keys are for the seed of the cell, which is the table's: who knows neither can make none, nor who does not know the secret of a keyed hash. A search of crystal for keys that begin in one slot " +
    "takes half as many probes as there are keys; so 20,000 are enough to show it, and rates of random keys are those of launches. Quotient's keyed hash is in work/keyed.",
};
