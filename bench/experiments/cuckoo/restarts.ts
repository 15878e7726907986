import type { Experiment } from "../../base/experiment.js";
import { each, withSlots } from "../helpers.js";

const restarting = { table: "cuckoo", bench: "restarts" };
const two = { ...restarting, label: "2 functions", params: { functions: 2, builds: 100 } };
const three = { ...restarting, label: "3 functions", params: { functions: 3, builds: 100 } };
const four = { ...restarting, label: "4 functions", params: { functions: 4, builds: 100 } };
const five = { ...restarting, label: "5 functions", params: { functions: 5, builds: 100 } };
/** At the chapter's own setting few builds could not distinguish its 0.56 % from 0. */
const often = { ...four, params: { functions: 4, builds: 10_000 } };
/**
 * The load factor next to the chapter's that gives odd numbers of slots: if n is a power of two, 1.25n has a large power of
 * two as a factor. So many builds of more pairs would take too long.
 */
const odd = {
  ...often,
  variant: "odd",
  label: "4 functions, an odd number of slots",
  at: { loadFactor: 0.799995, maxN: 2 ** 21 },
};

export const restarts: Experiment = {
  id: "cuckoo/restarts",
  source: { section: "4.3.1.1" },
  title: "Cuckoo builds that start again, by space and hash functions",
  setting:
    "Unique random keys, 2 to 5 hash functions drawn anew for each build; chain limit 7 lg n at 4 functions and 1.25n",
  series: [
    ...withSlots(two, 2.1, 2.2, 2.5, 3),
    ...withSlots(three, 1.1, 1.15, 1.25, 1.42),
    ...withSlots(four, 1.03, 1.05, 1.1),
    ...withSlots(often, 1.25),
    odd,
    ...withSlots(four, 1.42),
    ...withSlots(five, 1.02, 1.05, 1.1, 1.25),
    ...each([two, three, four, five], { variant: "smallest", label: "{}, smallest space", at: { maxN: 2 ** 20 } }),
  ],
  axes: { n: [2 ** 16, 2 ** 21, 2 ** 25], op: ["insert"], dataset: ["random"] },
  quick: { n: [2 ** 16] },
  figure: {
    kind: "line",
    x: { field: "load_factor", title: "Space m/n", as: "reciprocal", scale: "log2" },
    metric: "restart_share",
    y: { title: "Builds that start again (%)", factor: 100, scale: "symlog" },
    facet: { field: "n", title: "Pairs" },
    paper: [{ table: "cuckoo", x: 0.8, value: 0.0056, where: { "params.functions": 4, n: 2 ** 25 } }],
  },
  notes:
    "Keys alone are built, by the table's functions, order and chain limits, because values decide nothing; the keys of all " +
    "builds are the same, their functions independent. Intervals are Wilson's. The chapter has no figure of this. It gives " +
    "0.56 % at 4 functions, 1.25n and 32 million pairs, and the smallest practical spaces (2.1n for 2, 1.1n for 3, 1.03n for 4, 1.02n for 5 functions). " +
    "smallest_space is the smallest, in steps of 0.005n, in which at most one of ten builds starts again, with chains up to " +
    "fifty times as long and odd numbers of slots. The number of slots matters: of m = 2^s · u slots the functions make little of " +
    "a key's upper bits if s is large, and keys with equal lower bits share all their places more often; two functions hardly " +
    "ever build a table of a power of two. n is a power of two here, and so is a large factor of 2.5n and of 1.25n. " +
    "Iterations are those of builds that ended. Software adapters count 20 builds.",
};
