import type { Axes, Experiment } from "../../base/experiment.js";
import { each, powers } from "../helpers.js";
import { hybridOf } from "../hybrid.js";
import { compared, cuckoo, cuckooEarlyExit, HOST_ROUNDS, HOST_SPEED_UP, hybrids } from "./settings.js";

const axes: Axes = { n: powers(17, 4), ...compared, lookups: "n" };

/** Average speed-ups over cuckoo, by ticket size. */
const speedUp = { table: "stash-hybrid", metric: "counted_mops" };

const alone = {
  source: { section: "IV.A" },
  setting: "4-byte keys and values, load factor 0.8; rates over cuckoo's",
  series: each([...hybrids, cuckoo], { bench: "host" }),
  quick: { n: [2 ** 17, 2 ** 20] },
  notes:
    `${HOST_ROUNDS}; cuckoo takes a round for every probe. Predicted: the rate at which a bus of the stated bandwidth ` +
    `carries the table's transactions, with nothing else in the way; claims are judged on it. Sizes are ours. ${hybridOf(8)}.`,
} satisfies Partial<Experiment>;

export const fig17a: Experiment = {
  ...alone,
  id: "stadium/fig17a",
  title: "Insertion into a table in host memory",
  figure: { ...HOST_SPEED_UP, paper: [{ label: "2×", value: 2, metric: "counted_mops" }] },
  axes: { ...axes, op: ["insert"] },
};

export const fig17b: Experiment = {
  ...alone,
  id: "stadium/fig17b",
  title: "Retrieval from a table in host memory, all queries present",
  figure: {
    ...HOST_SPEED_UP,
    paper: [
      { ...speedUp, label: "1.14×", value: 1.14, where: { "params.ticket": 2 } },
      { ...speedUp, label: "1.5×", value: 1.5, where: { "params.ticket": 4 } },
      { ...speedUp, label: "1.59×", value: 1.59, where: { "params.ticket": 8 } },
    ],
  },
  axes: { ...axes, op: ["find"], positiveRatio: [1] },
};

export const fig17c: Experiment = {
  ...alone,
  id: "stadium/fig17c",
  title: "Retrieval from a table in host memory, half of the queries present",
  series: each([...hybrids, cuckoo, cuckooEarlyExit], { bench: "host" }),
  figure: {
    ...HOST_SPEED_UP,
    paper: [
      { ...speedUp, label: "1.59×", value: 1.59, where: { "params.ticket": 2 } },
      { ...speedUp, label: "3.23×", value: 3.23, where: { "params.ticket": 4 } },
      { ...speedUp, label: "3.99×", value: 3.99, where: { "params.ticket": 8 } },
    ],
  },
  axes: { ...axes, op: ["find"], positiveRatio: [0.5] },
};
