/** Claims about the basic table: Alcantara et al., GPU Computing Gems 2011, sections 4.3 and 4.5.1. */
import type { Cause, Claim, Select } from "../../claims/claim.js";
import { faster, figureClaims } from "../figure-claims.js";

const SINGLE: Select = { table: "cuckoo", variant: "1.25n" };
const SINGLE_142: Select = { table: "cuckoo", variant: "1.42n" };
const TWO_LEVEL: Select = { table: "two-level" };
const SORTED: Select = { table: "radix-sort" };
const LARGEST = 2 ** 25;
/** Where "large inputs" begin; the text names no size. */
const LARGE = { from: 2 ** 22 };
/** The chapter's retrieval, without the early exit that is ours. */
const FOUR: Select = { table: "cuckoo", variant: "", params: { functions: 4 } };
const THREE: Select = { table: "cuckoo", variant: "", params: { functions: 3 } };

/** Where the single-level build falls behind the two-level one: atomic operations on device memory, and more with the size. */
const exchanges = (single: Select, times: number): Cause => ({
  text:
    "The single-level build exchanges in device memory, again for every eviction, the two-level one in workgroup memory: " +
    `it makes over ${times} times as many atomic operations on the table, which cost the more the less of it fits caches.`,
  checks: [
    {
      kind: "ratio",
      of: { ...single, n: LARGE, metric: "table_rmws" },
      over: { ...TWO_LEVEL, metric: "table_rmws" },
      by: ["n"],
      mean: "every",
      expect: { atLeast: times },
    },
    { kind: "trend", of: { ...single, n: LARGE }, over: TWO_LEVEL, by: ["n"], along: "n", expect: "falls" },
  ],
});

const insert = figureClaims("cuckoo/fig4.4-insert", "GTX 470", {
  rate: {
    text: "The table is built at around 250 million pairs per second.",
    paper: "250 M/s",
    check: { kind: "absolute", of: SINGLE, mean: "max", paper: { near: 250 }, unit: "M op/s", scales: "rate" },
  },
  "32m-time": {
    text: "A table of 32 million pairs is built in 130 ms.",
    paper: "130 ms",
    check: {
      kind: "absolute",
      of: { ...SINGLE, n: LARGEST, metric: "time" },
      mean: "median",
      paper: { near: 130e6 },
      unit: "ns",
      scales: "time",
    },
  },
  "two-level-small": {
    text: "For smaller inputs (here up to 2^20 pairs) the single-level table builds faster than the two-level one.",
    paper: "faster",
    check: faster({ ...SINGLE, n: { to: 2 ** 20 } }, TWO_LEVEL, ["n"]),
    cause: {
      text: "It does from 2^16 pairs on; below, its dispatches take nearly the same time whatever the number of pairs.",
      checks: [
        faster({ ...SINGLE, n: { from: 2 ** 16, to: 2 ** 20 } }, TWO_LEVEL, ["n"]),
        {
          kind: "ratio",
          of: { ...SINGLE, n: 2 ** 16, metric: "time" },
          over: { ...SINGLE, n: 2 ** 14, metric: "time" },
          mean: "every",
          expect: { atMost: 1.25 },
        },
      ],
    },
  },
  "two-level-large": {
    text: "For large inputs (here from 2^22 pairs) single-level and two-level tables build at similar rates.",
    paper: "similar",
    check: {
      kind: "ratio",
      of: { ...SINGLE, n: LARGE },
      over: TWO_LEVEL,
      by: ["n"],
      mean: "geometric",
      expect: { near: 1 },
    },
    cause: exchanges(SINGLE, 1.9),
  },
  "two-level-equal-space": {
    text: "With 1.42n space each, the single-level table builds faster than the two-level one at every size.",
    paper: "faster",
    check: faster(SINGLE_142, TWO_LEVEL, ["n"]),
    cause: exchanges(SINGLE_142, 1.6),
  },
  "sort-over-cuckoo": {
    text: "For large inputs (here from 2^22 pairs) radix sort is faster than building the single-level table.",
    paper: "faster",
    check: faster({ ...SORTED, n: LARGE }, SINGLE, ["n"]),
  },
  "sort-over-two-level": {
    text: "For large inputs (here from 2^22 pairs) radix sort is faster than building the two-level table.",
    paper: "faster",
    check: faster({ ...SORTED, n: LARGE }, TWO_LEVEL, ["n"]),
  },
  "two-level-crosses-sort": {
    text: "The two-level table builds faster than radix sort for small inputs and slower for large ones.",
    paper: "crosses",
    // Naming the load factor keeps it from being paired by: a sorted array has none.
    check: { kind: "crossing", of: { ...TWO_LEVEL, loadFactor: { to: 1 } }, over: SORTED, along: "n", from: "above" },
  },
});

const sortOn480 = figureClaims("cuckoo/fig4.4-insert", "GTX 480", {
  "sort-rate": {
    text: "Radix sort reaches 775 million pairs per second.",
    paper: "775 M/s",
    check: { kind: "absolute", of: SORTED, mean: "max", paper: { near: 775 }, unit: "M op/s", scales: "rate" },
  },
});

const retrieve = figureClaims("cuckoo/fig4.4-retrieve", "GTX 470", {
  "32m-time": {
    text: "All of 32 million pairs are retrieved in 66.8 ms.",
    paper: "66.8 ms",
    check: {
      kind: "absolute",
      of: { ...SINGLE, n: LARGEST, metric: "time" },
      mean: "median",
      paper: { near: 66.8e6 },
      unit: "ns",
      scales: "time",
    },
  },
  "lead-grows": {
    text: "The single-level table's lead over binary search grows with the number of pairs.",
    paper: "grows",
    check: { kind: "trend", of: SINGLE, over: SORTED, by: ["n"], along: "n", expect: "rises" },
  },
  "over-binary-search": {
    text: "For large inputs (here from 2^22 pairs) the single-level table retrieves faster than binary search.",
    paper: "faster",
    check: faster({ ...SINGLE, n: LARGE }, SORTED, ["n"]),
  },
  "two-level-over-binary-search": {
    text: "For large inputs (here from 2^22 pairs) the two-level table retrieves faster than binary search.",
    paper: "much faster",
    check: faster({ ...TWO_LEVEL, n: LARGE }, SORTED, ["n"]),
  },
  "binary-search-falls": {
    text: "For large inputs (here from 2^22 pairs) the rate of binary search falls as the input grows.",
    paper: "falls",
    check: { kind: "trend", of: { ...SORTED, n: LARGE }, along: "n", expect: "falls" },
  },
  "two-level": {
    text: "Above 16 K pairs the single-level table retrieves faster than the two-level one.",
    paper: "faster",
    check: faster({ ...SINGLE, n: { from: 2 ** 14 + 1 } }, TWO_LEVEL, ["n"]),
  },
  "two-level-small": {
    text: "Up to 16 K pairs the two-level table retrieves at least as fast as the single-level one.",
    paper: "not faster",
    check: faster({ ...TWO_LEVEL, n: { to: 2 ** 14 } }, SINGLE, ["n"]),
  },
  "two-level-probes": {
    text: "A retrieval from the two-level table takes fewer than three probes on average.",
    paper: "< 3",
    check: { kind: "value", of: { ...TWO_LEVEL, metric: "probes" }, mean: "max", expect: { atMost: 3 } },
  },
});

/** The chapter's construction limits how many pairs are found with few probes; ours does not. */
const FEW_PROBES: Cause = {
  text: "The time follows the probes, and ours finds a present key with fewer than 2 of its 3, so that absent keys add more.",
  checks: [
    { kind: "value", of: { ...TWO_LEVEL, positiveRatio: 1, metric: "probes" }, mean: "max", expect: { atMost: 2 } },
    { kind: "correlation", of: TWO_LEVEL, x: "probes", y: "time", expect: { atLeast: 0.99 } },
  ],
};

const misses = (
  [
    ["4-functions", "with four functions", FOUR, 20.5, 41.6, 2.03],
    ["3-functions", "with three functions", THREE, 19, 31.4, 1.65],
    ["two-level", "from the two-level table", TWO_LEVEL, 30, 33.7, 1.12],
  ] as const
).flatMap(([name, which, of, found, missed, growth]) => {
  const time = { ...of, metric: "time" };
  const took = (positiveRatio: number, ms: number) =>
    ({
      kind: "absolute",
      of: { ...time, positiveRatio },
      mean: "median",
      paper: { near: ms * 1e6 },
      unit: "ns",
      scales: "time",
    }) as const;
  return figureClaims("cuckoo/misses", "GTX 470", {
    [`${name}-found`]: {
      text: `10 million retrievals ${which} take ${found} ms if all keys are found.`,
      paper: `${found} ms`,
      check: took(1, found),
    },
    [`${name}-missed`]: {
      text: `10 million retrievals ${which} take ${missed} ms if no key is found.`,
      paper: `${missed} ms`,
      check: took(0, missed),
    },
    [`${name}-growth`]: {
      text: `Retrievals ${which} take ${growth} times as long if no key is found as if all are.`,
      paper: `${growth}×`,
      check: {
        kind: "ratio",
        of: { ...time, positiveRatio: 0 },
        over: { ...time, positiveRatio: 1 },
        mean: "median",
        expect: { near: growth },
      },
      ...(of === TWO_LEVEL ? { cause: FEW_PROBES } : {}),
    },
    [`${name}-linear`]: {
      text: `The time of retrievals ${which} rises linearly with the share of absent keys.`,
      paper: "linear",
      check: { kind: "correlation", of, x: "positive_ratio", y: "time", expect: { atMost: -0.99 } },
    },
  });
});

const smallestSpaces = (
  [
    [2, 2.1],
    [3, 1.1],
    [4, 1.03],
    [5, 1.02],
  ] as const
).flatMap(([functions, space]) =>
  figureClaims("cuckoo/restarts", "GTX 470", {
    [`smallest-${functions}`]: {
      text: `With ${functions} functions the smallest practical table has ${space}n slots.`,
      paper: `${space}n`,
      check: {
        kind: "value",
        of: { table: "cuckoo", params: { functions }, metric: "smallest_space" },
        mean: "max",
        expect: { near: space, within: 0.02 },
      },
    },
  }),
);

const BASE: Select = { table: "cuckoo", loadFactor: 0.8, params: { functions: 4 } };
const restarts = figureClaims("cuckoo/restarts", "GTX 470", {
  share: {
    text: "0.56 % of the builds of 32 million pairs restart, with 4 functions and 1.25n slots.",
    paper: "0.56 %",
    check: {
      kind: "value",
      of: { ...BASE, n: "last", metric: "restart_share" },
      mean: "median",
      expect: { near: 0.0056, within: 0.5 },
    },
  },
  iterations: {
    text: "The median insertion takes one or two iterations.",
    paper: "1–2",
    check: {
      kind: "value",
      of: { ...BASE, metric: "median_probes" },
      mean: "max",
      expect: { from: 1, to: 2, within: 0 },
    },
  },
});

export const claims: readonly Claim[] = [
  ...insert,
  ...sortOn480,
  ...retrieve,
  ...misses,
  ...smallestSpaces,
  ...restarts,
];
