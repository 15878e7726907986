import { type Experiment, HELD_FIELD } from "../../base/experiment.js";
import { OPERATION_AND_RATIO, RATES, TABLES } from "../shared.js";
import { CPU_NATIVE, GROUPS, LIBRARIES, loadFactor, SLOTS } from "./load-factor.js";

const { bucketed, quotient, slabHash } = TABLES;

export const spaceTime: Experiment = {
  ...loadFactor,
  id: "tables/space-time",
  title: "Throughput by bytes per pair: what memory buys",
  setting: "100 M unique random pairs, 200 M lookups; one curve per table, one point per load factor",
  series: [bucketed, quotient, ...SLOTS, slabHash, ...GROUPS, ...CPU_NATIVE, ...LIBRARIES],
  from: [loadFactor.id],
  figure: {
    ...RATES,
    x: { field: HELD_FIELD, title: "Bytes per pair" },
    facet: OPERATION_AND_RATIO,
    beside: { trend: "front", references: true },
  },
  notes:
    "Which table to take where memory is short. The bytes are those that a table keeps, with locks, tickets, stashes and indexes, over " +
    "the pairs that it holds; by the declaration of its type, and without what operations take for themselves, such as cuckoo's pairs " +
    "in order while it is built. CPU tables in JavaScript are left out.",
};
