/** Why claims of DyCuckoo's paper are not reproduced, where rows show it; shared by several of them. */
import type { Cause, Check, Expectation, Select } from "../../claims/claim.js";
import { atLeast, atMost, crossing, falls, flat, near, ratio, rises, value } from "../figure-claims.js";

/** With the papers' settings, as `settings.ts` has them. */
export const DYCUCKOO: Select = { table: "dycuckoo", variant: "paper" };
export const MEGAKV: Select = { table: "megakv", variant: "paper" };
export const WARP: Select = { table: "warpdrive", variant: "paper" };
const INSERT = { op: "insert" };
/** All data sets but COM, whose tables are so small that much of them is in the cache. */
const LARGE = { dataset: ["tw", "re", "line", "normal"] };

const LIMITS: Select = { experiment: "device/limits", op: "modify" };

/** Why atomics get faster before they get slower. */
export function conflictsInCache(table: string): Cause {
  const inMemory = (tableMiB: number): Select => ({ ...LIMITS, table, params: { tableMiB } });
  return {
    text:
      "The fewer operations meet, the more memory they are spread over here, 512 MiB with one on each address and 0.5 MiB " +
      "with 1024, and atomics beyond the cache are slow too; from the 32 of a warp on the rate falls, to less than half of " +
      "that without conflicts in 1 MiB.",
    checks: [
      ratio(inMemory(512), inMemory(1), "median", atMost(0.5), { by: [] }),
      ratio({ table, params: { conflicts: 1024 } }, inMemory(1), "median", atMost(0.5), { by: [] }),
      falls({ table, params: { conflicts: { from: 32 } } }, "params.conflicts"),
    ],
  };
}

const SUBTABLES = "params.subTables";
const insertions = (where: Select, metric: string): Select => ({ ...DYCUCKOO, ...INSERT, ...where, metric });

export const SLIGHTLY_SLOWER_BUT_COM: Cause = {
  text:
    "It does but for COM, whose rate jumps between 7.6 and 9.2 G/s from one number of sub-tables to the next, with as many " +
    "turns, failed locks and sectors.",
  checks: [
    falls({ ...DYCUCKOO, ...INSERT, ...LARGE, params: { subTables: { from: 4 } } }, SUBTABLES),
    ...["probes", "failed_cas", "transactions"].map((metric) =>
      flat(insertions({ dataset: "com" }, metric), SUBTABLES, { tolerance: 0.03 }),
    ),
  ],
};

const SECTORS_OVER_WARP = ratio(DYCUCKOO, WARP, "min", atLeast(2), {
  by: ["dataset", "load_factor"],
  ...INSERT,
  metric: "transactions",
});

/** Why DyCuckoo inserts more slowly than linear probing. */
export const SECTORS: Cause = {
  text:
    "An insertion touches more than twice as many sectors as Warp's: the 4 of a bucket's keys, the lock's, and the value's, " +
    "which Warp has beside the key.",
  checks: [SECTORS_OVER_WARP],
};

/** Why DyCuckoo does not overtake linear probing up to 90 %. */
export const SHORT_PROBES: Cause = {
  text:
    "DyCuckoo gains on Warp as the table fills, but Warp's insertion still probes no more than 1.4 windows of slots at 90 " +
    "%, and DyCuckoo's touches more than twice as many sectors: the 4 of a bucket's keys, and the lock.",
  checks: [
    rises(DYCUCKOO, "load_factor", { over: WARP, by: ["load_factor"], ...INSERT }),
    value({ ...WARP, ...INSERT, metric: "probes" }, "max", atMost(1.4)),
    SECTORS_OVER_WARP,
  ],
};

const finds = (table: string): Select => ({ table, op: "find", experiment: "dycuckoo/fig10" });

/** Why CUDPP finds as fast as MegaKV at 85 %. */
export const FEW_SLOTS: Cause = {
  text:
    "At 85 % a find by CUDPP reads 2.1 sectors, and one by MegaKV 5: those of a bucket's keys and of a value; CUDPP's are " +
    "more the fuller the table is, and it falls behind MegaKV by 90 %.",
  checks: [
    ratio(MEGAKV, { table: "cuckoo" }, "min", atLeast(2), { by: ["dataset"], op: "find", metric: "transactions" }),
    rises({ ...finds("cuckoo"), metric: "transactions" }, "load_factor"),
    crossing(finds("cuckoo"), finds("megakv"), "load_factor", "above", { by: ["load_factor"] }),
  ],
};

/** The metric with five deletions for ten insertions, over that with one: at most so much. */
const last = (table: Select, metric: string, most: number): Check =>
  ratio({ params: { r: 0.5 } }, { params: { r: 0.1 } }, "max", atMost(most), { by: ["dataset"], ...table, metric });
/**
 * Why there is less to resize with more deletions: a batch of the first phase adds 1 − r times its insertions, one of the
 * second removes as many.
 */
export const fewerResizes = (table: Select): Cause => ({
  text:
    "The number of pairs changes by 1 − r times a batch's size in both phases: the more deletions, the fewer resizes; and a " +
    "deletion takes less time than an insertion.",
  checks: [last(table, "downsizes", 0.5), last(table, "resize_time", 0.8)],
});

/** Share of the time that resizes take. */
const resizing = (table: Select, expect: Expectation): Check =>
  ratio({ ...table, metric: "resize_time" }, { ...table, metric: "time" }, "arithmetic", expect);

const SIZE = "params.batchSize";
const resizeTimes = (dataset: string | readonly string[], expect: Expectation): Check =>
  ratio({ params: { batchSize: 1_000_000 } }, { params: { batchSize: 200_000 } }, "every", expect, {
    by: ["dataset"],
    ...MEGAKV,
    dataset,
    metric: "resize_time",
  });
const marginGrows = (where: Select): Check => rises(DYCUCKOO, SIZE, { over: MEGAKV, by: ["dataset", SIZE], ...where });

/** Why larger batches do not widen the margin over MegaKV for every data set. */
export const RESIZES_STAY: Cause = {
  text:
    "It does for TW, LINE and RAND, and for RE up to 800,000: their resizes take MegaKV about as long with larger batches " +
    "while the rest gets faster; the small table of COM it resizes in less than 0.7 of the time.",
  checks: [
    marginGrows({ dataset: ["tw", "line", "normal"] }),
    marginGrows({ dataset: "re", params: { batchSize: { to: 800_000 } } }),
    resizeTimes(LARGE.dataset, atLeast(0.95)),
    resizeTimes("com", atMost(0.7)),
  ],
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
    "Resizes apart, batches take longer with DyCuckoo's sub-tables that can be resized than with MegaKV's two, the first " +
    "one more than 1.5 times as long before anything is resized, though tables of one size are as fast; and for COM resizes " +
    "are too small a part of MegaKV's time to make up for it.",
  checks: [
    ratio(first(DYCUCKOO), first(MEGAKV), "min", atLeast(1.5), { by: ["dataset"] }),
    ratio(still({ ...DYCUCKOO, ...LARGE }), still({ ...MEGAKV, ...LARGE }), "geometric", near(1, 0.05), {
      by: ["dataset"],
    }),
    resizing({ ...MEGAKV, ...where, dataset: "com" }, atMost(0.4)),
    resizing({ ...MEGAKV, ...LARGE }, atLeast(0.5)),
    ratio({ ...DYCUCKOO, ...LARGE }, MEGAKV, "every", atLeast(1), { by: ["dataset", by] }),
  ],
});

const BETA = "params.beta";
const ABOVE: Select = { params: { beta: { from: 0.85 } } };

export const AHEAD_BUT_COM = slowerBatches(BETA, ABOVE);

const aboveOverBelow = (metric: string, most: number): Check =>
  ratio(ABOVE, { params: { beta: { to: 0.8 } } }, "median", atMost(most), {
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
    aboveOverBelow("upsizes", 0.7),
    aboveOverBelow("downsizes", 0.7),
    aboveOverBelow("resize_time", 0.5),
  ],
};

const ALPHA = "params.alpha";

const takenBack = (dataset: string | readonly string[], alpha: number, expect: Expectation): Check =>
  value({ ...DYCUCKOO, dataset, params: { alpha }, metric: "failed_resizes" }, "every", expect);

/** Why DyCuckoo's rate falls with the lower bound for RAND. */
export const TAKEN_BACK: Cause = {
  text:
    "It is flat for all data sets but RAND, of whose time resizes take more than a seventh at 40 % and nearly nothing at " +
    "20 %: in these rows a downsize of which a residual finds no room in its bucket is taken back, where the paper (and " +
    "the table after commit 0008447) evicts another pair, and tried again after the next batch, over twenty times at " +
    "40 %, of the others' data at most ten times.",
  checks: [
    flat({ ...DYCUCKOO, dataset: ["tw", "re", "line", "com"] }, ALPHA),
    resizing({ ...DYCUCKOO, dataset: "normal", params: { alpha: 0.2 } }, atMost(0.03)),
    resizing({ ...DYCUCKOO, dataset: "normal", params: { alpha: 0.4 } }, atLeast(0.143)),
    takenBack("normal", 0.2, atMost(0)),
    takenBack("normal", 0.4, atLeast(20)),
    takenBack(["tw", "re", "line", "com"], 0.4, atMost(10)),
  ],
};

/** Why DyCuckoo's rate falls with the upper bound. */
export const FULLER_BUCKETS: Cause = {
  text:
    "Insertions take longer the fuller the buckets are, and resizes take so little of the time that fewer of them make up " +
    "for nothing.",
  checks: [resizing(DYCUCKOO, atMost(0.05))],
};
