import type { Experiment } from "../../base/experiment.js";
import { LOG_RATES, OPERATION, PAIRS, TABLES } from "../shared.js";

const { bucketed, bucketedKeyed, doubleHashing, quotient, quotientKeyed } = TABLES;

export const keyed: Experiment = {
  id: "work/keyed",
  title: "What a keyed hash costs",
  setting: "Random keys, all present; load factor 0.8",
  series: [
    bucketed,
    bucketedKeyed,
    quotient,
    quotientKeyed,
    doubleHashing,
    { ...doubleHashing, label: "Double hashing, keyed hash", variant: "keyed", params: { keyed: true } },
  ],
  axes: {
    n: [2 ** 16, 2 ** 18, 2 ** 20, 2 ** 22, 2 ** 24, 2 ** 26],
    op: ["insert", "find"],
    dataset: ["random"],
    loadFactor: [0.8],
    positiveRatio: [1],
    lookups: "n",
  },
  quick: { n: [2 ** 16, 2 ** 26] },
  software: { n: [2 ** 12, 2 ** 15] },
  figure: { ...LOG_RATES, kind: "line", x: PAIRS, facet: OPERATION },
  notes:
    "The keyed hash is a block cipher of 22 rounds: arithmetic alone, which shows where the table lies in a cache, and less where lanes wait for memory.",
};
