import type { Experiment } from "../../base/experiment.js";
import { LOAD_FACTOR, OPERATION_AND_RATIO } from "../shared.js";
import { CPU_NATIVE, GPU_TABLES, LIBRARIES, loadFactor as tables } from "../tables/load-factor.js";

export const loadFactor: Experiment = {
  ...tables,
  id: "limit/load-factor",
  title: "Tables by load factor, as shares of the device's limit",
  series: [...GPU_TABLES, ...CPU_NATIVE, ...LIBRARIES],
  from: [tables.id],
  figure: {
    kind: "line",
    x: LOAD_FACTOR,
    metric: "limit_share",
    y: { title: "Share of the limit (%)", factor: 100, most: 110 },
    facet: OPERATION_AND_RATIO,
  },
  notes:
    "Each table against the limit of its own unavoidable access, such as one bucket of 32 bytes or one slot of 8, at its own size: a " +
    "share says what the algorithm leaves of the device, not which table is faster. Shares can be compared across machines.",
};
