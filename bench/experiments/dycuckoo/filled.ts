import { type Experiment, WARPS_ON_SWIFTSHADER } from "../../base/experiment.js";
import { LOAD_FACTOR, OPERATION, PAIRS, RATE_BARS, RATES } from "../shared.js";
import { dycuckoo, FILLED, QUERIES } from "./settings.js";

const shared = { software: { n: [2 ** 16], swiftshader: WARPS_ON_SWIFTSHADER } } as const;

export const filled: Experiment = {
  ...shared,
  id: "dycuckoo/filled",
  source: { section: "1" },
  title: "DyCuckoo at filled factors above 90 %",
  setting: "100 million normally distributed keys, each once; a million queries for present keys",
  series: [dycuckoo],
  axes: {
    n: [100_000_000],
    op: ["insert", "find"],
    dataset: ["normal"],
    loadFactor: [FILLED, 0.9, 0.95],
    positiveRatio: [1],
    lookups: QUERIES,
  },
  figure: { ...RATES, x: LOAD_FACTOR, facet: OPERATION },
  notes: "The text says that the table operates efficiently at filled factors exceeding 90 %, and measures none.",
};

export const voter: Experiment = {
  ...shared,
  id: "dycuckoo/voter",
  source: { section: "5.2" },
  title: "DyCuckoo with voter coordination and without",
  setting: "Normally distributed keys, each once; filled factor 85 %",
  series: [
    dycuckoo,
    { ...dycuckoo, variant: "no voter", label: "… without voters", params: { ...dycuckoo.params, voter: false } },
  ],
  axes: { n: [2 ** 16, 2 ** 20, 2 ** 24], op: ["insert"], dataset: ["normal"], loadFactor: [FILLED] },
  figure: { ...RATE_BARS, x: PAIRS },
  notes:
    "The paper measures no insertion without voters but that of MegaKV. Here lanes that get no lock try it again, and all else is the same; " +
    "the smaller the table, the more of them want one lock.",
};
