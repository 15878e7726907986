/** Claims by size, of batches and of allocators: Ashkiani et al., IPDPS 2018, sections VI.A (figure 5), VI.B and V. */
import type { Cause, Check, Claim, Expectation, Mean, Select } from "../../claims/claim.js";
import { WITHIN } from "../../claims/rule.js";
import {
  ALIKE,
  absoluteTime,
  atLeast,
  atMost,
  each,
  faster,
  figureClaims,
  flat,
  MUCH_MORE,
  near,
  ratio,
} from "../figure-claims.js";
import { ALL, besideCuckoo, CUCKOO, instructions, NONE, rate, SLAB, speedUp, TILES } from "./checks.js";
import { SPEED_UPS } from "./fig6.js";

const GPU = "Tesla K40c";

/** Fewer operations leave a part of a large GPU idle, whichever table they are of. */
const FILLING = { n: { from: 2 ** 20 } };
const BUILDS_BY_SIZE = { of: FILLING, by: ["n"] };
const SEARCHES_BY_SIZE = { of: FILLING, by: ["n", "positive_ratio"] };
const SATURATED = { n: { from: 2 ** 20, to: 2 ** 24 } };
/** How much longer the searches take in one table than in another, of so many pairs. */
const longer = (queries: Select, n: number, than: number, expect: Expectation): Check =>
  ratio({ ...SLAB, ...queries, n }, { ...SLAB, ...queries, n: than }, "median", expect, {
    by: ["load_factor"],
    metric: "time",
  });
const idleLanes = (queries: Select): Cause => ({
  text:
    "It is from 2^20 queries on; fewer leave lanes of this GPU idle, which has more of them than a K40c: twice as many as 2^16 " +
    "take less than twice as long, and twice as many as 2^26 twice as long.",
  checks: [
    flat({ ...SLAB, ...queries, ...FILLING }, "n"),
    longer(queries, 2 ** 17, 2 ** 16, atMost(2)),
    longer(queries, 2 ** 27, 2 ** 26, near(2)),
  ],
});
/** The means over all sizes are of tables of 65 %. */
const SLAB_65: Select = { table: "slab-hash", variant: "65 %" };
const CUCKOO_65: Select = { table: "cuckoo", variant: "65 %" };

const sizes = [
  ...figureClaims("slab/fig5a", GPU, {
    cuckoo: {
      text: "Cuckoo builds 1.19 times as fast as the slab hash, by geometric mean over all sizes.",
      check: speedUp(CUCKOO_65, SLAB_65, "n", 1.19),
      cause: instructions("slab/fig5a", BUILDS_BY_SIZE, {
        text: "By tiles cuckoo's lead is no larger than the paper's.",
        check: ratio(CUCKOO, TILES, "geometric", atMost(1.19 * (1 + WITHIN.clock)), { by: ["n"] }),
      }),
    },
    "cuckoo-small": {
      text: "Cuckoo builds faster than the slab hash if the table is small (here: the smallest).",
      check: faster({ ...CUCKOO, n: "first" }, { ...SLAB, n: "first" }, ["n"]),
    },
    saturated: {
      text: "Between 2^20 and 2^24 pairs slab hash and cuckoo build roughly equally fast.",
      paper: "the same",
      check: speedUp({ ...SLAB, ...SATURATED }, { ...CUCKOO, ...SATURATED }, "n", 1),
      cause: instructions("slab/fig5a", BUILDS_BY_SIZE, {
        text: "By tiles it builds as fast as cuckoo, as in the paper.",
        check: speedUp({ ...TILES, ...SATURATED }, { ...CUCKOO, ...SATURATED }, "n", 1),
      }),
    },
    "slab-large": {
      text: "The slab hash builds very large tables (here: the largest) slower than those of 2^22 pairs.",
      paper: "slower",
      check: faster({ ...SLAB, n: 2 ** 22 }, { ...SLAB, n: "last" }, ["load_factor"]),
      cause: instructions("slab/fig5a", BUILDS_BY_SIZE),
    },
    "cuckoo-large": {
      text: "Cuckoo builds very large tables (here: the largest) slower than those of 2^22 pairs.",
      paper: "slower",
      check: faster({ ...CUCKOO, n: 2 ** 22 }, { ...CUCKOO, n: "last" }, ["load_factor"]),
    },
  }),
  ...(
    [
      ["all", "finds present keys", ALL, 861, 1.19],
      ["none", "rejects absent keys", NONE, 793, 0.94],
    ] as const
  ).flatMap(([name, does, queries, mean, factor]) =>
    figureClaims("slab/fig5b", GPU, {
      [name]: {
        text: `The slab hash ${does} at ${mean} million queries per second, by harmonic mean over all sizes.`,
        check: rate({ ...SLAB, ...queries }, "harmonic", mean),
      },
      [`${name}-flat`]: {
        text: `The rate at which the slab hash ${does} is relatively consistent over all sizes.`,
        check: flat({ ...SLAB, ...queries }, "n"),
        cause: idleLanes(queries),
      },
      [`cuckoo-${name}`]: {
        text: `Cuckoo ${does} ${factor} times as fast as the slab hash, by geometric mean over all sizes.`,
        check: speedUp({ ...CUCKOO_65, ...queries }, { ...SLAB_65, ...queries }, "n", factor),
        cause: besideCuckoo(SEARCHES_BY_SIZE, queries, "n", factor),
      },
    }),
  ),
];

/** Time of all batches so far; n: pairs so far. */
const TOTAL = { metric: "time" };
const K = 1024;
/** All pairs inserted at once, into a table of 60 % utilisation. */
const AT_ONCE: Select = { experiment: "slab/fig5a", op: "insert", n: 2 ** 21 };
const batches = (thousands: number, factor: number): Cause => {
  const params = { batch: thousands * K };
  const overOnce = (metric: string, expect: Expectation): Check =>
    ratio({ ...SLAB, metric, n: "last", params }, { ...SLAB, ...AT_ONCE, metric }, "median", expect, { by: ["n"] });
  return {
    text:
      "Such batches leave most of this GPU's lanes idle, and a warp does the operations of its 32 lanes one after another: four " +
      "batches of 32k take at least twice as long as one of 128k, and all batches longer than inserting all " +
      "pairs at once, which touches as many sectors. If batches took no longer than that, the slab hash by tiles would be " +
      "ahead by more than the paper's factor.",
    checks: [
      ratio({ n: "last", params: { batch: 32 * K } }, { params: { batch: 128 * K } }, "every", MUCH_MORE, {
        by: ["n"],
        ...SLAB,
        ...TOTAL,
      }),
      overOnce("time", atLeast(1)),
      overOnce("transactions", ALIKE),
      ratio({ ...CUCKOO, ...TOTAL, n: "last", params }, { ...TILES, ...AT_ONCE, ...TOTAL }, "median", atLeast(factor), {
        by: ["n"],
      }),
    ],
  };
};
const incremental = Object.entries(SPEED_UPS).flatMap(([key, factor]) => {
  const thousands = Number(key);
  const params = { batch: thousands * K };
  return figureClaims("slab/fig6", GPU, {
    [`batches-of-${thousands}k`]: {
      text: `Inserting 2 million pairs in batches of ${thousands}k is ${factor} times as fast as rebuilding cuckoo each time.`,
      check: ratio(CUCKOO, SLAB, "median", near(factor), { by: ["n"], ...TOTAL, params, n: "last" }),
      cause: batches(thousands, factor),
    },
  });
});

/** Searches in tables that an allocator serves, by SlabAlloc-light over SlabAlloc. */
const lightOver = (metric: string, byTiles: boolean, mean: Mean, expect: Expectation): Check => {
  const by = (allocator: string): Select => {
    return { table: "slab-hash", op: "find", metric, variant: `${allocator}${byTiles ? ", tiles" : ""}` };
  };
  return ratio(by("slab-alloc-light"), by("slab-alloc"), mean, expect, { by: ["n", "load_factor", "positive_ratio"] });
};
const LIGHT = near(1.25);
const allocation = figureClaims("slab/alloc", GPU, {
  rate: {
    text: "SlabAlloc hands out 600 million slabs of 128 bytes per second.",
    check: rate({ table: "slab-alloc", op: "allocate" }, "max", 600),
  },
  time: {
    text: "SlabAlloc hands out a million slabs in 1.8 ms.",
    check: absoluteTime({ table: "slab-alloc", op: "allocate", metric: "time" }, "median", near(1.8e6)),
  },
  ...each(
    [
      ["malloc", "CUDA's malloc takes 1.2 s for a million slabs.", 1.2e9],
      ["halloc", "Halloc takes 66 ms for a million slabs, 37 times as long as SlabAlloc.", 66e6],
    ] as const,
    ([name, text, ns]) => ({
      [name]: {
        text,
        check: absoluteTime({ table: "slab-alloc", op: "allocate", n: 2 ** 20, metric: "time" }, "median", near(ns)),
        incomparable: "Allocators of CUDA alone: WGSL has none. Ours is the time of SlabAlloc.",
      },
    }),
  ),
  light: {
    text: "SlabAlloc-light makes bulk searches up to 25 % faster than SlabAlloc.",
    check: lightOver("mops", false, "max", LIGHT),
    cause: {
      text:
        "By 32 lanes a search is bound by its instructions, to which the choice of a super block adds hardly any, and " +
        "no sector; by tiles, which wait for what they read, SlabAlloc-light is faster by as much as in the paper.",
      checks: [
        lightOver("warp_operations", false, "every", ALIKE),
        lightOver("transactions", false, "every", ALIKE),
        lightOver("mops", true, "max", LIGHT),
      ],
    },
  },
});

export const sizeClaims: readonly Claim[] = [...sizes, ...incremental, ...allocation];
