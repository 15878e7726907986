import type { Experiment } from "../../base/experiment.js";
import { rounds } from "./rounds.js";

export const deleted: Experiment = {
  ...rounds,
  id: "aging/deleted",
  title: "Slots of erased keys in tables that have been in use for many rounds",
  from: [rounds.id],
  notes: `${rounds.notes} A stash, a quotient table and DyCuckoo mark no slots: that of an erased key is free for another. Slab hashes add slots to those that they begin with.`,
  figure: {
    ...rounds.figure,
    metric: "deleted_share",
    y: { title: "Slots marked as erased (% of those at first)", factor: 100 },
  },
};
