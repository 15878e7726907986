import type { Experiment } from "../../base/experiment.js";
import { host } from "./host.js";
import { limits } from "./limits.js";
import { BY_SIZE } from "./settings.js";

export const copies: Experiment = {
  ...limits,
  id: "device/copies",
  title: "Coalesced copies by size: what memory moves when nothing is random",
  setting: "Copies of 16 B per access to device memory, of which half the bytes are read and half are written",
  from: [limits.id, host.id],
  figure: {
    ...BY_SIZE,
    x: { ...BY_SIZE.x, own: true },
    metric: "bandwidth",
    y: { title: "Bytes read and written" },
    only: ["copy"],
    facet: {
      field: "experiment",
      title: "From",
      names: { [limits.id]: "From device memory", [host.id]: "From host memory" },
    },
  },
  notes:
    "Of a copy from host memory half of the bytes cross the bus. The copies are measured with their experiments' other accesses.",
};
