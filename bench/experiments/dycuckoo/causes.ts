/** Why claims of DyCuckoo's paper are not reproduced, where rows show it; shared by several of them. */
import type { Cause, Check, Expectation, Range, Select } from "../../claims/claim.js";
import { WITHIN } from "../../claims/rule.js";
import {
  ALIKE,
  atLeast,
  atMost,
  falls,
  flat,
  MUCH_LESS,
  MUCH_MORE,
  near,
  peak,
  ratio,
  rises,
  value,
} from "../figure-claims.js";

/** With the papers' settings, as `settings.ts` has them. */
export const DYCUCKOO: Select = { table: "dycuckoo", variant: "paper" };
export const MEGAKV: Select = { table: "megakv", variant: "paper" };
export const SLAB: Select = { table: "slab-hash", variant: "paper" };
export const WARP: Select = { table: "warpdrive", variant: "paper" };
const INSERT = { op: "insert" };
/** All data sets but COM, whose tables are so small that much of them is in the cache. */
const LARGE = { dataset: ["tw", "re", "line", "normal"] };

/** Why DyCuckoo inserts more slowly than `share` of Warp's rate; `mean`: as the claim has it. */
export const valueElsewhere = (share: number, mean: "every" | "geometric" = "every"): Cause => ({
  text:
    "Keys and values are two arrays. Even at the rate at which this device makes a CAS and a write elsewhere insertions into tables beyond " +
    `the cache would be below ${share === 1 ? "" : `${share} times `}Warp's rate, whose value lies beside its key.`,
  checks: [
    ratio({ ...DYCUCKOO, ...LARGE, metric: "limit_mops" }, { ...WARP, metric: "mops" }, mean, atMost(share), {
      by: ["dataset", "load_factor"],
      ...INSERT,
    }),
  ],
});
export const COMPETITIVE = valueElsewhere(1 - WITHIN.clock, "geometric");

/** Why a table whose buckets are 128 bytes of keys does not find faster than another one, though it looks at fewer of them. */
export const moreSectors = (table: Select, other: Select, name: string): Cause => ({
  text: `It looks at fewer buckets, but by the sectors that lookups read it would be slower than ${name}: the 4 of a bucket's keys, and then the value's.`,
  checks: [
    ratio(table, other, "every", atMost(1), { by: ["dataset", "load_factor"], op: "find", metric: "probes" }),
    ratio(table, other, "every", atLeast(1), { by: ["dataset", "load_factor"], op: "find", metric: "transactions" }),
  ],
});

const CONFLICTS = "params.conflicts";
const cas = (conflicts: Range): Select => ({ table: "cas", params: { conflicts } });

/** Why atomicCAS is not the slower, the more operations meet. */
export const WARPS_MEET: Cause = {
  text:
    "It falls from 32 on. From there a warp's operations are all at one address, and CAS becomes as fast as an exchange, which below that " +
    "it is not.",
  checks: [
    falls(cas({ from: 32 }), CONFLICTS),
    ratio(cas({ from: 32 }), { table: "exchange" }, "every", ALIKE, { by: [CONFLICTS] }),
    ratio(cas({ to: 16 }), { table: "exchange" }, "every", atMost(1 - WITHIN.clock), { by: [CONFLICTS] }),
  ],
};

/** The metric with five deletions for ten insertions, over that with one. */
const last = (table: Select, metric: string): Check =>
  ratio({ params: { r: 0.5 } }, { params: { r: 0.1 } }, "geometric", atMost(1), { by: ["dataset"], ...table, metric });
/**
 * Why there is less to resize with more deletions: a batch of the first phase adds 1 − r times its insertions, one of the
 * second removes as many.
 */
export const fewerResizes = (table: Select): Cause => ({
  text:
    "The paper's reason, that more deletions cause more resizes, does not hold here: the number of pairs changes by 1 − r times a " +
    "batch's size in both phases, and there are fewer resizes, which take less time.",
  checks: [last(table, "upsizes"), last(table, "downsizes"), last(table, "resize_time")],
});

/** Share of the time that resizes take. */
const resizing = (table: Select, expect: Expectation): Check =>
  ratio({ ...table, metric: "resize_time" }, { ...table, metric: "time" }, "arithmetic", expect);

const resizeTimes = (dataset: string | readonly string[], expect: Expectation): Check =>
  ratio({ params: { batchSize: 1_000_000 } }, { params: { batchSize: 200_000 } }, "every", expect, {
    by: ["dataset"],
    ...MEGAKV,
    dataset,
    metric: "resize_time",
  });

/** Why larger batches do not widen the margin over MegaKV for every data set. */
export const RESIZES_STAY: Cause = {
  text:
    "It does but for COM, whose small table MegaKV resizes in less time with larger batches; the resizes of the others take about as " +
    "long while the rest gets faster.",
  checks: [resizeTimes(LARGE.dataset, ALIKE), resizeTimes("com", atMost(1))],
};

const FIRST_BATCH = { phase: 1, batch: 1 };
const first = (table: Select): Select => ({
  ...table,
  experiment: "dycuckoo/fig12",
  dataset: ["line", "com", "normal"],
  params: FIRST_BATCH,
  metric: "time",
});
const still = (table: Select): Select => ({ ...table, ...INSERT, experiment: "dycuckoo/fig9" });

/** Why DyCuckoo is not ahead of MegaKV for COM, along `by`; `where` MegaKV's resizes of COM take least. */
export const slowerBatches = (by: string, where: Select = {}): Cause => ({
  text:
    "Before anything is resized the first batch takes longer with DyCuckoo's sub-tables that can be resized than with MegaKV's " +
    "two, though tables of one size are about as fast; and for COM resizes take less than half of MegaKV's time, too little to make " +
    "up for it. For the other data sets DyCuckoo is ahead in the mean.",
  checks: [
    ratio(first(DYCUCKOO), first(MEGAKV), "every", atLeast(1), { by: ["dataset"] }),
    ratio(still({ ...DYCUCKOO, ...LARGE }), still({ ...MEGAKV, ...LARGE }), "every", ALIKE, { by: ["dataset"] }),
    resizing({ ...MEGAKV, ...where, dataset: "com" }, MUCH_LESS),
    ratio({ ...DYCUCKOO, ...LARGE }, MEGAKV, "geometric", atLeast(1), { by: ["dataset", by] }),
  ],
});

const BETA = "params.beta";
const ABOVE: Select = { params: { beta: { from: 0.85 } } };

export const AHEAD_BUT_COM = slowerBatches(BETA, ABOVE);

const aboveOverBelow = (metric: string, expect: Expectation): Check =>
  ratio(ABOVE, { params: { beta: { to: 0.8 } } }, "median", expect, {
    by: [],
    ...MEGAKV,
    dataset: "com",
    metric,
  });

/** Why MegaKV's rate jumps with the upper bound. */
export const ONE_DOUBLING_LESS: Cause = {
  text:
    "It is flat but for COM, whose pairs fill a table to between 80 and 85 %: from there on MegaKV doubles and halves it once " +
    "less, and resizes take less than half of the time.",
  checks: [
    flat({ ...MEGAKV, ...LARGE }, BETA),
    aboveOverBelow("upsizes", atMost(1)),
    aboveOverBelow("downsizes", atMost(1)),
    aboveOverBelow("resize_time", MUCH_LESS),
  ],
};

const takenBack = (alpha: number, expect: Expectation): Check =>
  value({ ...DYCUCKOO, dataset: "normal", params: { alpha }, metric: "failed_resizes" }, "every", expect);

/** Why DyCuckoo's rate falls with the lower bound for RAND. */
export const TAKEN_BACK: Cause = {
  text:
    "For RAND resizes take more than twice the time at 40 % that they take at 20 %: a downsize of which a residual finds no room " +
    "is taken back and tried again after the next batch, which never happens at 20 %.",
  checks: [
    ratio({ params: { alpha: 0.4 } }, { params: { alpha: 0.2 } }, "median", MUCH_MORE, {
      by: [],
      ...DYCUCKOO,
      dataset: "normal",
      metric: "resize_time",
    }),
    takenBack(0.2, atMost(0)),
    takenBack(0.4, atLeast(1)),
  ],
};

const lastBound = (metric: string): Check =>
  ratio({ params: { beta: 0.9 } }, { params: { beta: 0.7 } }, "every", atMost(1), {
    by: ["dataset"],
    ...DYCUCKOO,
    metric,
  });

/** Why DyCuckoo's rate falls with the upper bound. */
export const NOTHING_TO_CANCEL: Cause = {
  text:
    "In the paper slower insertions into fuller buckets and fewer resizes cancel out; here, too, there are fewer resizes, but they take no " +
    "more of the time than what counts as flat, a quarter: what rises is the time of the operations on fuller tables.",
  checks: [
    lastBound("upsizes"),
    lastBound("downsizes"),
    resizing(DYCUCKOO, atMost(WITHIN.clock)),
    rises({ ...DYCUCKOO, metric: "time" }, BETA),
  ],
};

/** Why a downsize moves more than m/d pairs. */
export const LARGEST_HALVED: Cause = {
  text:
    "The bound is of sub-tables of one size, of which a downsize does move a quarter. But it halves the largest, which may be twice as " +
    "large as the others, and fuller.",
  checks: [
    value({ ...DYCUCKOO, metric: "sub_table_ratio" }, "max", near(2)),
    value(
      { ...DYCUCKOO, variant: "resize", experiment: "dycuckoo/fig8", op: "downsize", metric: "downsized_share" },
      "median",
      near(1 / 4),
    ),
  ],
};

const PHASE_1: Select = { params: { phase: 1, batch: { from: 3 } } };

/** Why the filled factor never drops by more than one upsize makes. */
export const ONE_UPSIZE_AT_A_TIME: Cause = {
  text:
    "Insertions evict, and find room here up to 95 %: none fails below the upper bound of 85 %, past which one upsize follows. From the " +
    "third batch on, the first that adds less than the table holds, the filled factor of the first phase stays above the 54 % that two upsizes would leave.",
  checks: [value({ ...DYCUCKOO, ...LARGE, ...PHASE_1, metric: "filled_factor" }, "min", atLeast(0.85 * (4 / 5) ** 2))],
};

const SECOND_BATCH = { phase: 1, batch: 2 };

/** Why an upsize moves more than m/d pairs. */
export const SEVERAL_UPSIZES: Cause = {
  text:
    "The bound is of sub-tables that are equally full. The second batch brings as many pairs as the table holds, and several upsizes at a " +
    "time: the third doubles a full sub-table while the two that were doubled before it are half empty, so that it has a third of the pairs. Later ones move no more.",
  checks: [
    value({ ...DYCUCKOO, params: SECOND_BATCH, metric: "upsizes" }, "every", atLeast(2)),
    ratio({ params: { phase: 2 } }, { params: SECOND_BATCH }, "every", near(1), {
      by: ["dataset"],
      ...DYCUCKOO,
      metric: "upsized_share",
    }),
  ],
};

/** Why the slab hash takes less than four times the memory. */
export const HISTORY_ENDS: Cause = {
  text:
    "DyCuckoo's table shrinks with its pairs and the slab hash's slabs stay, so that the quotient is largest after the last batch of COM, the " +
    "tenth: how large it becomes depends on how many there are.",
  checks: [
    peak({ ...SLAB, dataset: "com", params: { phase: 2 }, metric: "table_bytes" }, "params.batch", near(10), {
      over: { ...DYCUCKOO, dataset: "com", params: { phase: 2 }, metric: "table_bytes" },
      by: ["params.batch"],
    }),
  ],
};
