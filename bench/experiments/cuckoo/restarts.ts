import { SMALLEST_SPACE } from "../../../kernels/cuckoo/cuckoo.js";
import type { Experiment, Series } from "../../base/experiment.js";
import { rounded } from "../../base/format.js";

/** Slots a pair that are measured, by number of functions: from the smallest that the table takes. */
const SPACES: Readonly<Record<number, readonly number[]>> = {
  2: [2.1, 2.2, 2.5, 3],
  3: [1.1, 1.15, 1.25, 1.42],
  4: [1.03, 1.05, 1.1, 1.25, 1.42],
  5: [1.02, 1.05, 1.1, 1.25],
};
/** At the chapter's own setting, where few builds could not distinguish its 0.56 % from 0, and elsewhere. */
const BUILDS_BASE = 10_000;
const BUILDS = 100;
const BUILDS_SEARCH = 100;

/**
 * The load factor next to the chapter's that gives odd numbers of slots: if n is a power of two, 1.25n has a large power of
 * two as a factor.
 */
const ODD_SLOTS = 0.799995;

const byFunctions = Object.entries(SPACES).map(([key, spaces]) => {
  const functions = Number(key);
  const own = { table: "cuckoo", label: `${functions} functions`, bench: "restarts" };
  return { functions, spaces, own };
});

const shares: readonly Series[] = byFunctions.flatMap(({ functions, spaces, own }) =>
  spaces.flatMap((space) => {
    const base = functions === 4 && space === 1.25;
    const loadFactor = rounded(1 / space, 6);
    const params = { functions, builds: base ? BUILDS_BASE : BUILDS };
    const odd = {
      ...own,
      variant: "odd",
      label: `${own.label}, an odd number of slots`,
      loadFactor: ODD_SLOTS,
      // So many builds of more pairs would take too long.
      maxN: 2 ** 21,
      params,
    };
    return [{ ...own, loadFactor, params }, ...(base ? [odd] : [])];
  }),
);
const smallest: readonly Series[] = byFunctions.map(({ functions, own }) => {
  const params = { functions, builds: BUILDS_SEARCH };
  return { ...own, variant: "smallest", label: `${own.label}, smallest space`, maxN: 2 ** 20, params };
});

const published = Object.entries(SMALLEST_SPACE).map(([functions, space]) => `${space}n for ${functions}`);

export const restarts: Experiment = {
  id: "cuckoo/restarts",
  section: "4.3.1.1",
  title: "Builds that have to start again",
  setting:
    "Unique random keys, 2 to 5 hash functions drawn anew for each build; chain limit 7 lg n at 4 functions and 1.25n",
  series: [...shares, ...smallest],
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
    `0.56 % at 4 functions, 1.25n and 32 million pairs, and the smallest practical spaces (${published.join(", ")} functions). ` +
    "smallest_space is the smallest, in steps of 0.005n, in which at most one of ten builds starts again, with chains up to " +
    "fifty times as long and odd numbers of slots. The number of slots matters: of m = 2^s · u slots the functions make little of " +
    "a key's upper bits if s is large, and keys with equal lower bits share all their places more often; two functions hardly " +
    "ever build a table of a power of two. n is a power of two here, and so is a large factor of 2.5n and of 1.25n. " +
    "Iterations are those of builds that ended. Software adapters count 20 builds.",
};
