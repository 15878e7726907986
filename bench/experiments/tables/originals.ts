import type { Experiment } from "../../base/experiment.js";
import { COMPARED, PORTS } from "../originals.js";
import { LOAD_FACTOR, OPERATION_AND_RATIO, RATES } from "../shared.js";
import { loadFactor } from "./load-factor.js";

export const originals: Experiment = {
  ...loadFactor,
  id: "tables/originals",
  title: "Ports over their originals in CUDA",
  setting:
    "100 M unique random pairs, 200 M lookups; originals with their defaults, ports too but for DyCuckoo's buckets of 16 pairs and, in one of two series, CUDPP's prime; in one run",
  series: PORTS,
  from: [loadFactor.id],
  figure: {
    ...RATES,
    x: LOAD_FACTOR,
    y: { title: "Rate of the port / rate of the original", factor: 1 },
    facet: OPERATION_AND_RATIO,
    against: { table: COMPARED, as: "ratio" },
  },
  notes: "The report has the same ratios as a table, also over the originals' fastest settings.",
};
