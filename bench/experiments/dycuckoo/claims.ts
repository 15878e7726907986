/** Claims about DyCuckoo's own parts and the static comparison: Li et al., DyCuckoo, sections 5.2, 6.2 and 6.3. */
import type { Claim, Select } from "../../claims/claim.js";
import {
  ALIKE,
  atLeast,
  atMost,
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
import { DYCUCKOO, WARPS_MEET } from "./causes.js";
import { TABLE4 } from "./fig8-table4.js";

const GPU = "Tesla P100";
const CONFLICTS = "params.conflicts";

const conflicts = figureClaims("dycuckoo/fig5", GPU, {
  ...each(Object.entries({ cas: "atomicCAS", exchange: "atomicExch" }), ([table, name]) => ({
    [`${table}-falls`]: {
      text: `The rate of ${name} falls as more operations meet at one address.`,
      check: falls({ table }, CONFLICTS),
      cause: table === "cas" ? WARPS_MEET : undefined,
    },
    [`${table}-below-sequential`]: {
      text: `With many conflicts (here 32 and more) ${name} is slower than as many coalesced sequential accesses.`,
      paper: "slower",
      check: faster({ table: "sequential", params: { conflicts: { from: 32 } } }, { table }, [CONFLICTS]),
    },
  })),
});

const SUBTABLES = "params.subTables";
const subTables = figureClaims("dycuckoo/fig7", GPU, {
  "insert-best": {
    text: "Insertion is fastest with four sub-tables.",
    paper: "4",
    check: peak({ ...DYCUCKOO, op: "insert" }, SUBTABLES, near(4)),
  },
  "insert-rises": {
    text: "Insertion gets faster with more sub-tables, up to four.",
    check: rises({ ...DYCUCKOO, op: "insert", params: { subTables: { to: 4 } } }, SUBTABLES),
  },
  "insert-falls": {
    text: "Beyond four sub-tables insertion gets slightly slower.",
    check: falls({ ...DYCUCKOO, op: "insert", params: { subTables: { from: 4 } } }, SUBTABLES),
  },
  "two-lookups": {
    text: "A find takes at most two lookups (here: one of an absent key takes two).",
    paper: "2",
    check: value({ table: "dycuckoo", experiment: "gph/fig10", positiveRatio: 0, metric: "probes" }, "every", near(2)),
  },
  "find-flat": {
    text: "The rate of finds does not depend on the number of sub-tables.",
    check: flat({ ...DYCUCKOO, op: "find" }, SUBTABLES),
  },
  ...each(["tw", "re", "line", "normal"], (dataset) => ({
    [`com-over-${dataset}`]: {
      text: `Insertion is faster for COM, which repeats its keys most, than for ${dataset === "normal" ? "RAND" : dataset.toUpperCase()}.`,
      check: faster({ ...DYCUCKOO, op: "insert", dataset: "com" }, { ...DYCUCKOO, op: "insert", dataset }, [SUBTABLES]),
    },
  })),
});

const RESIZE: Select = { ...DYCUCKOO, variant: "resize" };
const REHASH: Select = { ...DYCUCKOO, variant: "rehash" };
/** Table 4 is measured by the cells of Figure 8. */
const BUCKETS = { experiment: "dycuckoo/fig8", metric: "buckets_accessed" };

/** Of Table 4. According to the text, each data set is inserted as a whole. */
const OTHER_TABLE =
  "The paper's numbers are of one table whatever the data set, of 10 or of 100 million pairs; ours has the size that the data set needs. " +
  "Quotients of the counts are compared.";

const buckets = Object.entries(TABLE4).flatMap(([dataset, thousands]) =>
  Object.entries(thousands).flatMap(([variant, counts]) =>
    Object.entries(counts).flatMap(([op, count]) => {
      const who = variant === "resize" ? "DyCuckoo" : "Rehashing";
      return figureClaims("dycuckoo/table4", GPU, {
        [`${dataset}-${op}-${variant}`]: {
          text: `${who} accesses ${count} thousand buckets in one ${op} (${dataset === "normal" ? "RAND" : dataset.toUpperCase()}).`,
          paper: `${count} k`,
          check: value({ ...DYCUCKOO, variant, op, dataset, ...BUCKETS }, "median", near(count * 1000)),
          incomparable: OTHER_TABLE,
        },
      });
    }),
  ),
);

const resizing = [
  ...figureClaims("dycuckoo/table4", GPU, {
    "upsize-fewer": {
      text: "DyCuckoo's upsize accesses fewer buckets than rehashing, for every data set.",
      paper: "fewer",
      check: ratio(RESIZE, REHASH, "every", atMost(1), { by: ["dataset"], op: "upsize", ...BUCKETS }),
    },
    "upsize-ratio": {
      text: "Rehashing accesses 1.19 times as many buckets as DyCuckoo's upsize, in the mean of the data sets.",
      check: ratio(REHASH, RESIZE, "geometric", near(1.19), { by: ["dataset"], op: "upsize", ...BUCKETS }),
      cause: {
        text:
          "The paper's reason, that insertions into a nearly full table evict, does not hold here: a pair of the sub-table that was doubled " +
          "finds room in the first bucket that it goes to.",
        checks: [value({ ...REHASH, ...BUCKETS, op: "upsize", metric: "probes" }, "every", near(1))],
      },
    },
    "downsize-similar": {
      text: "DyCuckoo's downsize accesses about as many buckets as rehashing, for every data set.",
      paper: "similar",
      check: ratio(RESIZE, REHASH, "every", ALIKE, { by: ["dataset"], op: "downsize", ...BUCKETS }),
    },
    "downsize-fewer": {
      text: "A downsize accesses fewer buckets than an upsize, for every data set and both methods.",
      paper: "fewer",
      check: ratio({ table: "dycuckoo", op: "downsize" }, { table: "dycuckoo", op: "upsize" }, "every", atMost(1), {
        by: ["dataset", "variant"],
        ...BUCKETS,
      }),
    },
  }),
  ...figureClaims("dycuckoo/fig8", GPU, {
    "upsize-lowers": {
      text: "Upsizing one of d equal sub-tables lowers the filled factor to d/(d + 1) of it, of four to 80 % (3.2).",
      paper: "80 %",
      check: ratio(
        { ...RESIZE, metric: "load_factor_reached" },
        { ...RESIZE, metric: "filled_factor" },
        "every",
        near(0.8),
        { by: ["dataset"], op: "upsize" },
      ),
    },
    ...each(["upsize", "downsize"], (op) => ({
      [op]: {
        text: `DyCuckoo's ${op} is faster than rehashing, for every data set.`,
        check: faster({ ...RESIZE, op }, { ...REHASH, op }, ["dataset"]),
      },
    })),
    "more-than-buckets": {
      text: "DyCuckoo's upsize gains more over rehashing than the 1.19 times fewer buckets explain.",
      paper: "> 1.19×",
      check: ratio(RESIZE, REHASH, "geometric", atLeast(1.19), { by: ["dataset"], op: "upsize" }),
    },
  }),
];

export const claims: readonly Claim[] = [...conflicts, ...subTables, ...buckets, ...resizing];
