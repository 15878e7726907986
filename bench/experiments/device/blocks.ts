import type { Experiment } from "../../base/experiment.js";
import { patterns } from "../../scenarios/limits/patterns.js";
import { limits } from "./limits.js";
import { BY_SIZE } from "./settings.js";

const KINDS = ["read", "lookup"];
/** Of smaller blocks the lanes make no difference. */
const BLOCKS = [64, 128];

const drawn = patterns.filter(({ kind, blockBytes }) => KINDS.includes(kind) && BLOCKS.includes(blockBytes));

export const blocks: Experiment = {
  id: "device/blocks",
  from: [limits.id],
  title: "Blocks that several lanes read together",
  setting: "Random reads and lookups of blocks of 64 and 128 bytes, by how many lanes read a block",
  series: drawn.map(({ id, title, kind }) => ({ table: id, label: title, bench: "limit", ops: [kind] })),
  axes: { ...limits.axes, op: KINDS },
  figure: { ...BY_SIZE, only: drawn.map(({ id }) => id) },
};
