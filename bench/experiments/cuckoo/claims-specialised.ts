/** Claims about compacting and multivalue tables and the limits: Alcantara et al., GPU Computing Gems 2011, 4.5.2 and 4.5.3. */
import type { Check, Claim, Select } from "../../claims/claim.js";
import { faster, figureClaims } from "../figure-claims.js";

const MULTIPLICITY = "params.multiplicity";
const COMPACTING: Select = { table: "cuckoo-compacting" };
const COMPACTING_TWO: Select = { table: "two-level-compacting" };
const COMPACTED: Select = { table: "sorted-compacting" };
const MULTI: Select = { table: "cuckoo-multivalue" };
const MULTI_TWO: Select = { table: "two-level-multivalue" };
const MULTI_SORTED: Select = { table: "sorted-multivalue" };

const compacting = (
  [
    ["cuckoo", "single-level", COMPACTING],
    ["two-level", "two-level", COMPACTING_TWO],
  ] as const
).flatMap(([name, which, of]) =>
  figureClaims("cuckoo/fig4.5-build", "GTX 470", {
    [`${name}-unique`]: {
      text: `Without repetition the ${which} compacting table builds slower than the sorted structure.`,
      paper: "slower",
      check: faster({ ...COMPACTED, params: { multiplicity: 1 } }, of, [MULTIPLICITY]),
    },
    [`${name}-gap`]: {
      text: `The ${which} compacting table's lag behind the sorted structure's build is largest without repetition.`,
      paper: "1",
      check: {
        ...{ kind: "peak", of: COMPACTED, over: of, by: [MULTIPLICITY], along: MULTIPLICITY },
        expect: { near: 1, within: 0.1 },
      },
    },
    [`${name}-all`]: {
      text: `The ${which} compacting table builds slower than the sorted structure at every multiplicity.`,
      paper: "slower",
      check: faster(COMPACTED, of, [MULTIPLICITY]),
    },
    [`${name}-drop`]: {
      text: `The build time of the ${which} compacting table drops sharply once keys repeat.`,
      paper: "drops at 1",
      check: {
        kind: "drop",
        of: { ...of, metric: "time" },
        along: MULTIPLICITY,
        expect: { from: 1, to: 2, within: 0 },
      },
    },
  }),
);

const specialised = [
  ...compacting,
  ...figureClaims("cuckoo/fig4.5-build", "GTX 470", {
    "over-two-level": {
      text: "The single-level compacting table builds faster than the two-level one at every multiplicity.",
      paper: "faster",
      check: faster(COMPACTING, COMPACTING_TWO, [MULTIPLICITY]),
    },
  }),
  ...figureClaims("cuckoo/fig4.5-retrieve", "GTX 470", {
    "over-two-level": {
      text: "The single-level compacting table retrieves faster than the two-level one at every multiplicity.",
      paper: "faster",
      check: faster(COMPACTING, COMPACTING_TWO, [MULTIPLICITY]),
    },
    "total-crosses": {
      text: "Build and retrieval together are faster than the sorted structure's until a key occurs 512 times on average.",
      paper: "512",
      check: {
        kind: "crossing",
        // Naming the load factor keeps it from being paired by: a sorted list has none.
        of: { ...COMPACTING, loadFactor: { to: 1 }, metric: "build_find_time" },
        over: { ...COMPACTED, metric: "build_find_time" },
        along: MULTIPLICITY,
        from: "below",
        expect: { near: 512 },
      },
      cause: {
        text: "Binary search overtakes the table's retrieval as keys repeat, but the table is built faster at every multiplicity, which counts for more.",
        checks: [
          faster(
            { ...COMPACTING, experiment: "cuckoo/fig4.5-build" },
            { ...COMPACTED, experiment: "cuckoo/fig4.5-build" },
            [MULTIPLICITY],
          ),
          { kind: "crossing", of: COMPACTING, over: COMPACTED, by: [MULTIPLICITY], along: MULTIPLICITY, from: "above" },
        ],
      },
    },
  }),
  ...figureClaims("cuckoo/fig4.6-build", "GTX 470", {
    "sort-faster": {
      text: "The multivalue table always builds slower than the sorted structure.",
      paper: "slower",
      check: faster(MULTI_SORTED, MULTI, [MULTIPLICITY]),
    },
    "two-level-sparse": {
      text: "The two-level multivalue table becomes sparser as multiplicity grows.",
      paper: "falls",
      check: {
        kind: "trend",
        of: { ...MULTI_TWO, metric: "load_factor_reached" },
        along: MULTIPLICITY,
        expect: "falls",
      },
    },
  }),
  ...figureClaims("cuckoo/fig4.6-retrieve", "GTX 470", {
    "hash-faster": {
      text: "The multivalue table always retrieves faster than binary search in the sorted structure.",
      paper: "faster",
      check: faster(MULTI, MULTI_SORTED, [MULTIPLICITY]),
    },
  }),
];

/** Strides at which neighbouring lanes share no cache line. */
const apart = (table: string): Select => ({ table, params: { stride: { from: 64 } } });
const NAMES: Readonly<Record<string, string>> = {
  update4: "32-bit read and write",
  update8: "64-bit read and write",
  add: "32-bit atomicAdd",
  exchange: "32-bit atomicExchange",
  cas: "32-bit atomicCompareExchange",
};
const alike = (of: Select, over: Select) =>
  ({ kind: "ratio", of, over, by: ["params.stride"], mean: "every", expect: { near: 1 } }) as const;

const strided = [
  ...Object.entries(NAMES).flatMap(([table, name]) =>
    figureClaims("cuckoo/fig4.7-strided", "GTX 480", {
      [table]: {
        text: `Without locality, ${name} converges to 0.67 G updates per second.`,
        paper: "0.67 G/s",
        check: {
          kind: "absolute",
          of: apart(table),
          mean: "median",
          paper: { near: 670 },
          unit: "M op/s",
          scales: "rate",
        },
      },
    }),
  ),
  ...figureClaims("cuckoo/fig4.7-strided", "GTX 480", {
    accesses: {
      text: "Without locality the memory serves roughly 1.3 G accesses per second.",
      paper: "1.3 G/s",
      check: {
        kind: "absolute",
        of: { ...apart("update4"), metric: "access_rate" },
        mean: "median",
        paper: { near: 1300 },
        unit: "M op/s",
        scales: "rate",
      },
    },
    coalesced: {
      text: "A unit-stride access takes 0.05 ns, which is 20 G accesses per second.",
      paper: "0.05 ns",
      check: {
        kind: "absolute",
        of: { table: "update4", params: { stride: 1 }, metric: "access_rate" },
        mean: "median",
        paper: { near: 20_000 },
        unit: "M op/s",
        scales: "rate",
      },
    },
    "exchange-like-add": {
      text: "atomicExchange and atomicAdd perform alike at every stride.",
      paper: "alike",
      check: alike({ table: "exchange" }, { table: "add" }),
    },
    "cas-like-exchange": {
      text: "atomicCompareExchange and atomicExchange perform alike at every stride.",
      paper: "alike",
      check: alike({ table: "cas" }, { table: "exchange" }),
    },
    "plain-like-atomic": {
      text: "Without locality, a plain update and an atomic one run at the same rate.",
      paper: "alike",
      check: alike(apart("add"), { table: "update4" }),
    },
    "64-like-32-bit": {
      text: "Without locality, 64-bit and 32-bit updates run at the same rate.",
      paper: "alike",
      check: alike(apart("update8"), { table: "update4" }),
    },
  }),
];

/** The larger of two sizes: the smaller one's tables fit into the caches of large devices. */
const MODEL: Select = { table: "cuckoo", variant: "model", n: "last" };
const MEASURED: Select = { table: "cuckoo", variant: "measured", n: "last" };
/** Load factors of a table with `space` slots a pair. */
const space = (slots: number) => ({ from: 0.97 / slots, to: 1.03 / slots });

const FITS_OUR_BUILD: Check = {
  kind: "ratio",
  of: MEASURED,
  over: { ...MODEL, variant: "model+gathers" },
  by: ["load_factor"],
  mean: "every",
  expect: { near: 1, within: 0.15 },
};

const model = figureClaims("cuckoo/fig4.7-model", "GTX 480", {
  fits: {
    text: "Measured build rates equal the model's.",
    paper: "identical",
    check: {
      kind: "ratio",
      of: MEASURED,
      over: MODEL,
      by: ["load_factor"],
      mean: "every",
      expect: { near: 1, within: 0.1 },
    },
    cause: {
      text: "WGSL has no 64-bit exchange: our build moves the pairs' numbers and gathers keys and pairs, and a model that counts these accesses fits it.",
      checks: [FITS_OUR_BUILD],
    },
  },
  "fits-our-build": {
    origin: "hashbench",
    text: "Measured build rates equal those of the model that counts all accesses of our build, which exchanges no pairs.",
    paper: "identical",
    check: FITS_OUR_BUILD,
  },
  best: {
    text: "By the model, building is fastest with 4.5n slots.",
    paper: "4.5n",
    check: { kind: "peak", of: MODEL, along: "load_factor", expect: { near: 1 / 4.5 } },
    cause: {
      text: "The model's optimum is flat: with 4.5n slots its rate is within 2 % of its best.",
      checks: [
        {
          ...{ kind: "ratio", of: { ...MODEL, loadFactor: space(4.5) }, over: MODEL, by: [] },
          ...{ mean: "min", expect: { atLeast: 0.98 } },
        },
      ],
    },
  },
  "best-measured": {
    text: "Measured, building is fastest with around 4n slots.",
    paper: "4n",
    check: { kind: "peak", of: MEASURED, along: "load_factor", expect: { near: 1 / 4 } },
  },
  "best-share": {
    text: "At its best, building reaches 78 % of the bound that random updates set.",
    paper: "78 %",
    check: {
      kind: "value",
      of: { ...MODEL, metric: "limit_share" },
      mean: "max",
      expect: { near: 0.78, within: 0.1 },
    },
  },
  "half-share": {
    text: "With 1.3n slots, building reaches half of the bound that random updates set.",
    paper: "50 %",
    check: {
      kind: "value",
      of: { ...MODEL, loadFactor: space(1.3), metric: "limit_share" },
      mean: "median",
      expect: { near: 0.5, within: 0.1 },
    },
  },
  attempts: {
    text: "With 1.25n slots an insertion takes two attempts on average.",
    paper: "2",
    check: {
      kind: "value",
      of: { ...MEASURED, loadFactor: space(1.25), metric: "probes" },
      mean: "arithmetic",
      expect: { near: 2, within: 0.1 },
    },
  },
  bound: {
    text: "Random updates bound any hash table's construction at 0.67 G pairs per second.",
    paper: "0.67 G/s",
    check: {
      kind: "absolute",
      of: { ...MEASURED, metric: "limit_mops" },
      mean: "median",
      paper: { near: 670 },
      unit: "M op/s",
      scales: "rate",
    },
  },
});

export const specialisedClaims: readonly Claim[] = [...specialised, ...strided, ...model];
