/** Claims about compacting and multivalue tables: Alcantara et al., GPU Computing Gems 2011, 4.5.2. */
import type { Claim, Select, Where } from "../../claims/claim.js";
import {
  atLeast,
  atMost,
  crossing,
  drop,
  falls,
  faster,
  figureClaims,
  near,
  peak,
  ratio,
  rises,
} from "../figure-claims.js";
import { slowSort } from "./claims.js";

const MULTIPLICITY = "params.multiplicity";
const COMPACTING: Select = { table: "cuckoo-compacting" };
const COMPACTING_TWO: Select = { table: "two-level-compacting" };
const COMPACTED: Select = { table: "sorted-compacting" };
/** The cells in which a key occurs so often on average. */
const repeated = (of: Select, multiplicity: Where): Select => ({ ...of, params: { multiplicity } });
const MULTI: Select = { table: "cuckoo-multivalue" };
const MULTI_TWO: Select = { table: "two-level-multivalue" };
const MULTI_SORTED: Select = { table: "sorted-multivalue" };

const compacting = (
  [
    ["cuckoo", "single-level", COMPACTING],
    ["two-level", "two-level", COMPACTING_TWO],
  ] as const
).flatMap(([name, which, of]) =>
  figureClaims("cuckoo/fig4.5-build", "GTX 470", {
    [`${name}-unique`]: {
      text: `Without repetition the ${which} compacting table builds slower than the sorted structure.`,
      paper: "slower",
      check: faster({ ...COMPACTED, params: { multiplicity: 1 } }, of, [MULTIPLICITY]),
      cause: slowSort(of),
    },
    [`${name}-gap`]: {
      text: `The ${which} compacting table's lag behind the sorted structure's build is largest without repetition.`,
      paper: "1",
      check: peak(COMPACTED, MULTIPLICITY, near(1), { over: of, by: [MULTIPLICITY] }),
    },
    [`${name}-all`]: {
      text: `The ${which} compacting table builds slower than the sorted structure at every multiplicity.`,
      paper: "slower",
      check: faster(COMPACTED, of, [MULTIPLICITY]),
      cause: slowSort(of),
    },
    [`${name}-drop`]: {
      text: `The build time of the ${which} compacting table drops sharply once keys repeat.`,
      paper: "drops at 1",
      check: drop({ ...of, metric: "time" }, MULTIPLICITY, near(1)),
    },
  }),
);

const specialised = [
  ...compacting,
  ...figureClaims("cuckoo/fig4.5-build", "GTX 470", {
    "over-two-level": {
      text: "The single-level compacting table builds faster than the two-level one at every multiplicity.",
      check: faster(COMPACTING, COMPACTING_TWO, [MULTIPLICITY]),
      cause: {
        text: "Its lead grows as keys repeat. If all differ it makes more atomic operations on the table than the two-level build, and they go to the most memory.",
        checks: [
          rises(COMPACTING, MULTIPLICITY, { over: COMPACTING_TWO, by: [MULTIPLICITY] }),
          ratio(repeated(COMPACTING, 1), COMPACTING_TWO, "median", atLeast(1), {
            by: [MULTIPLICITY],
            metric: "table_rmws",
          }),
        ],
      },
    },
  }),
  ...figureClaims("cuckoo/fig4.5-retrieve", "GTX 470", {
    "over-two-level": {
      text: "The single-level compacting table retrieves faster than the two-level one at every multiplicity.",
      check: faster(COMPACTING, COMPACTING_TWO, [MULTIPLICITY]),
      cause: {
        text: "If all keys differ, the table of two levels takes fewer probes.",
        checks: [
          ratio(repeated(COMPACTING_TWO, 1), COMPACTING, "median", atMost(1), { by: [MULTIPLICITY], metric: "probes" }),
        ],
      },
    },
    "total-crosses": {
      text: "Build and retrieval together are faster than the sorted structure's until a key occurs 512 times on average.",
      paper: "512",
      // Cells are not paired by the load factor if a selection names it; a sorted list has none.
      check: crossing({ ...COMPACTING, loadFactor: { to: 1 } }, COMPACTED, MULTIPLICITY, "below", {
        expect: near(512),
        metric: "build_find_time",
      }),
      cause: {
        text: "Where keys occur 512 times and more the table is built faster than the sorted structure, which in the chapter is always built faster: that counts for more than what binary search may gain.",
        checks: [
          faster(
            { ...COMPACTING, experiment: "cuckoo/fig4.5-build", params: { multiplicity: { from: 512 } } },
            { ...COMPACTED, experiment: "cuckoo/fig4.5-build", params: { multiplicity: { from: 512 } } },
            [MULTIPLICITY],
          ),
        ],
      },
    },
  }),
  ...figureClaims("cuckoo/fig4.6-build", "GTX 470", {
    "sort-faster": {
      text: "The multivalue table always builds slower than the sorted structure.",
      paper: "slower",
      check: faster(MULTI_SORTED, MULTI, [MULTIPLICITY]),
    },
    "two-level-sparse": {
      text: "The two-level multivalue table becomes sparser as multiplicity grows.",
      check: falls({ ...MULTI_TWO, metric: "load_factor_reached" }, MULTIPLICITY),
    },
  }),
  ...figureClaims("cuckoo/fig4.6-retrieve", "GTX 470", {
    "hash-faster": {
      text: "The multivalue table always retrieves faster than binary search in the sorted structure.",
      check: faster(MULTI, MULTI_SORTED, [MULTIPLICITY]),
      cause: {
        text: "It does until few different keys are left, whose binary search stays in the caches.",
        checks: [
          crossing(MULTI, MULTI_SORTED, MULTIPLICITY, "above", { by: [MULTIPLICITY] }),
          falls({ ...MULTI_SORTED, metric: "time" }, MULTIPLICITY),
        ],
      },
    },
  }),
];

export const specialisedClaims: readonly Claim[] = specialised;
