import type { Experiment } from "../../base/experiment.js";
import { tiled } from "./settings.js";

export const flush: Experiment = {
  id: "slab/flush",
  source: { section: "IV.C.4" },
  title: "FLUSH by the share of erased keys",
  setting: "2^22 random pairs, of which a share is erased; then all lists are flushed",
  series: [{ ...tiled, label: "Slab hash", bench: "flush" }],
  axes: {
    n: [2 ** 22],
    op: ["flush"],
    dataset: ["random"],
    loadFactor: [0.65, 0.9],
    params: { erased: [0.25, 0.5, 0.75] },
  },
  software: { n: [2 ** 14] },
  figure: {
    kind: "line",
    x: { field: "params.erased", title: "Erased pairs (%)", factor: 100 },
    metric: "time",
    y: { title: "Time (ms)", factor: 1e-6 },
    facet: { field: "load_factor", title: "Memory utilisation at first" },
  },
  notes:
    "The paper describes FLUSH and measures none. A warp of the paper's compacts a list; a lane of ours does. An operation is the flush of a list.",
};
