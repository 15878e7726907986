/** Claims about the performance model, the hash join and the parts of GPH: Cao et al., SIGMOD 2025, sections 7.2 to 7.4. */
import type { Cause, Check, Claim, Range, Select } from "../../claims/claim.js";
import {
  ALIKE,
  absoluteRate,
  atLeast,
  atMost,
  crossing,
  each,
  falls,
  faster,
  figureClaims,
  flat,
  near,
  peak,
  ratio,
  rises,
  value,
} from "../figure-claims.js";
import { BLOCKS, CYCLES, GPH, OCCUPANCY, OTHERS, oneRequest, RATIO, TABLE_SIZE } from "./causes.js";
import { notProfiled } from "./claims.js";

const GPU = "Tesla V100S";
const average = (of: Select, share: number): Check => value(of, "arithmetic", near(share));

/** What holds along both axes: table size (a, c) and share of present keys (b, d). */
const alongBoth = (
  [
    ["fig11a", "fig11c", TABLE_SIZE, "table size"],
    ["fig11b", "fig11d", RATIO, "share of present keys"],
  ] as const
).flatMap(([occupancy, cycles, axis, what]) => [
  ...figureClaims(`gph/${occupancy}`, GPU, {
    gph: {
      text: `GPH's occupancy is almost 100 % at every ${what} (stand-in: balance).`,
      paper: "≈ 100 %",
      check: value({ ...GPH, ...OCCUPANCY }, "every", near(1)),
    },
    "cuckoo-over-warpcore": {
      text: `WarpCore's occupancy is below CUDPP's at every ${what} (stand-in: balance).`,
      paper: "lowest",
      check: faster({ table: "cuckoo", ...OCCUPANCY }, { table: "warpcore", ...OCCUPANCY }, [axis]),
    },
    "dycuckoo-over-warpcore": {
      text: `WarpCore's occupancy is below DyCuckoo's at every ${what} (stand-in: balance).`,
      paper: "lowest",
      check: faster({ table: "dycuckoo", ...OCCUPANCY }, { table: "warpcore", ...OCCUPANCY }, [axis]),
    },
  }),
  ...figureClaims(`gph/${cycles}`, GPU, {
    gph: {
      text: `GPH executes 140 billion cycles at every ${what} (stand-in: transactions).`,
      paper: "140 G",
      check: average({ ...GPH, ...CYCLES }, 140e9),
      incomparable: notProfiled("transactions"),
    },
    "gph-flat": {
      text: `GPH's executed cycles do not depend on the ${what} (stand-in: transactions).`,
      check: flat({ ...GPH, ...CYCLES }, axis),
    },
  }),
  ...OTHERS.flatMap(([table, name]) => [
    ...figureClaims(`gph/${occupancy}`, GPU, {
      [`gph-over-${table}`]: {
        text: `GPH's occupancy is above ${name}'s at every ${what} (stand-in: balance).`,
        paper: "highest",
        check: faster({ ...GPH, ...OCCUPANCY }, { table, ...OCCUPANCY }, [axis]),
      },
    }),
    ...figureClaims(`gph/${cycles}`, GPU, {
      [`gph-below-${table}`]: {
        text: `GPH executes fewer cycles than ${name} at every ${what} (stand-in: transactions).`,
        paper: "fewest",
        check: faster({ table, ...CYCLES }, { ...GPH, ...CYCLES }, [axis]),
        cause:
          table === "dycuckoo" ? undefined : oneRequest(table, name, table === "cuckoo" ? "one sector" : "two sectors"),
      },
    }),
  ]),
]);

/** Why DyCuckoo reads as much in small tables as in large ones. */
const BOTH_BUCKETS: Cause = {
  text: "A lookup reads one of its two buckets or both, by where its key is and not by how full they are: 1.5 where half of the keys are present.",
  checks: [average({ table: "dycuckoo", metric: "block_requests" }, 1.5)],
};
const DYCUCKOO: Select = { table: "dycuckoo", ...OCCUPANCY };
const CUDPP: Select = { table: "cuckoo", ...OCCUPANCY };
const occupancy = [
  ...figureClaims("gph/fig11a", GPU, {
    dycuckoo: {
      text: "DyCuckoo's occupancy is around 86 % (stand-in: balance).",
      check: average(DYCUCKOO, 0.86),
    },
    "cuckoo-falls": {
      text: "CUDPP's occupancy falls as its table grows (stand-in: balance).",
      paper: "falls",
      check: rises(CUDPP, TABLE_SIZE),
    },
  }),
  ...figureClaims("gph/fig11b", GPU, {
    "cuckoo-falls": {
      text: "CUDPP's occupancy falls as the share of present keys rises (stand-in: balance).",
      check: falls(CUDPP, RATIO),
    },
    ...each([0.5, 0.75], (mixed) =>
      each([0, 1], (pure) => ({
        [`dycuckoo-${100 * mixed}-below-${100 * pure}`]: {
          text: `DyCuckoo's occupancy is lower with ${100 * mixed} % present keys than with ${100 * pure} % (stand-in: balance).`,
          paper: "lower",
          check: faster({ ...DYCUCKOO, positiveRatio: pure }, { ...DYCUCKOO, positiveRatio: mixed }, [TABLE_SIZE]),
        },
      })),
    ),
  }),
  ...Object.entries({ cuckoo: "CUDPP", dycuckoo: "DyCuckoo" }).flatMap(([table, name]) => [
    ...figureClaims("gph/fig11c", GPU, {
      [`${table}-small`]: {
        text: `${name} executes the more cycles, the smaller its table is (stand-in: transactions).`,
        paper: "falls",
        check: rises({ table, ...CYCLES }, TABLE_SIZE),
        cause: table === "dycuckoo" ? BOTH_BUCKETS : undefined,
      },
    }),
    ...figureClaims("gph/fig11d", GPU, {
      [`${table}-absent`]: {
        text: `${name} executes the more cycles, the more keys are absent (stand-in: transactions).`,
        check: falls({ table, ...CYCLES }, RATIO),
      },
    }),
  ]),
];

/** Joins read the cell index through the cache. */
const JOIN: Select = { table: "gph", variant: "cache" };
const PROBES = "params.probeRatio";
/** Lookups that take as long as an insertion: if probing as many rows as are built takes 6 % and building 94 %. */
const INSERTION = Number((0.94 / 0.06).toPrecision(3));
const share = (probeRatio: number, value: number) =>
  average({ ...JOIN, params: { probeRatio }, metric: "build_share" }, value);
const join = [
  ...figureClaims("gph/fig12a", GPU, {
    "gain-grows": {
      text: "The gain of the join with GPH over Crystal's own grows with the size of the probed relation.",
      paper: "grows",
      check: rises(JOIN, PROBES, { over: { table: "crystal" }, by: [PROBES] }),
    },
    "break-even": {
      text: "The join with GPH overtakes Crystal's own at roughly 8 lookups for an insertion.",
      paper: "8",
      check: crossing(JOIN, { table: "crystal" }, PROBES, "below", { expect: near(8) }),
      cause: {
        text: "By the median, probing takes no less time with GPH than by linear probing in a table half full: at this device's limits, too, GPH's block of 128 bytes takes longer to read than a sector.",
        checks: [
          ratio(JOIN, { table: "crystal" }, "median", atLeast(1), { by: [PROBES], metric: "probe_time" }),
          BLOCKS,
        ],
      },
    },
  }),
  ...figureClaims("gph/fig12b", GPU, {
    "share-1": {
      text: "Building takes 94 % of the join with GPH if both relations are equally large.",
      check: share(1, 0.94),
    },
    "share-64": {
      text: "Building takes 20 % of the join with GPH if the probed relation is 64 times as large.",
      check: share(64, 0.2),
      cause: {
        text: `By both of the paper's shares an insertion takes as long as ${Math.round(INSERTION)} lookups; here it takes as long as fewer, so that the share is smaller at every size.`,
        checks: [
          ratio({ ...JOIN, metric: "build_time" }, { ...JOIN, metric: "probe_time" }, "median", atMost(INSERTION), {
            by: [PROBES],
            params: { probeRatio: 1 },
          }),
        ],
      },
    },
    falls: {
      text: "The share of building falls as the probed relation grows.",
      check: falls({ ...JOIN, metric: "build_share" }, PROBES),
    },
  }),
];

const design = (requester: boolean, perfect: boolean, params: Select["params"] = {}): Select => ({
  table: "gph",
  params: { requester, perfect, ...params },
});
const oneSector: Cause = {
  text: "Of buckets of 4 slots, which are one sector, a second one costs no more than perfect hashing.",
  checks: [
    ratio(design(false, true, { M: 4 }), design(false, false, { M: 4 }), "median", atMost(1), { by: ["params.M"] }),
  ],
};
/** With the cell index in the cache. */
const cachedSlots = (params: Select["params"] = {}): Select => ({ table: "gph", variant: "off/on, cache", params });
const few =
  "The cell index in the memory of workgroups leaves a multiprocessor room for few lanes, and without the requester a lane waits for one slot after another";
const fewLanes = (only: Select["params"]): Cause => ({
  text: `${few}. With the index in the cache lookups are faster with perfect hashing.`,
  checks: [
    ratio(cachedSlots(only), design(false, true, only), "every", atLeast(1), { by: ["params.g"] }),
    ratio(cachedSlots(only), design(false, false, only), "every", atLeast(1), { by: ["params.g"] }),
  ],
});
const designs = [
  ...(
    [
      // The paper calls two lanes "this extreme case": its axis has no single lane.
      ["fig13a", "params.g", "group size from two lanes on", { g: [2, 4, 8, 16] }],
      ["fig13b", "params.M", "bucket size", {}],
    ] as const
  ).flatMap(([figure, axis, what, only]) =>
    figureClaims(`gph/${figure}`, GPU, {
      requester: {
        text: `With perfect hashing, lookups are faster with the bucket requester than without, at every ${what}.`,
        paper: "on/on > off/on",
        check: faster(design(true, true, only), design(false, true, only), [axis]),
      },
      perfect: {
        text: `Without the bucket requester, lookups are faster with perfect hashing than without, at every ${what}.`,
        paper: "off/on > off/off",
        check: faster(design(false, true, only), design(false, false, only), [axis]),
        cause: figure === "fig13b" ? oneSector : fewLanes(only),
      },
    }),
  ),
  ...figureClaims("gph/fig13a", GPU, {
    best: {
      text: "The bucket requester improves lookups most with groups of 4 lanes.",
      paper: "4",
      check: peak(design(true, true), "params.g", near(4), { over: design(false, true), by: ["params.g"] }),
      cause: {
        text:
          "With it, too, lookups are fastest with groups of 4 lanes. But with the cell index in the memory of workgroups those without it are the " +
          "slower, the more lanes a group has; with the index in the cache they are not.",
        checks: [
          peak(design(true, true), "params.g", near(4)),
          falls(design(false, true), "params.g"),
          rises(cachedSlots(), "params.g"),
        ],
      },
    },
    "two-low": {
      text: "With the bucket requester, lookups are slower with groups of 2 lanes than with groups of 4.",
      paper: "low",
      check: ratio(design(true, true, { g: 2 }), design(true, true, { g: 4 }), "median", atMost(1)),
    },
  }),
  ...figureClaims("gph/fig13b", GPU, {
    "8-like-16": {
      text: "With the bucket requester, buckets of 8 and of 16 slots are looked up alike.",
      paper: "similar",
      check: ratio(design(true, true, { M: 8 }), design(true, true, { M: 16 }), "median", ALIKE),
    },
  }),
];

/** The paper's 70 %, as two digits tell it. */
const SEVENTY = { from: 0.695, to: 0.705 };
/** Why GPH is not the slower one in emptier tables. */
const fewerOverflows = (table: string, name: string): Cause => ({
  text: `The emptier the table, the fewer pairs come to a full bucket and are moved: GPH's insertions, of random keys, make fewer atomic operations and read fewer sectors, and gain on ${name}'s.`,
  checks: [
    rises({ ...GPH, dataset: "random", metric: "overflow_share" }, TABLE_SIZE),
    falls({ ...GPH, dataset: "random" }, TABLE_SIZE, { over: { table, dataset: "random" }, by: [TABLE_SIZE] }),
    rises({ ...GPH, dataset: "random", metric: "table_rmws" }, TABLE_SIZE),
    rises({ ...GPH, dataset: "random", metric: "table_reads" }, TABLE_SIZE),
  ],
});
/** Of a cell. */
const VIRTUAL_BUCKETS = 8;
/** 100 million pairs of 8 bytes in 2 GB. */
const LOWEST = 0.372;
const RELOCATIONS = Math.floor(1 / (1 - LOWEST) ** VIRTUAL_BUCKETS);
const refusedAt = (loadFactor: Range): Select => ({ ...GPH, metric: "refused_share", loadFactor });

const inserts = [
  ...figureClaims("gph/fig14", GPU, {
    ...each(OTHERS, ([table, name]) => ({
      [`${table}-over-gph`]: {
        text: `GPH inserts slower than ${name} for every data set and table size.`,
        paper: "slowest",
        check: faster({ table }, GPH, ["dataset", TABLE_SIZE]),
        cause: fewerOverflows(table, name),
      },
    })),
    rate: {
      text: "GPH inserts over 100 million pairs per second for every data set and table size.",
      paper: "> 100 M/s",
      check: absoluteRate(GPH, "min", atLeast(100)),
    },
    "refused-few": {
      text: "The probability that an insertion fails is smaller than 0.5 % (6.2; here: up to its load factor of 70 %).",
      paper: "< 0.5 %",
      check: value(refusedAt({ to: SEVENTY.to }), "max", atMost(0.005)),
    },
    relocations: {
      text: `An insertion relocates O(1/(1 − α)^R) pairs, α being the load factor (Theorem 6.1; here, of random keys: fewer atomic operations than ${RELOCATIONS}, the bound at the lowest α).`,
      paper: `≤ ${RELOCATIONS}`,
      check: value({ ...GPH, dataset: "random", metric: "table_rmws" }, "max", atMost(RELOCATIONS)),
    },
    "refused-at-70": {
      text: "At a load factor of 70 % an insertion fails with a probability of 0.00539 % (6.2).",
      check: value(refusedAt(SEVENTY), "median", near(5.39e-5)),
      incomparable:
        "The paper computes that more keys of a cell come together than R buckets hold; ours are pairs that a table refused, as no " +
        "mapping and offset of 8 bits had room. Its data set is the one that fills a table so far.",
    },
  }),
  ...(
    [
      ["virtual-buckets", "params.R", "virtual buckets a cell has"],
      ["bucket-slots", "params.M", "slots a bucket has"],
    ] as const
  ).flatMap(([name, along, what]) =>
    figureClaims("gph/fig15a", GPU, {
      [name]: {
        text: `The load factor that GPH reaches depends on how many ${what} (here: more of them, more pairs).`,
        paper: "depends",
        check: rises({ ...GPH, metric: "load_factor_reached" }, along),
      },
    }),
  ),
  ...(
    [
      [4, 1.468, "4-byte pairs insert 46.8 % faster than 8-byte pairs.", "+46.8 %"],
      [16, 0.616, "16-byte pairs insert 38.4 % slower than 8-byte pairs.", "−38.4 %"],
    ] as const
  ).flatMap(([pairBytes, factor, text, paper]) =>
    figureClaims("gph/fig15b", GPU, {
      [`${pairBytes}-bytes`]: {
        text: `On average ${text}`,
        paper,
        check: ratio({ params: { pairBytes } }, { params: { pairBytes: 8 } }, "geometric", near(factor), {
          by: ["dataset"],
          ...GPH,
        }),
      },
    }),
  ),
  ...figureClaims("gph/fig15c", GPU, {
    skew: {
      text: "GPH inserts the faster, the more skewed the keys are.",
      check: rises(GPH, "params.skew"),
      cause: {
        text:
          "As in the paper fewer buckets are read and fewer atomic operations made, the more skewed the keys are; but from s = 1 on keys that repeat meet " +
          "at the same time: there it is slower than at s = 0, and at s = 4 faster than at s = 1.",
        checks: [
          falls({ ...GPH, metric: "table_reads" }, "params.skew"),
          falls({ ...GPH, metric: "table_rmws" }, "params.skew"),
          ratio({ params: { skew: 1 } }, { params: { skew: 0 } }, "median", atMost(1), { by: [], ...GPH }),
          ratio({ params: { skew: 4 } }, { params: { skew: 1 } }, "median", atLeast(1), { by: [], ...GPH }),
        ],
      },
    },
  }),
];

export const analysisClaims: readonly Claim[] = [...alongBoth, ...occupancy, ...join, ...designs, ...inserts];
