import type { Axes, Experiment, PaperValue, Series } from "../../base/experiment.js";
import { ends, powers } from "../shared.js";
import { compared, cuckoo, cuckooEarlyExit, HOST_ROUNDS, HOST_SPEED_UP, hybridOf, hybrids } from "./settings.js";

const sizes = powers(17, 4);
const axes: Axes = { n: sizes, ...compared, lookups: "n" };

const measuredBy = (...cuckoos: readonly Series[]) =>
  [...hybrids, ...cuckoos].map((one) => ({ ...one, bench: "host" }));

/** Average speed-ups over cuckoo, by ticket size. */
const papers = (speedUps: Readonly<Record<number, number>>): PaperValue[] =>
  Object.entries(speedUps).map(([ticket, value]) => ({
    label: `${value}×`,
    table: "stash-hybrid",
    value,
    metric: "counted_mops",
    where: { "params.ticket": Number(ticket) },
  }));

const alone = {
  section: "IV.A",
  setting: "4-byte keys and values, load factor 0.8; rates over cuckoo's",
  series: measuredBy(cuckoo),
  quick: { n: ends(sizes) },
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
  figure: { ...HOST_SPEED_UP, paper: papers({ 8: 1.59, 4: 1.5, 2: 1.14 }) },
  axes: { ...axes, op: ["find"], positiveRatio: [1] },
};

export const fig17c: Experiment = {
  ...alone,
  id: "stadium/fig17c",
  title: "Retrieval from a table in host memory, half of the queries present",
  series: measuredBy(cuckoo, cuckooEarlyExit),
  figure: { ...HOST_SPEED_UP, paper: papers({ 8: 3.99, 4: 3.23, 2: 1.59 }) },
  axes: { ...axes, op: ["find"], positiveRatio: [0.5] },
};
