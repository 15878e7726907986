/** Claims of the concurrent benchmarks: Ashkiani et al., IPDPS 2018, section VI.C. */
import type { Claim, Select } from "../../claims/claim.js";
import {
  absoluteRate,
  atMost,
  each,
  figureClaims,
  near,
  order,
  ratio,
  SLIGHTLY_LESS,
  value,
} from "../figure-claims.js";
import { besideMisra, dropAt65, SLAB } from "./checks.js";
import { GAINS } from "./fig7.js";

const GPU = "Tesla K40c";
/** The mixes Γ0, Γ1, Γ2, by their share of updates. */
const slab = (updates: number): Select => ({ ...SLAB, params: { updates } });

const utilisation = figureClaims("slab/fig7a", GPU, {
  order: {
    text: "The slab hash is the faster, the fewer operations are updates: 20 %, 40 %, 100 %.",
    paper: "Γ2 > Γ1 > Γ0",
    check: order([0.2, 0.4, 1].map(slab), "every", { by: ["load_factor"] }),
  },
  "at-90": {
    text: "At about 90 % utilisation the slab hash runs about 100 million mixed operations per second.",
    check: absoluteRate({ ...SLAB, loadFactor: { from: 0.88, to: 0.92 } }, "arithmetic", near(100)),
  },
  "below-bulk": {
    text: "With updates only, the slab hash is slightly slower than in bulk building at the same utilisation.",
    paper: "slightly slower",
    check: ratio(slab(1), { ...SLAB, experiment: "slab/fig4a", op: "insert" }, "geometric", SLIGHTLY_LESS, {
      by: ["load_factor"],
    }),
  },
  ...each([1, 0.4, 0.2], (updates) => ({
    [`drop-${100 * updates}`]: {
      text: `With ${100 * updates} % updates, the rate of the slab hash drops sharply at 65 % utilisation.`,
      paper: "65 %",
      check: dropAt65(slab(updates)),
    },
  })),
});

const misra = figureClaims("slab/fig7b", GPU, {
  ...each(GAINS, ({ updates, factor }) => ({
    [`updates-${100 * updates}`]: {
      text: `With ${100 * updates} % updates the slab hash is ${factor} times as fast as Misra's table, by geometric mean.`,
      check: ratio(slab(updates), { table: "misra", params: { updates } }, "geometric", near(factor), {
        by: ["params.buckets"],
      }),
      cause: besideMisra(updates),
    },
  })),
  "misra-utilisation": {
    text: "Misra's table can use at most 50 % of its memory for keys.",
    paper: "50 %",
    check: value({ table: "misra", metric: "memory_utilisation" }, "max", atMost(0.5)),
  },
});

export const concurrentClaims: readonly Claim[] = [...utilisation, ...misra];
