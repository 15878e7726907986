/** Claims about the limits of performance: Alcantara et al., GPU Computing Gems 2011, 4.5.3. */
import type { Cause, Check, Claim, Expectation, Select } from "../../claims/claim.js";
import { figureClaims } from "../figure-claims.js";

/** Strides at which neighbouring lanes share no cache line. */
const apart = (table: string): Select => ({ table, n: "last", params: { stride: { from: 64 } } });
const NAMES: Readonly<Record<string, string>> = {
  update4: "32-bit read and write",
  update8: "64-bit read and write",
  add: "32-bit atomicAdd",
  exchange: "32-bit atomicExchange",
  cas: "32-bit atomicCompareExchange",
};
const alike = (of: Select, over: Select) =>
  ({ kind: "ratio", of, over, by: ["params.stride"], mean: "every", expect: { near: 1 } }) as const;

const everywhere = (table: string): Select => ({ table, n: "last" });
const PLAIN: Select = { table: ["update4", "update8"] };
const LARGEST_STRIDE: Select = { params: { stride: 2 ** 16 } };
/** Rates of plain updates at the largest stride over those where locality has just ended. */
const atLargestStride = (n: "first" | "last", expect: Expectation): Check => ({
  kind: "ratio",
  of: { ...PLAIN, ...LARGEST_STRIDE, n },
  over: { ...PLAIN, n, params: { stride: 2 ** 10 } },
  by: ["table"],
  mean: "every",
  expect,
});

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
        of: { table: "update4", n: "last", params: { stride: 1 }, metric: "access_rate" },
        mean: "median",
        paper: { near: 20_000 },
        unit: "M op/s",
        scales: "rate",
      },
    },
    "exchange-like-add": {
      text: "atomicExchange and atomicAdd perform alike at every stride.",
      paper: "alike",
      check: alike(everywhere("exchange"), everywhere("add")),
    },
    "cas-like-exchange": {
      text: "atomicCompareExchange and atomicExchange perform alike at every stride.",
      paper: "alike",
      check: alike(everywhere("cas"), everywhere("exchange")),
      cause: {
        text: "Where lanes share cache lines a compare-and-exchange is the slower one; without locality the two are alike.",
        checks: [alike(apart("cas"), apart("exchange"))],
      },
    },
    "plain-like-atomic": {
      text: "Without locality, a plain update and an atomic one run at the same rate.",
      paper: "alike",
      check: alike(apart("add"), everywhere("update4")),
      cause: {
        text: "An atomic update is one access to the memory, a plain one two, a read and a write, and these are served at 1.4 to 2 times the rate.",
        checks: [
          {
            ...{ kind: "ratio", of: { ...apart("update4"), metric: "access_rate" } },
            ...{ over: { ...everywhere("add"), metric: "access_rate" }, by: ["params.stride"], mean: "every" },
            expect: { from: 1.4, to: 2, within: 0 },
          },
        ],
      },
    },
    "64-like-32-bit": {
      text: "Without locality, 64-bit and 32-bit updates run at the same rate.",
      paper: "alike",
      check: alike(apart("update8"), everywhere("update4")),
      cause: {
        text: "Regular strides tell the two apart: to random places 64-bit and 32-bit writes run at the same rate, whatever the size of the array.",
        checks: [
          {
            ...{ kind: "ratio", of: { experiment: "device/limits", table: "write8" } },
            ...{ over: { experiment: "device/limits", table: "write4" }, by: ["params.tableMiB"] },
            ...{ mean: "every", expect: { near: 1, within: 0.05 } },
          },
        ],
      },
    },
    drop: {
      text: "In an array of 512 MB, nonatomic updates become slower at the largest strides.",
      paper: "drops",
      check: atLargestStride("last", { atMost: 0.9 }),
      cause: {
        text: "The size of the array does not matter on this device: updates at the largest stride run as fast below 256 MB.",
        checks: [
          {
            ...{ kind: "ratio", of: { ...PLAIN, ...LARGEST_STRIDE, n: "last" } },
            ...{ over: { ...PLAIN, ...LARGEST_STRIDE, n: "first" }, by: ["table"], mean: "every", expect: { near: 1 } },
          },
        ],
      },
    },
    "no-drop": {
      text: "In an array of less than 256 MB, nonatomic updates become no slower at the largest strides.",
      paper: "no drop",
      check: atLargestStride("first", { atLeast: 0.9 }),
    },
  }),
];

/** At the full size: tables of smaller ones fit into the caches of large devices. */
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

const OWN_ACCESSES: Cause = {
  text: "WGSL has no 64-bit exchange: our build moves the pairs' numbers and gathers keys and pairs, and a model that counts these accesses fits it.",
  checks: [FITS_OUR_BUILD],
};

/** Shares of the bound that random updates set, of measured builds or of the model's. */
const shares = (of: Select, what: string, rest: Partial<Claim>, suffix = ""): Parameters<typeof figureClaims>[2] => ({
  [`best-share${suffix}`]: {
    text: `At its best, ${what} reaches 78 % of the bound that random updates set.`,
    paper: "78 %",
    check: { kind: "value", of: { ...of, metric: "limit_share" }, mean: "max", expect: { near: 0.78, within: 0.1 } },
    ...rest,
  },
  [`half-share${suffix}`]: {
    text: `With 1.3n slots, ${what} reaches half of the bound that random updates set.`,
    paper: "50 %",
    check: {
      kind: "value",
      of: { ...of, loadFactor: space(1.3), metric: "limit_share" },
      mean: "median",
      expect: { near: 0.5, within: 0.1 },
    },
    ...rest,
  },
});

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
    cause: OWN_ACCESSES,
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
  ...shares(MEASURED, "building", { cause: OWN_ACCESSES }),
  ...shares(MODEL, "the model", { origin: "hashbench" }, "-model"),
  uncoalesced: {
    text: "An update without locality takes 1.5 ns.",
    paper: "1.5 ns",
    check: {
      kind: "absolute",
      of: { ...MODEL, metric: "uncoalesced_access" },
      mean: "median",
      paper: { near: 1.5 },
      unit: "ns",
      scales: "time",
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

export const limitClaims: readonly Claim[] = [...strided, ...model];
