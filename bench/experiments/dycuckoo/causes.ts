/** Why claims of DyCuckoo's paper are not reproduced, where rows show it; shared by several of them. */
import type { Cause, Check, Expectation, Select } from "../../claims/claim.js";

const DYCUCKOO: Select = { table: "dycuckoo" };
const MEGAKV: Select = { table: "megakv" };
const WARP: Select = { table: "warpdrive" };
const INSERT = { op: "insert" };
/** Data sets of which some keys come thousands of times, and those that repeat none so often. */
const HOT = { dataset: ["tw", "re", "com"] };
const EVEN = { dataset: ["line", "normal"] };

const LIMITS: Select = { experiment: "device/limits", op: "modify" };

/** Why atomics get faster before they get slower. */
export function conflictsInCache(table: "cas" | "exchange"): Cause {
  const inMemory = (tableMiB: number): Select => ({ ...LIMITS, table, params: { tableMiB } });
  return {
    text:
      "The fewer operations meet, the more memory they are spread over here, 512 MiB with one on each address and 0.5 MiB " +
      "with 1024, and atomics beyond the cache are slow too; from the 32 of a warp on the rate falls, to less than half of " +
      "that without conflicts in 1 MiB.",
    checks: [
      { kind: "ratio", of: inMemory(512), over: inMemory(1), by: [], mean: "median", expect: { atMost: 0.5 } },
      {
        ...{ kind: "ratio", of: { table, params: { conflicts: 1024 } }, over: inMemory(1), by: [] },
        ...{ mean: "median", expect: { atMost: 0.5 } },
      },
      { kind: "trend", of: { table, params: { conflicts: { from: 32 } } }, along: "params.conflicts", expect: "falls" },
    ],
  };
}

const failedLocks = (where: Select, mean: "min" | "max", expect: Expectation): Check => ({
  ...{ kind: "value", of: { ...DYCUCKOO, ...INSERT, ...where, metric: "failed_cas" }, mean, expect },
});
/** Locks that an insertion fails to get: many of data sets with hot keys, few of the others. */
const WAITS: readonly [Check, Check] = [
  failedLocks(HOT, "min", { atLeast: 0.2 }),
  failedLocks(EVEN, "max", { atMost: 0.02 }),
];

/** Why more sub-tables do not help insertions. */
export const NOTHING_EVICTED: Cause = {
  text:
    "Both buckets of a key are tried before a pair is evicted, where the paper tries one, so that at 85 % an insertion into " +
    "any number of sub-tables takes 1.01 turns and there are hardly any evictions to save (LINE, RAND); insertions of hot " +
    "keys (TW, RE, COM) wait for locks, however many sub-tables there are.",
  checks: [
    { kind: "value", of: { ...DYCUCKOO, ...INSERT, ...EVEN, metric: "probes" }, mean: "max", expect: { atMost: 1.02 } },
    {
      ...{ kind: "trend", of: { ...DYCUCKOO, ...INSERT, ...EVEN, metric: "probes" } },
      ...{ along: "params.subTables", expect: "flat", tolerance: 0.01 },
    },
    ...WAITS,
  ],
};

export const SLIGHTLY_SLOWER_BUT_HOT: Cause = {
  text: "It does for LINE and RAND; insertions of hot keys (TW, RE, COM) wait for locks, however many sub-tables there are.",
  checks: [
    {
      ...{ kind: "trend", of: { ...DYCUCKOO, ...INSERT, ...EVEN, params: { subTables: { from: 4 } } } },
      ...{ along: "params.subTables", expect: "falls" },
    },
    ...WAITS,
  ],
};

/** Tables that replace a value without a lock. */
const UPDATING: Select = { experiment: "dycuckoo/fig9", table: ["warpdrive", "slab-hash"], ...INSERT };

/** Why repeated keys are no faster than new ones. */
export const UPDATES_LOCK: Cause = {
  text:
    "Replacing a value takes the lock of the bucket too, so that insertions of one key wait for one another; Warp and Slab, " +
    "which replace it without, are faster for COM.",
  checks: [
    failedLocks({ dataset: "com" }, "min", { atLeast: 0.2 }),
    failedLocks(EVEN, "max", { atMost: 0.02 }),
    {
      ...{ kind: "ratio", of: { ...UPDATING, dataset: "com" }, over: { ...UPDATING, ...EVEN }, by: ["table"] },
      ...{ mean: "every", expect: { atLeast: 1 } },
    },
  ],
};

const overWarp = (where: Select, metric: string, mean: "min" | "max", expect: Expectation): Check => ({
  ...{
    kind: "ratio",
    of: { ...DYCUCKOO, ...INSERT, ...where, metric },
    over: { ...WARP, ...INSERT, ...where, metric },
  },
  ...{ by: ["dataset", "load_factor"], mean, expect },
});

/** Why DyCuckoo inserts more slowly than linear probing, by far where keys are hot. */
export const LOCKS_AND_SECTORS: Cause = {
  text:
    "Insertions of one key wait for the lock of its bucket, which Warp does not have: with hot keys (TW, RE, COM) they are " +
    "at most a fifth as fast; for LINE and RAND an insertion touches more than twice as many sectors as Warp's.",
  checks: [
    ...WAITS,
    { kind: "value", of: { ...WARP, ...INSERT, metric: "failed_cas" }, mean: "max", expect: { atMost: 0.02 } },
    overWarp(HOT, "mops", "max", { atMost: 0.2 }),
    overWarp(EVEN, "transactions", "min", { atLeast: 2 }),
  ],
};

/** Why DyCuckoo does not overtake linear probing up to 90 %. */
export const SHORT_PROBES: Cause = {
  text:
    "DyCuckoo gains on Warp as the table fills, but Warp's insertion still probes no more than 1.4 windows of slots at 90 " +
    "%, and DyCuckoo's touches more than twice as many sectors: the 4 of a bucket's keys, and the lock.",
  checks: [
    {
      ...{ kind: "trend", of: { ...DYCUCKOO, ...INSERT }, over: { ...WARP, ...INSERT }, by: ["load_factor"] },
      ...{ along: "load_factor", expect: "rises" },
    },
    { kind: "value", of: { ...WARP, ...INSERT, metric: "probes" }, mean: "max", expect: { atMost: 1.4 } },
    overWarp({}, "transactions", "min", { atLeast: 2 }),
  ],
};

const overMegakv = (metric: string): Check => ({
  ...{ kind: "ratio", of: { ...DYCUCKOO, ...INSERT, metric }, over: { ...MEGAKV, ...INSERT, metric } },
  ...{ by: ["load_factor"], mean: "max", expect: { near: 1, within: 0.01 } },
});

/** Why DyCuckoo's voter coordination gains nothing over MegaKV. */
export const SAME_KERNEL: Cause = {
  text:
    "Our MegaKV is DyCuckoo's kernel with two sub-tables: it has the voter coordination too, and takes as many turns and " +
    "sectors.",
  checks: [
    overMegakv("operations_insert_probe"),
    overMegakv("operations_insert_claim"),
    overMegakv("transactions"),
    overMegakv("probes"),
  ],
};

const finds = (table: string): Select => ({ table, op: "find", experiment: "dycuckoo/fig10" });

/** Why CUDPP finds as fast as MegaKV at 85 %. */
export const FEW_SLOTS: Cause = {
  text:
    "At 85 % a find by CUDPP reads 2.1 sectors, and one by MegaKV 5: those of a bucket's keys and of a value; CUDPP's are " +
    "more the fuller the table is, and it falls behind MegaKV by 90 %.",
  checks: [
    {
      ...{ kind: "ratio", of: { ...MEGAKV, op: "find", metric: "transactions" } },
      over: { table: "cuckoo", op: "find", metric: "transactions" },
      ...{ by: ["dataset"], mean: "min", expect: { atLeast: 2 } },
    },
    { kind: "trend", of: { ...finds("cuckoo"), metric: "transactions" }, along: "load_factor", expect: "rises" },
    {
      ...{ kind: "crossing", of: finds("cuckoo"), over: finds("megakv"), by: ["load_factor"] },
      ...{ along: "load_factor", from: "above" },
    },
  ],
};

/** Why a resize accesses so many fewer buckets than rehashing. */
export function bucketsNotPairs(op: "upsize" | "downsize"): Cause {
  const turns = (variant: string, metric: string, mean: "min" | "max", expect: Expectation): Check => ({
    ...{ kind: "value", of: { ...DYCUCKOO, variant, op, metric }, mean, expect },
  });
  return {
    text:
      "All pairs of a bucket are moved together here, in less than a tenth of a step each, and their buckets counted once, " +
      "where the paper's numbers look like an access for each pair; rehashing looks at a bucket for each pair, and again each " +
      "time that it fails to get the lock.",
    checks: [
      turns("resize", "probes", "max", { atMost: 0.1 }),
      turns("rehash", "probes", "min", { atLeast: 1 }),
      turns("rehash", "failed_cas", "min", { atLeast: 0.5 }),
    ],
  };
}

/** With five deletions for ten insertions no more than so much of what there is with one. */
const last = (table: Select, metric: string, atMost: number): Check => ({
  ...{ kind: "ratio", of: { ...table, params: { r: 0.5 }, metric }, over: { ...table, params: { r: 0.1 }, metric } },
  ...{ by: ["dataset"], mean: "max", expect: { atMost } },
});
/** With more deletions. A batch of the first phase adds 1 − r times its insertions, one of the second takes as much away. */
export const fewerResizes = (table: Select): Cause => ({
  text:
    "The number of pairs changes by 1 − r times a batch's size in both phases: the more deletions, the fewer resizes; and a " +
    "deletion takes less time than an insertion.",
  checks: [last(table, "downsizes", 0.5), last(table, "resize_time", 0.8)],
});

/** Share of the time that resizes take. */
const resizing = (table: Select, expect: Expectation): Check => ({
  ...{ kind: "ratio", of: { ...table, metric: "resize_time" }, over: { ...table, metric: "time" } },
  ...{ mean: "arithmetic", expect },
});

const SIZE = "params.batchSize";
const ratesFrom = (dataset: string, batchSize: number): Select => ({
  ...{ ...DYCUCKOO, dataset, params: { batchSize: { from: batchSize } } },
});
const resizeTimes = (dataset: readonly string[], expect: Expectation): Check => ({
  kind: "ratio",
  of: { ...MEGAKV, dataset, params: { batchSize: 1_000_000 }, metric: "resize_time" },
  over: { ...MEGAKV, dataset, params: { batchSize: 200_000 }, metric: "resize_time" },
  ...{ by: ["dataset"], mean: "every", expect },
});

/** Why larger batches do not widen the margin over MegaKV for every data set. */
export const RESIZES_STAY: Cause = {
  text:
    "It does for LINE and RAND, whose resizes take MegaKV about as long with larger batches while the rest gets faster; " +
    "insertions into RE, which wait for the locks of hot keys, get no faster from 600,000 on, and MegaKV resizes the small " +
    "table of COM in little more than half of the time.",
  checks: [
    {
      ...{ kind: "trend", of: { ...DYCUCKOO, ...EVEN }, over: { ...MEGAKV, ...EVEN }, by: ["dataset", SIZE] },
      ...{ along: SIZE, expect: "rises" },
    },
    { kind: "trend", of: ratesFrom("re", 600_000), along: SIZE, expect: "flat" },
    { kind: "trend", of: ratesFrom("line", 600_000), along: SIZE, expect: "rises" },
    failedLocks({ experiment: "dycuckoo/fig9", dataset: "re" }, "min", { atLeast: 0.2 }),
    resizeTimes(EVEN.dataset, { atLeast: 0.8 }),
    resizeTimes(["com"], { atMost: 0.6 }),
  ],
};

const FIRST_BATCH = { phase: 1, batch: 1 };
const first = (table: Select): Select => ({
  ...{
    ...table,
    experiment: "dycuckoo/fig12",
    dataset: ["line", "com", "normal"],
    params: FIRST_BATCH,
    metric: "time",
  },
});
const still = (table: Select): Select => ({ ...table, ...INSERT, experiment: "dycuckoo/fig9" });

/** Why DyCuckoo is not ahead of MegaKV for COM. */
export const SLOWER_BATCHES: Cause = {
  text:
    "Resizes apart, batches take longer with DyCuckoo's sub-tables that can be resized than with MegaKV's two, the first " +
    "one more than 1.5 times as long before anything is resized, though tables of one size are as fast; and for COM resizes " +
    "are too small a part of MegaKV's time to make up for it.",
  checks: [
    { kind: "ratio", of: first(DYCUCKOO), over: first(MEGAKV), by: ["dataset"], mean: "min", expect: { atLeast: 1.5 } },
    {
      ...{ kind: "ratio", of: still(DYCUCKOO), over: still(MEGAKV), by: ["dataset"] },
      ...{ mean: "geometric", expect: { near: 1, within: 0.05 } },
    },
    resizing({ ...MEGAKV, dataset: "com" }, { atMost: 0.4 }),
    resizing({ ...MEGAKV, ...EVEN }, { atLeast: 0.5 }),
    {
      ...{ kind: "ratio", of: { ...DYCUCKOO, dataset: ["tw", "re", "line", "normal"] }, over: MEGAKV },
      ...{ by: ["dataset", SIZE], mean: "every", expect: { atLeast: 1 } },
    },
  ],
};

const ALPHA = "params.alpha";

/** Why MegaKV's rate does not fall at each step of the lower bound. */
export const HOT_KEYS_BESIDE_RESIZES: Cause = {
  text:
    "The rate falls for all but RE, whose resizes too take longer with a higher bound, but whose insertions of hot keys " +
    "wait for locks: resizes are a third of the time there, where they are more than half of that of LINE and RAND, and the " +
    "rate falls from the first point to the last, but not at each step.",
  checks: [
    { kind: "trend", of: { ...MEGAKV, dataset: "re", metric: "resize_time" }, along: ALPHA, expect: "rises" },
    { kind: "trend", of: { ...MEGAKV, dataset: ["tw", "line", "com", "normal"] }, along: ALPHA, expect: "falls" },
    {
      ...{ kind: "trend", of: { ...MEGAKV, dataset: "re", params: { alpha: [0.2, 0.4] } } },
      ...{ along: ALPHA, expect: "falls" },
    },
    failedLocks({ experiment: "dycuckoo/fig9", dataset: "re" }, "min", { atLeast: 0.2 }),
    resizing({ ...MEGAKV, dataset: "re" }, { atMost: 0.4 }),
    resizing({ ...MEGAKV, ...EVEN }, { atLeast: 0.5 }),
  ],
};

const emptiest = (dataset: string | readonly string[], expect: Expectation): Check => ({
  kind: "value",
  of: {
    ...{ ...DYCUCKOO, experiment: "dycuckoo/fig12", dataset, metric: "filled_factor" },
    params: { phase: 2 },
  },
  ...{ mean: "min", expect },
});

/** Why DyCuckoo's rate falls with the lower bound for RAND. */
export const TAKEN_BACK: Cause = {
  text:
    "It is flat for all data sets but RAND, of whose time resizes take more than a seventh at 40 % and nearly nothing at " +
    "20 %: a downsize of which a residual finds no room in its bucket is taken back here, where the paper evicts another " +
    "pair, so that the filled factor stays below its bound and the downsize is tried again.",
  checks: [
    {
      ...{ kind: "trend", of: { ...DYCUCKOO, dataset: ["tw", "re", "line", "com"] } },
      ...{ along: ALPHA, expect: "flat" },
    },
    resizing({ ...DYCUCKOO, dataset: "normal", params: { alpha: 0.2 } }, { atMost: 0.03 }),
    resizing({ ...DYCUCKOO, dataset: "normal", params: { alpha: 0.4 } }, { atLeast: 0.143 }),
    emptiest("normal", { atMost: 0.299 }),
    emptiest(["tw", "re", "line", "com"], { atLeast: 0.3 }),
  ],
};

/** Why DyCuckoo's rate falls with the upper bound. */
export const FULLER_BUCKETS: Cause = {
  text:
    "Insertions take longer the fuller the buckets are, and resizes take so little of the time that fewer of them make up " +
    "for nothing.",
  checks: [resizing(DYCUCKOO, { atMost: 0.05 })],
};
