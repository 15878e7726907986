/** Claims against other tables, static and dynamic: Li et al., DyCuckoo, sections 6.3 and 6.4. */
import type { Claim, Select } from "../../claims/claim.js";
import {
  ALIKE,
  atLeast,
  atMost,
  between,
  each,
  falls,
  faster,
  figureClaims,
  flat,
  MUCH_MORE,
  near,
  order,
  ratio,
  rises,
  SLIGHTLY_LESS,
  value,
} from "../figure-claims.js";
import * as causes from "./causes.js";
import { DYCUCKOO, MEGAKV, SLAB, WARP } from "./causes.js";

const GPU = "Tesla P100";
const GPU_TABLES = [
  ["cuckoo", "CUDPP"],
  ["warpdrive", "Warp"],
  ["megakv", "MegaKV"],
  ["slab-hash", "Slab"],
  ["dycuckoo", "DyCuckoo"],
] as const;
/** The series of a table that is judged. */
const judged = (table: string): Select => (table === "cuckoo" ? { table } : { table, variant: "paper" });
const but = (left: string) => GPU_TABLES.filter(([table]) => table !== left);

const fixed = figureClaims("dycuckoo/fig9", GPU, {
  ...each(GPU_TABLES, ([table, name]) =>
    each(["insert", "find"], (op) => ({
      [`${table}-over-cpu-${op}`]: {
        text: `${op === "insert" ? "Inserting into" : "Finding in"} ${name} is much faster (here: at least twice as fast) than in Libcuckoo on the CPU.`,
        paper: "wide margin",
        check: ratio(judged(table), { table: "libcuckoo" }, "every", MUCH_MORE, { by: ["dataset"], op }),
      },
    })),
  ),
  ...each(but("warpdrive"), ([table, name]) => ({
    [`insert-warp-over-${table}`]: {
      text: `Overall, Warp inserts faster than ${name}.`,
      paper: "best",
      check: faster({ ...WARP, op: "insert" }, { ...judged(table), op: "insert" }, ["dataset"], "geometric"),
    },
  })),
  ...each(but("megakv"), ([table, name]) => ({
    [`find-megakv-over-${table}`]: {
      text: `Overall, MegaKV finds faster than ${name}.`,
      paper: "best",
      check: faster({ ...MEGAKV, op: "find" }, { ...judged(table), op: "find" }, ["dataset"], "geometric"),
      cause: ["cuckoo", "warpdrive"].includes(table)
        ? causes.moreSectors(MEGAKV, judged(table), `${name}'s`)
        : undefined,
    },
  })),
  ...each(but("slab-hash"), ([table, name]) => ({
    [`find-${table}-over-slab`]: {
      text: `Overall, ${name} finds faster than Slab, the last of the GPU tables.`,
      paper: "Slab last",
      check: faster({ ...judged(table), op: "find" }, { ...SLAB, op: "find" }, ["dataset"], "geometric"),
    },
  })),
  "find-dycuckoo-behind-megakv": {
    text: "DyCuckoo finds only slightly slower than MegaKV.",
    paper: "slightly",
    check: ratio(DYCUCKOO, MEGAKV, "geometric", SLIGHTLY_LESS, { by: ["dataset"], op: "find" }),
  },
  "insert-dycuckoo-competitive": {
    text: "DyCuckoo's insertion is competitive with Warp's.",
    paper: "competitive",
    check: ratio(DYCUCKOO, WARP, "geometric", ALIKE, { by: ["dataset"], op: "insert" }),
    cause: causes.COMPETITIVE,
  },
});

const FILLED = "load_factor";
const fillings = figureClaims("dycuckoo/fig10", GPU, {
  ...each(["insert", "find"], (op) => ({
    [`slab-${op}-falls`]: {
      text: `Slab's rate of ${op} falls as the filled factor rises from 70 to 90 %.`,
      check: falls({ ...SLAB, op }, FILLED),
    },
    [`cudpp-${op}-falls`]: {
      text: `CUDPP's rate of ${op} falls as the filled factor rises from 70 to 90 %.`,
      check: falls({ table: "cuckoo", op }, FILLED),
    },
    [`dycuckoo-over-warp-${op}`]: {
      text: `At filled factors of 85 % and more, DyCuckoo's rate of ${op} is at least Warp's.`,
      paper: "≥ 1×",
      check: faster({ ...DYCUCKOO, op, loadFactor: { from: 0.85 } }, { ...WARP, op }, [FILLED]),
      cause: op === "insert" ? causes.valueElsewhere(1) : causes.moreSectors(DYCUCKOO, WARP, "Warp's"),
    },
  })),
  "dycuckoo-find-flat": {
    text: "DyCuckoo's rate of finds does not depend on the filled factor.",
    check: flat({ ...DYCUCKOO, op: "find" }, FILLED),
  },
  "megakv-find-flat": {
    text: "MegaKV's rate of finds does not depend on the filled factor.",
    check: flat({ ...MEGAKV, op: "find" }, FILLED),
  },
  "dycuckoo-over-megakv-insert": {
    text: "DyCuckoo inserts faster than MegaKV at every filled factor.",
    check: faster({ ...DYCUCKOO, op: "insert" }, { ...MEGAKV, op: "insert" }, [FILLED]),
  },
});

const R = "params.r";
const ratios = figureClaims("dycuckoo/fig11", GPU, {
  "over-megakv": {
    text: "Under dynamic workloads DyCuckoo is faster than MegaKV overall.",
    paper: "best",
    check: faster(DYCUCKOO, MEGAKV, ["dataset", R], "geometric"),
  },
  "over-slab": {
    text: "Under dynamic workloads DyCuckoo is faster than Slab overall.",
    paper: "best",
    check: faster(DYCUCKOO, SLAB, ["dataset", R], "geometric"),
  },
  "margin-grows": {
    text: "DyCuckoo's margin over MegaKV grows with the share of deletions.",
    paper: "grows",
    check: rises(DYCUCKOO, R, { over: MEGAKV, by: ["dataset", R] }),
    cause: causes.fewerResizes(MEGAKV),
  },
  "dycuckoo-falls": {
    text: "DyCuckoo's rate falls as there are more deletions for an insertion.",
    check: falls(DYCUCKOO, R),
    cause: causes.fewerResizes(DYCUCKOO),
  },
  "megakv-falls": {
    text: "MegaKV's rate falls as there are more deletions for an insertion.",
    check: falls(MEGAKV, R),
    cause: causes.fewerResizes(MEGAKV),
  },
  "slab-rises": {
    text: "Slab's rate rises as there are more deletions for an insertion.",
    check: rises(SLAB, R),
  },
});

/** `filled_factor_step`: change of the filled factor since the batch before, without its sign. */
const COM = { dataset: "com" };
/** The least that halving a table at the lower bound of 30 % changes it. */
const JUMP = 0.3;
/** By how much making one of four sub-tables larger lowers it at the upper bound of 85 %, to 4/5 of that. */
const ONE_UPSIZE = 0.17;
/** Up to m/d, with the default of four sub-tables, among which pairs are distributed at random. */
const UP_TO_A_QUARTER = between(0, 1 / 4);
const stability = figureClaims("dycuckoo/fig12", GPU, {
  "slab-below-20": {
    text: "Slab's filled factor is below 20 % within 100 batches of COM.",
    paper: "< 20 %",
    check: value({ ...SLAB, ...COM, params: { batch: { to: 100 } }, metric: "filled_factor" }, "min", atMost(0.2)),
  },
  "slab-decays": {
    text: "Slab's filled factor decays while more is deleted than inserted (the second phase).",
    paper: "decays",
    check: falls({ ...SLAB, params: { phase: 2 }, metric: "filled_factor" }, "params.batch"),
  },
  "megakv-jumps": {
    text: "MegaKV's filled factor jumps where it doubles or halves (here: by at least 0.3 in a batch).",
    paper: "jumps",
    check: value({ ...MEGAKV, metric: "filled_factor_step" }, "max", atLeast(JUMP)),
  },
  "dycuckoo-steady": {
    text: "DyCuckoo's filled factor is steady on COM (here: never changes by 0.3 in a batch).",
    paper: "steady",
    check: value({ ...DYCUCKOO, ...COM, metric: "filled_factor_step" }, "max", atMost(JUMP)),
  },
  ...each(Object.entries({ tw: "TW", re: "RE", line: "LINE", normal: "RAND" }), ([dataset, name]) => ({
    [`dycuckoo-drops-${dataset}`]: {
      text: `DyCuckoo's filled factor drops sharply on ${name}, as insertions that fail cause a second upsize (here: by more than one upsize makes, from 85 to 68 %).`,
      paper: "drops sharply",
      check: value({ ...DYCUCKOO, dataset, metric: "filled_factor_step" }, "max", atLeast(ONE_UPSIZE)),
      cause: causes.ONE_UPSIZE_AT_A_TIME,
    },
  })),
  "sub-tables": {
    text: "No sub-table is more than twice as large as another (4.2).",
    paper: "≤ 2×",
    check: value({ ...DYCUCKOO, metric: "sub_table_ratio" }, "max", between(1, 2)),
  },
  "upsize-moves": {
    text: "An upsize moves at most m/d of m pairs (4.4), a quarter with four sub-tables.",
    paper: "≤ 25 %",
    check: value({ ...DYCUCKOO, metric: "upsized_share" }, "max", UP_TO_A_QUARTER),
    cause: causes.SEVERAL_UPSIZES,
  },
  "downsize-moves": {
    text: "A downsize moves at most m/d of m pairs (4.4), a quarter with four sub-tables.",
    paper: "≤ 25 %",
    check: value({ ...DYCUCKOO, metric: "downsized_share" }, "max", UP_TO_A_QUARTER),
    cause: causes.LARGEST_HALVED,
  },
  memory: {
    text: "DyCuckoo takes up to 4 times less memory than the compared tables (Slab on COM).",
    check: ratio(SLAB, DYCUCKOO, "max", near(4), {
      by: ["params.phase", "params.batch"],
      ...COM,
      metric: "table_bytes",
    }),
    cause: causes.HISTORY_ENDS,
  },
});

const parameters = [
  ...figureClaims("dycuckoo/fig13", GPU, {
    "margin-grows": {
      text: "DyCuckoo's margin over MegaKV grows with the batch size.",
      paper: "grows",
      check: rises(DYCUCKOO, "params.batchSize", { over: MEGAKV, by: ["dataset", "params.batchSize"] }),
      cause: causes.RESIZES_STAY,
    },
    order: {
      text: "DyCuckoo is faster than MegaKV, and MegaKV than Slab, at every batch size.",
      paper: "DyCuckoo > MegaKV > Slab",
      check: order([DYCUCKOO, MEGAKV, SLAB], "every", { by: ["dataset", "params.batchSize"] }),
      cause: causes.slowerBatches("params.batchSize"),
    },
  }),
  ...figureClaims("dycuckoo/fig14", GPU, {
    "megakv-falls": {
      text: "MegaKV's rate falls as the lower bound of the filled factor rises from 20 to 40 %.",
      check: falls(MEGAKV, "params.alpha"),
    },
    "dycuckoo-flat": {
      text: "DyCuckoo's rate hardly depends on the lower bound of the filled factor.",
      check: flat(DYCUCKOO, "params.alpha"),
      cause: causes.TAKEN_BACK,
    },
  }),
  ...figureClaims("dycuckoo/fig15", GPU, {
    "megakv-flat": {
      text: "MegaKV's rate hardly depends on the upper bound of the filled factor.",
      check: flat(MEGAKV, "params.beta"),
      cause: causes.ONE_DOUBLING_LESS,
    },
    "dycuckoo-flat": {
      text: "DyCuckoo's rate hardly depends on the upper bound of the filled factor.",
      check: flat(DYCUCKOO, "params.beta"),
      cause: causes.NOTHING_TO_CANCEL,
    },
    ahead: {
      text: "DyCuckoo is faster than MegaKV at every upper bound of the filled factor.",
      check: faster(DYCUCKOO, MEGAKV, ["dataset", "params.beta"]),
      cause: causes.AHEAD_BUT_COM,
    },
  }),
];

const firstBatches = figureClaims("dycuckoo/first-batch", GPU, {
  alike: {
    origin: "hashbench",
    text: "With sub-tables of one size the first batch takes DyCuckoo as long as MegaKV.",
    paper: "alike",
    check: ratio({ table: "dycuckoo", variant: "alike" }, MEGAKV, "median", ALIKE, { by: ["n"], metric: "time" }),
  },
});

export const comparisonClaims: readonly Claim[] = [
  ...fixed,
  ...fillings,
  ...ratios,
  ...stability,
  ...parameters,
  ...firstBatches,
];
