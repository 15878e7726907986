/** Claims of the bulk and incremental benchmarks: Ashkiani et al., IPDPS 2018, sections VI.A, VI.B and V. */
import type { Cause, Check, Claim, Expectation, Select } from "../../claims/claim.js";
import { faster, figureClaims } from "../figure-claims.js";
import { dropAt65, instructions, SLAB } from "./checks.js";

const GPU = "Tesla K40c";
const CUCKOO: Select = { table: "cuckoo" };
const ALL = { positiveRatio: 1 };
const NONE = { positiveRatio: 0 };
/** The load factor is the memory utilisation: bytes of pairs / all bytes of the table. */
const UTILISATION = "load_factor";
const around = (value: number) => ({ from: value - 0.02, to: value + 0.02 });

const rate = (of: Select, mean: "max" | "harmonic", near: number): Check => ({
  kind: "absolute",
  of,
  mean,
  paper: { near },
  unit: "M op/s",
  scales: "rate",
});
const speedUp = (of: Select, over: Select, by: string, near: number): Check => ({
  kind: "ratio",
  of,
  over,
  by: [by],
  mean: "geometric",
  expect: { near },
});
const bestRange = (of: Select): Check => ({
  kind: "peak",
  of,
  along: UTILISATION,
  expect: { from: 0.19, to: 0.6, within: 0.02 },
});
const slabCount = (utilisation: number, expect: Expectation): Check => ({
  kind: "value",
  of: { ...SLAB, loadFactor: around(utilisation), metric: "average_slab_count" },
  mean: "median",
  expect,
});

const BUILDS = instructions("slab/fig5a", {}, [UTILISATION]);
const build = figureClaims("slab/fig4a", GPU, {
  peak: {
    text: "The slab hash builds at up to 512 million pairs per second.",
    paper: "512 M/s",
    check: rate(SLAB, "max", 512),
  },
  best: {
    text: "The slab hash builds fastest somewhere between 19 and 60 % memory utilisation.",
    paper: "19–60 %",
    check: bestRange(SLAB),
  },
  "best-low-count": {
    text: "A utilisation of 19 % means 0.2 slabs a bucket on average.",
    paper: "0.2 slabs",
    check: slabCount(0.2, { near: 0.2 }),
  },
  "best-high-count": {
    text: "A utilisation of 60 % means 0.7 slabs a bucket on average.",
    paper: "0.7 slabs",
    check: slabCount(0.6, { near: 0.7 }),
  },
  drop: {
    text: "The build rate of the slab hash drops suddenly at about 65 % utilisation.",
    paper: "65 %",
    check: dropAt65(SLAB),
  },
  "drop-count": {
    text: "With 0.9 to 1.1 slabs a bucket on average, where the rate drops, the utilisation is about 65 % (here: 1.07 slabs).",
    paper: "65 %",
    check: {
      kind: "value",
      of: { table: "slab-hash", experiment: "slab/fig4c", params: { buckets: 2 ** 18 }, metric: "memory_utilisation" },
      mean: "median",
      expect: { near: 0.65, within: 0.05 },
    },
  },
  cuckoo: {
    text: "Cuckoo builds 1.33 times as fast as the slab hash, by geometric mean over all utilisations.",
    paper: "1.33×",
    check: speedUp(CUCKOO, SLAB, UTILISATION, 1.33),
    cause: BUILDS,
  },
  "over-cuckoo": {
    text: "At 65 % utilisation the slab hash builds marginally faster than cuckoo.",
    paper: "marginally",
    check: {
      kind: "ratio",
      of: { ...SLAB, loadFactor: around(0.65) },
      over: CUCKOO,
      by: [UTILISATION],
      mean: "geometric",
      expect: { from: 1, to: 1.1, within: 0 },
    },
    cause: BUILDS,
  },
});

const SEARCHES = instructions("slab/fig5b", {}, [UTILISATION, "positive_ratio"]);
const search = figureClaims("slab/fig4b", GPU, {
  peak: {
    text: "The slab hash answers up to 937 million queries per second.",
    paper: "937 M/s",
    check: rate(SLAB, "max", 937),
  },
  best: {
    text: "The slab hash searches fastest somewhere between 19 and 60 % memory utilisation.",
    paper: "19–60 %",
    check: bestRange({ ...SLAB, ...ALL }),
  },
  "drop-all": {
    text: "The rate of searches for present keys in the slab hash drops suddenly at about 65 % utilisation.",
    paper: "65 %",
    check: dropAt65({ ...SLAB, ...ALL }),
  },
  "drop-none": {
    text: "The rate of searches for absent keys in the slab hash drops suddenly at about 65 % utilisation.",
    paper: "65 %",
    check: dropAt65({ ...SLAB, ...NONE }),
  },
  "cuckoo-all": {
    text: "Cuckoo finds present keys 2.08 times as fast as the slab hash, by geometric mean over all utilisations.",
    paper: "2.08×",
    check: speedUp({ ...CUCKOO, ...ALL }, { ...SLAB, ...ALL }, UTILISATION, 2.08),
    cause: SEARCHES,
  },
  "cuckoo-none": {
    text: "Cuckoo rejects absent keys 2.04 times as fast as the slab hash, by geometric mean over all utilisations.",
    paper: "2.04×",
    check: speedUp({ ...CUCKOO, ...NONE }, { ...SLAB, ...NONE }, UTILISATION, 2.04),
    cause: SEARCHES,
  },
  "over-cuckoo-none": {
    text: "Between 45 and 65 % utilisation the slab hash rejects absent keys 1.1 times as fast as cuckoo.",
    paper: "1.1×",
    check: speedUp(
      { ...SLAB, ...NONE, loadFactor: { from: 0.45, to: 0.65 } },
      { ...CUCKOO, ...NONE },
      UTILISATION,
      1.1,
    ),
    cause: SEARCHES,
  },
});

const utilisation = figureClaims("slab/fig4c", GPU, {
  most: {
    text: "The slab hash reaches at most about 94 % memory utilisation.",
    paper: "94 %",
    check: {
      kind: "value",
      of: { table: "slab-hash", metric: "memory_utilisation" },
      mean: "max",
      expect: { near: 0.94, within: 0.02 },
    },
  },
});

/** Fewer operations leave a part of a large GPU idle, whoever does them. */
const FILLING = { n: { from: 2 ** 20 } };
const BUILDS_BY_SIZE = instructions("slab/fig5a", FILLING, ["n"]);
const SEARCHES_BY_SIZE = instructions("slab/fig5b", FILLING, ["n", "positive_ratio"]);
const SATURATED = { n: { from: 2 ** 20, to: 2 ** 24 } };
const sizes = [
  ...figureClaims("slab/fig5a", GPU, {
    cuckoo: {
      text: "Cuckoo builds 1.19 times as fast as the slab hash, by geometric mean over all sizes.",
      paper: "1.19×",
      check: speedUp(CUCKOO, SLAB, "n", 1.19),
      cause: BUILDS_BY_SIZE,
    },
    "cuckoo-small": {
      text: "Cuckoo builds faster than the slab hash if the table is small (here: the smallest).",
      paper: "faster",
      check: faster({ ...CUCKOO, n: "first" }, { ...SLAB, n: "first" }, ["n"]),
    },
    saturated: {
      text: "Between 2^20 and 2^24 pairs slab hash and cuckoo build roughly equally fast.",
      paper: "the same",
      check: speedUp({ ...SLAB, ...SATURATED }, { ...CUCKOO, ...SATURATED }, "n", 1),
      cause: BUILDS_BY_SIZE,
    },
    "slab-large": {
      text: "The slab hash builds very large tables (here: the largest) slower than those of 2^22 pairs.",
      paper: "slower",
      check: faster({ ...SLAB, n: 2 ** 22 }, { ...SLAB, n: "last" }, ["load_factor"]),
      cause: BUILDS_BY_SIZE,
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
        paper: `${mean} M/s`,
        check: rate({ ...SLAB, ...queries }, "harmonic", mean),
      },
      [`${name}-flat`]: {
        text: `The rate at which the slab hash ${does} is relatively consistent over all sizes (here ± 25 %).`,
        paper: "flat",
        check: { kind: "trend", of: { ...SLAB, ...queries }, along: "n", expect: "flat", tolerance: 0.25 },
        cause: {
          text: "It is from 2^19 queries on; fewer leave a part of this GPU idle, whose multiprocessors hold more lanes than a K40c's.",
          checks: [
            {
              ...{ kind: "trend", of: { ...SLAB, ...queries, n: { from: 2 ** 19 } }, along: "n" },
              ...{ expect: "flat", tolerance: 0.25 },
            },
          ],
        },
      },
      [`cuckoo-${name}`]: {
        text: `Cuckoo ${does} ${factor} times as fast as the slab hash, by geometric mean over all sizes.`,
        paper: `${factor}×`,
        check: speedUp({ ...CUCKOO, ...queries }, { ...SLAB, ...queries }, "n", factor),
        cause: SEARCHES_BY_SIZE,
      },
    }),
  ),
];

/** Time of all batches so far; n: pairs so far. */
const TOTAL = { metric: "time" };
const FEW_LANES: Cause = {
  text:
    "Such batches leave most of this GPU idle: a warp does the operations of its 32 lanes one after another, and four batches of " +
    "32k take at least twice as long as one of 128k.",
  checks: [
    {
      kind: "ratio",
      of: { ...SLAB, ...TOTAL, n: "last", params: { batch: 32 * 1024 } },
      over: { ...SLAB, ...TOTAL, params: { batch: 128 * 1024 } },
      by: ["n"],
      mean: "every",
      expect: { atLeast: 2 },
    },
  ],
};
const incremental = (
  [
    [32, 17.3],
    [64, 10.4],
    [128, 6.4],
  ] as const
).flatMap(([thousands, factor]) => {
  const params = { batch: thousands * 1024 };
  return figureClaims("slab/fig6", GPU, {
    [`batches-of-${thousands}k`]: {
      text: `Inserting 2 million pairs in batches of ${thousands}k is ${factor} times as fast as rebuilding cuckoo each time.`,
      paper: `${factor}×`,
      check: {
        kind: "ratio",
        of: { ...CUCKOO, ...TOTAL, params, n: "last" },
        over: { ...SLAB, ...TOTAL, params, n: "last" },
        by: ["n"],
        mean: "median",
        expect: { near: factor },
      },
      cause: FEW_LANES,
    },
  });
});

const allocation = figureClaims("slab/alloc", GPU, {
  rate: {
    text: "SlabAlloc hands out 600 million slabs of 128 bytes per second.",
    paper: "600 M/s",
    check: rate({ table: "slab-alloc", op: "allocate" }, "max", 600),
  },
  time: {
    text: "SlabAlloc hands out a million slabs in 1.8 ms.",
    paper: "1.8 ms",
    check: {
      kind: "absolute",
      of: { table: "slab-alloc", op: "allocate", metric: "time" },
      mean: "median",
      paper: { near: 1.8e6 },
      unit: "ns",
      scales: "time",
    },
  },
  light: {
    text: "SlabAlloc-light makes bulk searches up to 25 % faster than SlabAlloc.",
    paper: "1.25×",
    check: {
      kind: "ratio",
      of: { table: "slab-hash", variant: "slab-alloc-light", op: "find" },
      over: { table: "slab-hash", variant: "slab-alloc", op: "find" },
      by: ["n", "load_factor", "positive_ratio"],
      mean: "max",
      expect: { near: 1.25, within: 0.1 },
    },
  },
});

export const claims: readonly Claim[] = [...build, ...search, ...utilisation, ...sizes, ...incremental, ...allocation];
