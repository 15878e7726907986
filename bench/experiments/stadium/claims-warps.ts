/** Claims about warp execution efficiency: Khorasani et al., PACT 2015, Table I and the introduction. */
import type { Cause, Claim, Select } from "../../claims/claim.js";
import { atLeast, each, falls, figureClaims, near, order, ratio, value } from "../figure-claims.js";
import { EFFICIENCIES, LOAD_FACTORS } from "./table1.js";

const GPU = "GTX 780";
const CUCKOO: Select = { table: "cuckoo" };
const STASH: Select = { table: "stash" };
const CLSTASH: Select = { table: "clstash" };

/** Nearer to a profiler's numbers, which the paper's are; the other weighting has to agree in order and trend. */
const BY_INSTRUCTIONS = "warp_efficiency_instructions";
const BY_STEPS = "warp_efficiency";
const WEIGHTINGS = [
  ["", "", BY_INSTRUCTIONS, {}],
  ["-steps", ", by probe steps", BY_STEPS, { origin: "hashbench" }],
] as const;
const claiming = (loadFactor: number, efficiency: number): Cause => ({
  text: "By probe steps, whatever instructions each takes, it is at least the paper's.",
  checks: [value({ ...CLSTASH, loadFactor, metric: BY_STEPS }, "median", atLeast(efficiency))],
});
const table1 = (
  [
    ["cuckoo", CUCKOO],
    ["stash", STASH],
    ["clstash", CLSTASH],
  ] as const
).flatMap(([name, table]) => [
  ...LOAD_FACTORS.flatMap((loadFactor, i) => {
    const percent = EFFICIENCIES[name][i];
    const share = Number(((percent ?? 0) / 100).toFixed(4));
    return figureClaims("stadium/table1", GPU, {
      [`${name}-${loadFactor}`]: {
        text: `Insertion into ${name} keeps ${percent} % of a warp's lanes active at load factor ${loadFactor}.`,
        check: value({ ...table, loadFactor, metric: BY_INSTRUCTIONS }, "median", near(share)),
        cause: name === "clstash" ? claiming(loadFactor, share) : undefined,
      },
    });
  }),
  ...WEIGHTINGS.flatMap(([suffix, weighted, metric, origin]) =>
    figureClaims("stadium/table1", GPU, {
      [`${name}-falls${suffix}`]: {
        ...origin,
        text: `The warp efficiency of insertion into ${name} falls as the load factor rises${weighted}.`,
        check: falls({ ...table, metric }, "load_factor"),
      },
    }),
  ),
]);

const efficiencies = figureClaims("stadium/table1", GPU, {
  ...each(WEIGHTINGS, ([suffix, weighted, metric, origin]) => ({
    [`order${suffix}`]: {
      ...origin,
      text: `clStash has a higher warp efficiency than Stash, and Stash than cuckoo, at every load factor${weighted}.`,
      paper: "clStash > Stash > cuckoo",
      check: order([CLSTASH, STASH, CUCKOO], "every", { by: ["load_factor"], metric }),
    },
  })),
  "over-stash": {
    text: "The warp efficiency of clStash is around twice that of Stash.",
    check: ratio(CLSTASH, STASH, "geometric", near(2), { by: ["load_factor"], metric: BY_INSTRUCTIONS }),
  },
  "over-cuckoo": {
    text: "The warp efficiency of clStash is around 3.5 times that of cuckoo.",
    check: ratio(CLSTASH, CUCKOO, "geometric", near(3.5), { by: ["load_factor"], metric: BY_INSTRUCTIONS }),
  },
});

export const warpClaims: readonly Claim[] = [...table1, ...efficiencies];
