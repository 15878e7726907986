import type { Axes, Experiment } from "../../experiment.js";
import { alongPairs, compared, cuckoo, ends, HOST_ROUNDS, hybrids, powers } from "./settings.js";

const sizes = powers(18, 4);
const axes: Axes = { n: sizes, ...compared, lookups: "n" };

const alone = {
  paper: "stadium",
  section: "IV.A",
  setting: "4-byte keys and values, load factor 0.8",
  series: [...hybrids, cuckoo].map((one) => ({ ...one, bench: "host" })),
  figure: {
    kind: "line",
    x: alongPairs,
    metric: "mops",
    y: { title: "Throughput", scale: "log10" },
    panels: [
      { metric: "mops", title: "Host rounds, end to end" },
      { metric: "counted_mops", title: "Counted transactions over PCIe" },
    ],
  },
  notes:
    `${HOST_ROUNDS}; cuckoo takes a round for every probe. Counted: the rate at which a bus of the stated bandwidth ` +
    "carries the table's transactions, with nothing else in the way. Sizes are ours. The claims are about host rounds.",
} satisfies Partial<Experiment>;

export const fig17a: Experiment = {
  ...alone,
  id: "stadium/fig17a",
  figureName: "Fig. 17a",
  title: "Insertion into a table in host memory",
  axes: { ...axes, op: ["insert"] },
  quick: { n: ends(sizes) },
};

export const fig17b: Experiment = {
  ...alone,
  id: "stadium/fig17b",
  figureName: "Fig. 17b",
  title: "Retrieval from a table in host memory, all queries present",
  axes: { ...axes, op: ["find"], positiveRatio: [1] },
  quick: { n: ends(sizes) },
};

export const fig17c: Experiment = {
  ...alone,
  id: "stadium/fig17c",
  figureName: "Fig. 17c",
  title: "Retrieval from a table in host memory, half of the queries present",
  axes: { ...axes, op: ["find"], positiveRatio: [0.5] },
  quick: { n: ends(sizes) },
};
