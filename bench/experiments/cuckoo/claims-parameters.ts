/** Claims about absent keys, numbers of functions and spaces: Alcantara et al., GPU Computing Gems 2011, 4.3 and 4.5.1. */
import { SMALLEST_SPACE } from "../../../kernels/cuckoo/cuckoo.js";
import type { Cause, Claim, Select } from "../../claims/claim.js";
import {
  absoluteTime,
  atLeast,
  atMost,
  between,
  crossing,
  each,
  falls,
  faster,
  figureClaims,
  linear,
  MUCH_LESS,
  near,
  order,
  ratio,
  rises,
  value,
} from "../figure-claims.js";

const TWO_LEVEL: Select = { table: "two-level" };
const ALL_KEYS = { positiveRatio: 1 };
const NO_KEY = { positiveRatio: 0 };
/** The chapter's retrieval, without the early exit that is ours. */
const FOUR: Select = { table: "cuckoo", variant: "", params: { functions: 4 } };
const THREE: Select = { table: "cuckoo", variant: "", params: { functions: 3 } };

const TWO_LEVEL_GROWTH = 1.12;
const PROBES = { metric: "probes" };
/** As in 2009, 192 of a bucket's 409 keys at most are found with one probe; that is no more probes than with four functions. */
const FEW_PROBES: Cause = {
  text: "The time follows the probes, and of these an absent key takes more than the chapter's factor over a present one, which takes, placed in the rounds of 2009, no more of them than in the table with four functions.",
  checks: [
    ratio(
      { ...TWO_LEVEL, ...NO_KEY, ...PROBES },
      { ...TWO_LEVEL, ...ALL_KEYS, ...PROBES },
      "median",
      atLeast(TWO_LEVEL_GROWTH),
    ),
    ratio({ ...TWO_LEVEL, ...ALL_KEYS, ...PROBES }, { ...FOUR, ...ALL_KEYS, ...PROBES }, "median", atMost(1), {
      by: ["n"],
    }),
    linear(TWO_LEVEL, "probes", "time", "rises"),
  ],
};

const misses = (
  [
    ["4-functions", "with four functions", FOUR, 20.5, 41.6, 2.03],
    ["3-functions", "with three functions", THREE, 19, 31.4, 1.65],
    ["two-level", "from the two-level table", TWO_LEVEL, 30, 33.7, TWO_LEVEL_GROWTH],
  ] as const
).flatMap(([name, which, of, found, missed, growth]) => {
  const time = { ...of, metric: "time" };
  const took = (positiveRatio: number, ms: number) =>
    absoluteTime({ ...time, positiveRatio }, "median", near(ms * 1e6), "random reads");
  return figureClaims("cuckoo/misses", "GTX 470", {
    [`${name}-found`]: {
      text: `10 million retrievals ${which} take ${found} ms if all keys are found.`,
      check: took(1, found),
    },
    [`${name}-missed`]: {
      text: `10 million retrievals ${which} take ${missed} ms if no key is found.`,
      check: took(0, missed),
    },
    [`${name}-growth`]: {
      text: `Retrievals ${which} take ${growth} times as long if no key is found as if all are.`,
      check: ratio({ ...time, positiveRatio: 0 }, { ...time, positiveRatio: 1 }, "median", near(growth)),
      cause: of === TWO_LEVEL ? FEW_PROBES : undefined,
    },
    [`${name}-linear`]: {
      text: `The time of retrievals ${which} rises linearly with the share of absent keys.`,
      paper: "linear",
      check: linear(of, "positive_ratio", "time", "falls"),
    },
  });
});

const against = figureClaims("cuckoo/misses", "GTX 470", {
  "two-level-overtakes": {
    text: "With four functions retrievals beat the two-level table's if all keys are present, and lose if none are.",
    check: crossing(FOUR, TWO_LEVEL, "positive_ratio", "above", { by: ["positive_ratio"], metric: "time" }),
    cause: FEW_PROBES,
  },
  "three-over-two-level": {
    text: "With three functions retrievals beat the two-level table's, whatever the share of absent keys.",
    paper: "19–31.4 < 30–33.7 ms",
    check: faster(THREE, TWO_LEVEL, ["positive_ratio"]),
  },
});

const by = (functions: number): Select => ({ table: "cuckoo", params: { functions } });
const functions = figureClaims("cuckoo/functions", "GTX 470", {
  build: {
    text: "More functions decrease the construction time: from three to five.",
    paper: "5 > 4 > 3",
    check: order([5, 4, 3].map(by), "geometric", { op: "insert" }),
  },
  retrieve: {
    text: "More functions increase the retrieval time: from three to five.",
    paper: "3 > 4 > 5",
    check: order([3, 4, 5].map(by), "geometric", { by: ["positive_ratio"], op: "find" }),
  },
  absent: {
    text: "That more functions increase the retrieval time is more obvious if keys are absent.",
    paper: "more",
    check: falls(by(5), "positive_ratio", { over: by(3), by: ["positive_ratio"], op: "find", metric: "time" }),
  },
});

/** The chapter does not say of how many pairs its spaces are. */
const MORE_PAIRS: Cause = {
  text: "With two of the chapter's functions builds fail the more often, the more pairs there are: for 2^16 pairs the space is the paper's.",
  checks: [
    value({ table: "cuckoo", n: "first", params: { functions: 2 }, metric: "smallest_space" }, "max", near(2.1)),
    rises({ table: "cuckoo", loadFactor: 1 / 2.1, params: { functions: 2 }, metric: "restart_share" }, "n"),
  ],
};

const smallestSpaces = figureClaims(
  "cuckoo/restarts",
  "GTX 470",
  each(Object.entries(SMALLEST_SPACE), ([key, space]) => {
    const functions = Number(key);
    return {
      [`smallest-${functions}`]: {
        text: `With ${functions} functions the smallest practical table has ${space}n slots.`,
        paper: `${space}n`,
        check: value({ table: "cuckoo", params: { functions }, metric: "smallest_space" }, "max", near(space)),
        cause: functions === 2 ? MORE_PAIRS : undefined,
      },
    };
  }),
);

/** Without ODD_SLOTS of restarts.ts, a slightly smaller load factor. */
const BASE: Select = { table: "cuckoo", loadFactor: { from: 0.799999, to: 0.800001 }, params: { functions: 4 } };
const ODD: Select = { ...BASE, loadFactor: { from: 0.79999, to: 0.799998 } };
const restarts = figureClaims("cuckoo/restarts", "GTX 470", {
  share: {
    text: "0.56 % of the builds of 32 million pairs restart, with 4 functions and 1.25n slots.",
    check: value({ ...BASE, n: "last", metric: "restart_share" }, "median", near(0.0056)),
    cause: {
      text: "The share depends on the number of slots, of which the chapter says 1.25n alone: with a few more, an odd number of them, no more than half as many builds restart (of 2^16 and 2^21 pairs).",
      checks: [ratio({ ...ODD, n: { to: 2 ** 21 } }, BASE, "every", MUCH_LESS, { by: ["n"], metric: "restart_share" })],
    },
  },
  iterations: {
    text: "The median insertion takes one or two iterations.",
    paper: "1–2",
    check: value({ ...BASE, metric: "median_probes" }, "max", between(1, 2)),
  },
});

export const parameterClaims: readonly Claim[] = [...misses, ...against, ...functions, ...smallestSpaces, ...restarts];
