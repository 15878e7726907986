import type { Experiment } from "../../base/experiment.js";
import { patternSeries, tablesOf } from "../helpers.js";
import { limits } from "./limits.js";
import { BY_SIZE } from "./settings.js";

const KINDS = ["read", "lookup"];
/** Of smaller blocks the lanes make no difference. */
const BLOCKS = [64, 128];
const drawn = patternSeries(KINDS, BLOCKS);

export const blocks: Experiment = {
  id: "device/blocks",
  from: [limits.id],
  title: "Random reads of blocks, by how many lanes read one",
  setting: "Random reads and lookups of blocks of 64 and 128 bytes, by how many lanes read a block",
  series: drawn,
  axes: { ...limits.axes, op: KINDS },
  figure: { ...BY_SIZE, only: tablesOf(drawn) },
};
