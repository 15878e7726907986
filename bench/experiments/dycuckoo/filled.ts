import { type Experiment, WARPS_ON_SWIFTSHADER } from "../../base/experiment.js";
import { LOAD_FACTOR, OPERATION, PAIRS, RATE_BARS, RATES } from "../shared.js";
import { dycuckoo, dycuckooResizing, FILLED, QUERIES } from "./settings.js";

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

/** So many pairs want sub-tables of two sizes at each of the filled factors. */
const OF_TWO_SIZES = 2 ** 20;

export const theorem1: Experiment = {
  ...shared,
  id: "dycuckoo/theorem1",
  source: { section: "4.3" },
  title: "How full sub-tables of two sizes become",
  setting:
    "2^20 normally distributed keys, each once, into an empty table whose sub-tables are of two sizes; as many searches",
  series: dycuckooResizing,
  axes: {
    n: [OF_TWO_SIZES],
    op: ["dynamic"],
    dataset: ["normal"],
    loadFactor: [0.4, 0.6, 0.8],
    params: { batchSize: [OF_TWO_SIZES], r: [0], phase: [1], batch: [1], alpha: [0.3], beta: [0.9] },
  },
  figure: {
    kind: "line",
    x: LOAD_FACTOR,
    metric: "sub_table_fill",
    y: { title: "Filled factor of the larger sub-tables / of the smaller" },
    paper: [{ label: "√2, as the text says", value: Math.SQRT2 }],
  },
  notes:
    "Theorem 1 asks for equal C(m_i, 2) / n_i, so that of two sub-tables with n_i = 2n_j pairs m_i = √2 m_j, and θ_i = θ_j / √2; the text " +
    "concludes θ_i = √2 θ_j. It assigns a pair to a sub-table with a probability in proportion to n_i / C(m_i, 2), as ours does: then m_i / m_j " +
    "comes to rest at the cube root of two, and θ_i at 0.63 θ_j, until the smaller ones are full.",
};
