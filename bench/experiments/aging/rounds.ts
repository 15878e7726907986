import type { Experiment } from "../../base/experiment.js";
import { each } from "../helpers.js";
import { RATES, TABLES } from "../shared.js";

const { bucketed, doubleHashing, dycuckoo, quotient, slabHash, stash, warpcore } = TABLES;

const tables = [slabHash, stash, bucketed, quotient, doubleHashing, dycuckoo, warpcore];
const reuse = { variant: "reuse", label: "{}, slots reused", params: { reuse: true } };
const mixed = { variant: "mixed", label: "{}, mixed", params: { mixed: true } };

const AGING = { bench: "aging" };
const REUSING = each(each([bucketed, doubleHashing], reuse), AGING);
const IN_ONE_DISPATCH = each(each([slabHash, stash, quotient], mixed), AGING);

export const rounds: Experiment = {
  id: "aging/rounds",
  title: "Rates of tables that have been in use for many rounds",
  setting:
    "85 M pairs; each round searches for a million present and as many absent keys, erases the million oldest and inserts a million new ones",
  series: [...each(tables, AGING), ...REUSING, ...IN_ONE_DISPATCH],
  axes: {
    n: [85_000_000],
    op: ["aging"],
    dataset: ["random"],
    loadFactor: [0.85],
    params: { round: [1, 5, 10, 13, 30, 100, 300] },
  },
  quick: { params: { round: [1, 13, 100] } },
  software: { n: [2 ** 16], params: { round: [1, 10, 30] } },
  cost: 4,
  figure: { ...RATES, x: { field: "params.round", title: "Rounds before", scale: "log2" } },
  notes:
    "Ours: the life of a cache or of a sliding window. A table that does not use the slots of erased keys again fills up; its cells " +
    "from then on are skipped, and say in which round it was full. One that does has fewer and fewer slots that were never used, at which a " +
    "search for an absent key could end: it goes on as far as any key ever got. WarpCore's goes on to an EMPTY slot, and the table is worn " +
    "out once a round takes a hundred times as long as the fastest. A slab hash marks erased keys, and is not flushed here: its lists grow " +
    "with every round, and its rounds with them. The axis ends at 300, when every key has been replaced three " +
    "times: from there to 1,000 rounds of an H200's quotient tables became up to 29 % longer, those of a slab hash in proportion, all others " +
    "within a tenth. Mixed: " +
    "the operations of a round in one batch, not in four; quotient " +
    "takes its erasures after the others.",
};

/** Of the same rows. */
const drawn = { ...rounds, from: [rounds.id] };

export const variants: Experiment = {
  ...drawn,
  id: "aging/variants",
  title: "Rates after many rounds: slots reused, and rounds in one dispatch",
  series: [...REUSING, ...IN_ONE_DISPATCH],
  figure: { ...rounds.figure, only: "declared" },
};

export const probes: Experiment = {
  ...drawn,
  id: "aging/probes",
  title: "Probes of tables that have been in use for many rounds",
  figure: { ...rounds.figure, metric: "probes", y: { title: "Probe steps per operation", scale: "log2" } },
};

export const deleted: Experiment = {
  ...drawn,
  id: "aging/deleted",
  title: "Slots of erased keys in tables that have been in use for many rounds",
  figure: {
    ...rounds.figure,
    metric: "deleted_share",
    y: { title: "Slots marked as erased (% of those at first)", factor: 100 },
  },
  notes: `${rounds.notes} A stash, a quotient table and DyCuckoo mark no slots: that of an erased key is free for another. Slab hashes add slots to those that they begin with.`,
};
