/** Claims about the limits of performance: Alcantara et al., GPU Computing Gems 2011, 4.5.3. */
import type { Cause, Check, Claim, Expectation, Select } from "../../claims/claim.js";
import {
  ALIKE,
  absoluteRate,
  absoluteTime,
  atLeast,
  atMost,
  each,
  figureClaims,
  near,
  peak,
  ratio,
  value,
} from "../figure-claims.js";

/** Strides at which neighbouring lanes share no cache line. */
const apart = (table: string): Select => ({ table, n: "last", params: { stride: { from: 64 } } });
const shared = (table: string): Select => ({ table, n: "last", params: { stride: { to: 16 } } });
const NAMES: Readonly<Record<string, string>> = {
  update4: "32-bit read and write",
  update8: "64-bit read and write",
  add: "32-bit atomicAdd",
  exchange: "32-bit atomicExchange",
  cas: "32-bit atomicCompareExchange",
};
const alike = (of: Select, over: Select) => ratio(of, over, "every", ALIKE, { by: ["params.stride"] });

const everywhere = (table: string): Select => ({ table, n: "last" });
const PLAIN: Select = { table: ["update4", "update8"] };
const LARGEST_STRIDE: Select = { params: { stride: 2 ** 16 } };
/** Rates of plain updates at the largest stride over those where locality has just ended. */
const atLargestStride = (n: "first" | "last", expect: Expectation): Check =>
  ratio({ ...PLAIN, ...LARGEST_STRIDE, n }, { ...PLAIN, n, params: { stride: 2 ** 10 } }, "every", expect, {
    by: ["table"],
  });

const strided = figureClaims("cuckoo/fig4.7-strided", "GTX 480", {
  ...each(Object.entries(NAMES), ([table, name]) => ({
    [table]: {
      text: `Without locality, ${name} converges to 0.67 G updates per second.`,
      paper: "0.67 G/s",
      check: absoluteRate(apart(table), "median", near(670)),
    },
  })),
  accesses: {
    text: "Without locality the memory serves roughly 1.3 G accesses per second.",
    paper: "1.3 G/s",
    check: absoluteRate({ ...apart("update4"), metric: "access_rate" }, "median", near(1300)),
  },
  coalesced: {
    text: "A unit-stride access takes 0.05 ns, which is 20 G accesses per second.",
    paper: "0.05 ns",
    check: absoluteRate(
      { table: "update4", n: "last", params: { stride: 1 }, metric: "access_rate" },
      "median",
      near(20_000),
    ),
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
      checks: [
        alike(apart("cas"), apart("exchange")),
        ratio(shared("cas"), shared("exchange"), "median", atMost(1), { by: ["params.stride"] }),
      ],
    },
  },
  "plain-like-atomic": {
    text: "Without locality, a plain update and an atomic one run at the same rate.",
    paper: "alike",
    check: alike(apart("add"), everywhere("update4")),
    cause: {
      text: "An atomic update is one access to the memory, a plain one two, a read and a write, and these are served at a higher rate.",
      checks: [
        ratio(apart("update4"), everywhere("add"), "every", atLeast(1), {
          by: ["params.stride"],
          metric: "access_rate",
        }),
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
        ratio({ table: "write8" }, { table: "write4" }, "every", ALIKE, {
          by: ["params.tableMiB"],
          experiment: "device/limits",
        }),
      ],
    },
  },
  drop: {
    text: "In an array of 512 MB, nonatomic updates become slower at the largest strides.",
    paper: "drops",
    check: atLargestStride("last", atMost(1)),
    cause: {
      text: "The size of the array does not matter on this device: updates at the largest stride run as fast below 256 MB.",
      checks: [ratio({ n: "last" }, { n: "first" }, "every", ALIKE, { by: ["table"], ...PLAIN, ...LARGEST_STRIDE })],
    },
  },
  "no-drop": {
    text: "In an array of less than 256 MB, nonatomic updates become no slower at the largest strides.",
    paper: "no drop",
    check: atLargestStride("first", ALIKE),
  },
});

/** At the full size: smaller tables fit into the caches of large devices. */
const MODEL: Select = { table: "cuckoo", variant: "model", n: "last" };
const MEASURED: Select = { table: "cuckoo", variant: "measured", n: "last" };
/** Load factors of a table with `space` slots a pair. */
export const space = (slots: number) => ({ from: 0.97 / slots, to: 1.03 / slots });

const FITS_OUR_BUILD: Check = ratio(MEASURED, { ...MODEL, variant: "model+gathers" }, "every", ALIKE, {
  by: ["load_factor"],
});

const OWN_ACCESSES: Cause = {
  text: "WGSL has no 64-bit exchange: our build moves the pairs' numbers and gathers keys and pairs, and a model that counts these accesses fits it.",
  checks: [FITS_OUR_BUILD],
};

/** Shares of the bound that random updates set, of measured builds or of the model's. */
const shares = (of: Select, what: string, rest: Partial<Claim>, suffix = ""): Parameters<typeof figureClaims>[2] => ({
  [`best-share${suffix}`]: {
    text: `At its best, ${what} reaches 78 % of the bound that random updates set.`,
    check: value({ ...of, metric: "limit_share" }, "max", near(0.78)),
    ...rest,
  },
  [`half-share${suffix}`]: {
    text: `With 1.3n slots, ${what} reaches half of the bound that random updates set.`,
    check: value({ ...of, loadFactor: space(1.3), metric: "limit_share" }, "median", near(0.5)),
    ...rest,
  },
});

const model = figureClaims("cuckoo/fig4.7-model", "GTX 480", {
  fits: {
    text: "Measured build rates equal the model's.",
    paper: "identical",
    check: ratio(MEASURED, MODEL, "every", ALIKE, { by: ["load_factor"] }),
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
    check: peak(MODEL, "load_factor", near(1 / 4.5)),
  },
  "best-measured": {
    text: "Measured, building is fastest with around 4n slots.",
    paper: "4n",
    check: peak(MEASURED, "load_factor", near(1 / 4)),
  },
  ...shares(MEASURED, "building", { cause: OWN_ACCESSES }),
  ...shares(MODEL, "the model", { origin: "hashbench" }, "-model"),
  uncoalesced: {
    text: "An update without locality takes 1.5 ns.",
    paper: "1.5 ns",
    check: absoluteTime({ ...MODEL, metric: "uncoalesced_access" }, "median", near(1.5)),
  },
  attempts: {
    text: "With 1.25n slots an insertion takes two attempts on average.",
    paper: "2",
    check: value({ ...MEASURED, loadFactor: space(1.25), metric: "probes" }, "arithmetic", near(2)),
  },
  bound: {
    text: "Random updates bound any hash table's construction at 0.67 G pairs per second.",
    paper: "0.67 G/s",
    check: absoluteRate({ ...MEASURED, metric: "limit_mops" }, "median", near(670)),
  },
});

export const limitClaims: readonly Claim[] = [...strided, ...model];
