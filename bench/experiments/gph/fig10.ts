import { type Experiment, WARPS_ON_SWIFTSHADER } from "../../base/experiment.js";
import { CPU_TABLES, DATA_SET, POSITIVE_LOOKUPS, RATES } from "../shared.js";
import { cached, DATASETS, GB, GPH, LIBRARIES, LOOKUPS, NOTES, TABLES } from "./settings.js";

export const fig10: Experiment = {
  id: "gph/fig10",
  source: { section: "7.2" },
  title: "Lookups of GPH and other tables by share of present keys",
  setting: "1.5 GB table, 200 M lookups; keys drawn uniformly, of TaoBench by a power law",
  series: [...TABLES, cached, { table: "bucketed", label: "Bucketed (4 pairs)" }, ...CPU_TABLES, ...LIBRARIES],
  axes: {
    ...DATASETS,
    op: ["find"],
    loadFactor: { bytes: [1.5 * GB] },
    positiveRatio: [0, 0.25, 0.5, 0.75, 1],
    lookups: LOOKUPS,
  },
  software: {
    n: [2 ** 17],
    dataset: ["random"],
    loadFactor: [0.5],
    positiveRatio: [0, 1],
    lookups: 2 ** 17,
    swiftshader: WARPS_ON_SWIFTSHADER,
  },
  figure: {
    ...RATES,
    x: POSITIVE_LOOKUPS,
    y: { title: "Lookup throughput" },
    facet: DATA_SET,
    beside: { limit: true },
    paper: [
      { ...GPH, label: "GPH above 8,500 M/s (V100S)", value: 8500 },
      { label: "all but GPH below 5,000 M/s at 0 % (V100S)", value: 5000 },
    ],
  },
  notes: `The cell index in the cache, bucketed and the CPU tables are ours. ${NOTES}`,
};
