import type { Experiment } from "../../base/experiment.js";
import { ROW_RATES } from "../shared.js";
import { groupBy, PLANNED } from "./group-by.js";

export const distinct: Experiment = {
  ...groupBy,
  id: "work/distinct",
  title: "The first row of each key",
  setting: "100 M rows of a 4-byte key; keys equally frequent; a mask of the first rows, and these in order",
  series: PLANNED,
  axes: { ...groupBy.axes, op: ["distinct"] },
  figure: { ...ROW_RATES, x: { field: "params.groups", title: "Different keys", scale: "log2" } },
  notes:
    "A group-by of the rows' numbers by their minimum, whose plan a sample chooses; then the mask, and the list by a prefix sum.",
};
