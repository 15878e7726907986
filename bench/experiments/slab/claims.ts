/** Claims by memory utilisation: Ashkiani et al., IPDPS 2018, section VI.A, figure 4. */
import type { Check, Claim, Expectation, Select } from "../../claims/claim.js";
import { atLeast, between, figureClaims, near, peak, ratio, SLIGHTLY_MORE, value } from "../figure-claims.js";
import { ALL, besideCuckoo, CUCKOO, dropAt65, instructions, NONE, rate, SLAB, speedUp, TILES } from "./checks.js";

const GPU = "Tesla K40c";
/** The load factor is the memory utilisation: bytes of pairs / all bytes of the table. */
const UTILISATION = "load_factor";
const around = (value: number) => ({ from: value - 0.02, to: value + 0.02 });

const bestRange = (of: Select): Check => peak(of, UTILISATION, between(0.19, 0.6));
const slabCount = (utilisation: number, expect: Expectation): Check =>
  value({ ...SLAB, loadFactor: around(utilisation), metric: "average_slab_count" }, "median", expect);

/** The lowest utilisation, at which lists have hardly more than one slab: "ideally". */
const ideal = (of: Select, metric: string): Check =>
  value({ ...SLAB, ...of, loadFactor: "first", metric }, "every", near(1));
const build = figureClaims("slab/fig4a", GPU, {
  "ideal-read": {
    text: "Ideally an insertion makes one memory access, to read a slab (here: at the lowest utilisation).",
    paper: "1",
    check: ideal({}, "probes"),
  },
  "ideal-cas": {
    text: "Ideally an insertion makes a single atomicCAS (here: at the lowest utilisation).",
    paper: "1",
    check: ideal({}, "table_rmws"),
  },
  peak: {
    text: "The slab hash builds at up to 512 million pairs per second.",
    check: rate(SLAB, "max", 512),
  },
  best: {
    text: "The slab hash builds fastest somewhere between 19 and 60 % memory utilisation.",
    paper: "19–60 %",
    check: bestRange(SLAB),
  },
  "best-low-count": {
    text: "A utilisation of 19 % means 0.2 slabs a bucket on average.",
    paper: "0.2 slabs",
    check: slabCount(0.2, near(0.2)),
  },
  "best-high-count": {
    text: "A utilisation of 60 % means 0.7 slabs a bucket on average.",
    paper: "0.7 slabs",
    check: slabCount(0.6, near(0.7)),
  },
  drop: {
    text: "The build rate of the slab hash drops suddenly at about 65 % utilisation.",
    paper: "65 %",
    check: dropAt65(SLAB),
  },
  "drop-count": {
    text: "With 0.9 to 1.1 slabs a bucket on average, where the rate drops, the utilisation is about 65 % (here: 1.07 slabs).",
    check: value(
      { table: "slab-hash", experiment: "slab/fig4c", params: { buckets: 2 ** 18 }, metric: "memory_utilisation" },
      "median",
      near(0.65),
    ),
  },
});

const search = figureClaims("slab/fig4b", GPU, {
  "ideal-read": {
    text: "Ideally a search makes a single memory access (here: at the lowest utilisation).",
    paper: "1",
    check: ideal({}, "probes"),
  },
  peak: {
    text: "The slab hash answers up to 937 million queries per second.",
    check: rate(SLAB, "max", 937),
  },
  best: {
    text: "The slab hash searches fastest somewhere between 19 and 60 % memory utilisation.",
    paper: "19–60 %",
    check: bestRange({ ...SLAB, ...ALL }),
  },
  "drop-all": {
    text: "The rate of searches for present keys in the slab hash drops suddenly at about 65 % utilisation.",
    paper: "65 %",
    check: dropAt65({ ...SLAB, ...ALL }),
  },
  "drop-none": {
    text: "The rate of searches for absent keys in the slab hash drops suddenly at about 65 % utilisation.",
    paper: "65 %",
    check: dropAt65({ ...SLAB, ...NONE }),
  },
});

/** The 2^27 pairs of limit/utilisation, of which a large GPU's cache holds as small a part as the paper's GPU's of 2^22. */
const BEYOND = { experiment: "limit/utilisation" } as const;
/**
 * Comparisons with cuckoo depend on what is in the cache: those of tables that are as many times as large as it as the paper's are
 * judged; those of the paper's number of pairs are ours.
 */
const comparisons = (
  [
    [BEYOND, "", {}],
    [{}, "-2-22", { origin: "hashbench" }],
  ] as const
).flatMap(([where, suffix, origin]) => {
  const [slab, tiles, cuckoo] = [SLAB, TILES, CUCKOO].map((one): Select => ({ ...one, ...where }));
  const pairs = suffix === "" ? "" : "With 2^22 pairs, of which a large GPU's cache holds much, ";
  const text = (sentence: string) =>
    pairs === "" ? sentence : `${pairs}${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`;
  const insert = { op: "insert" };
  const builds = { of: { ...where, ...insert }, by: [UTILISATION] };
  const searches = { of: { ...where, op: "find" }, by: [UTILISATION, "positive_ratio"] };
  const nearer = (queries: Select, factor: number) =>
    besideCuckoo(searches, { ...queries, ...where }, UTILISATION, factor);
  const halfFull: Select = { ...NONE, loadFactor: { from: 0.45, to: 0.65 } };
  return [
    ...figureClaims("slab/fig4a", GPU, {
      [`cuckoo${suffix}`]: {
        ...origin,
        text: text("Cuckoo builds 1.33 times as fast as the slab hash, by geometric mean over all utilisations."),
        check: speedUp({ ...cuckoo, ...insert }, { ...slab, ...insert }, UTILISATION, 1.33),
        cause: instructions("slab/fig5a", builds, {
          text: "By tiles cuckoo's lead is the paper's.",
          check: speedUp({ ...cuckoo, ...insert }, { ...tiles, ...insert }, UTILISATION, 1.33),
        }),
      },
      [`over-cuckoo${suffix}`]: {
        ...origin,
        text: text("At 65 % utilisation the slab hash builds marginally faster than cuckoo."),
        paper: "marginally",
        check: ratio(
          { ...slab, ...insert, loadFactor: around(0.65) },
          { ...cuckoo, ...insert },
          "geometric",
          SLIGHTLY_MORE,
          { by: [UTILISATION] },
        ),
        cause: instructions("slab/fig5a", builds),
      },
    }),
    ...figureClaims("slab/fig4b", GPU, {
      [`cuckoo-all${suffix}`]: {
        ...origin,
        text: text(
          "Cuckoo finds present keys 2.08 times as fast as the slab hash, by geometric mean over all utilisations.",
        ),
        check: speedUp({ ...cuckoo, ...ALL }, { ...slab, ...ALL }, UTILISATION, 2.08),
        cause: nearer(ALL, 2.08),
      },
      [`cuckoo-none${suffix}`]: {
        ...origin,
        text: text(
          "Cuckoo rejects absent keys 2.04 times as fast as the slab hash, by geometric mean over all utilisations.",
        ),
        check: speedUp({ ...cuckoo, ...NONE }, { ...slab, ...NONE }, UTILISATION, 2.04),
        cause: nearer(NONE, 2.04),
      },
      [`over-cuckoo-none${suffix}`]: {
        ...origin,
        text: text("Between 45 and 65 % utilisation the slab hash rejects absent keys 1.1 times as fast as cuckoo."),
        check: speedUp({ ...slab, ...halfFull }, { ...cuckoo, ...NONE }, UTILISATION, 1.1),
        cause: instructions("slab/fig5b", searches, {
          text: "By tiles the slab hash is at least 1.1 times as fast as cuckoo.",
          check: ratio({ ...tiles, ...halfFull }, { ...cuckoo, ...NONE }, "geometric", atLeast(1.1), {
            by: [UTILISATION],
          }),
        }),
      },
    }),
  ];
});

const utilisation = figureClaims("slab/fig4c", GPU, {
  most: {
    text: "The slab hash reaches at most about 94 % memory utilisation.",
    check: value({ table: "slab-hash", metric: "memory_utilisation" }, "max", near(0.94)),
  },
});

export const claims: readonly Claim[] = [...build, ...search, ...comparisons, ...utilisation];
