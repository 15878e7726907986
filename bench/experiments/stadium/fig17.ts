import type { Axes, Experiment } from "../../base/experiment.js";
import { each, powers } from "../helpers.js";
import { hybridOf } from "../hybrid.js";
import { compared, cuckoo, cuckooEarlyExit, HOST_MEMORY, HOST_SPEED_UP, hybrids, KERNELS, ROUNDS } from "./settings.js";

const axes: Axes = { n: [...powers(17, 4), 2 ** 24, 2 ** 25], ...compared, lookups: "n" };

/** Average speed-ups over cuckoo, by ticket size. */
const speedUp = { table: "stash-hybrid" };
const present = [...hybrids, cuckoo];
const half = [...present, cuckooEarlyExit];

const alone = {
  source: { section: "IV.A" },
  setting: "4-byte keys and values, load factor 0.8; rates over cuckoo's",
  series: [...each(present, ROUNDS), ...each(present, KERNELS)],
  quick: { n: [2 ** 17, 2 ** 20, 2 ** 24] },
  software: { n: [2 ** 17, 2 ** 20] },
  notes:
    `${HOST_MEMORY}. Cuckoo takes a round for every probe; its kernels exchange numbers of pairs, as WGSL has no 64-bit exchange, and a ` +
    `pass after that writes the pairs. Sizes are ours. ${hybridOf(8)}.`,
} satisfies Partial<Experiment>;

export const fig17a: Experiment = {
  ...alone,
  id: "stadium/fig17a",
  title: "Insertion into a table in host memory",
  figure: { ...HOST_SPEED_UP, paper: [{ label: "2×", value: 2 }] },
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
  series: [...each(half, ROUNDS), ...each(half, KERNELS)],
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
