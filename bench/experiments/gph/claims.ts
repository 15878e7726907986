/** Claims about lookups: Cao et al., GPH, SIGMOD 2025, sections 3.2 to 3.4 and 7.2. */
import type { Cause, Claim, Select } from "../../claims/claim.js";
import { faster, figureClaims } from "../figure-claims.js";
import {
  because,
  GAINS,
  INSTRUCTIONS,
  NO_LEAD,
  OFF_THE_LINE,
  onlyTheLongest,
  SAME_READS,
  TOTAL_CYCLES,
  UNIFORM,
} from "./causes.js";
import { PROFILES } from "./table2-fig11.js";

const GPU = "Tesla V100S";
const GPH: Select = { table: "gph" };
const OTHERS = [
  ["cuckoo", "CUDPP"],
  ["dycuckoo", "DyCuckoo"],
  ["warpcore", "WarpCore"],
] as const;
const ALL = [...OTHERS, ["gph", "GPH"]] as const;
const NAMES: Readonly<Record<string, string>> = Object.fromEntries(ALL);
/** The table's size in bytes appears as its load factor: the larger the table, the lower. */
const TABLE_SIZE = "load_factor";
const RATIO = "positive_ratio";
/** A stand-in for achieved occupancy, and one for executed instructions × cycles per instruction. */
const OCCUPANCY = { metric: "balance" };
const CYCLES = { metric: "transactions" };

/** What a profiler counts for an instruction or a warp: our stand-ins have other units, so that only ratios to GPH's compare. */
const COUNTED = {
  instructions: {
    column: 1,
    says: (value: number) => `executes ${value} billion warp instructions`,
    unit: "G",
    standIn: "warp_operations",
    what: "operations of the source that warps execute",
  },
  cycles: {
    column: 2,
    says: (value: number) => `takes ${value} cycles for an instruction`,
    unit: "",
    standIn: "warp_operation_sectors",
    what: "sectors a warp operation",
  },
} as const;

/** Why what a profiler counted says nothing of ours. */
export const notProfiled = (standIn: string): string =>
  `No counter of WebGPU counts them; ours are ${standIn}, for a lookup. What compares are ratios of tables.`;

function countedClaim(
  table: keyof typeof PROFILES,
  counted: keyof typeof COUNTED,
): Omit<Claim, "id" | "experiment" | "device"> {
  const { column, says, unit, standIn, what } = COUNTED[counted];
  const [value, gph] = [PROFILES[table][column], PROFILES.gph[column]];
  if (table === "gph")
    return {
      text: `GPH ${says(gph)} (stand-in: ${what}).`,
      paper: `${gph} ${unit}`.trim(),
      check: { kind: "value", of: { ...GPH, metric: standIn }, mean: "median", expect: { near: gph } },
      incomparable: notProfiled(what),
    };
  const factor = Number((value / gph).toPrecision(3));
  return {
    text: `${NAMES[table]} ${says(value)} and GPH ${gph}: ${factor} of that (stand-in: ${what}).`,
    paper: `${factor}×`,
    check: {
      kind: "ratio",
      of: { table, metric: standIn },
      over: { ...GPH, metric: standIn },
      by: ["dataset"],
      mean: "median",
      expect: { near: factor },
    },
    ...because(counted === "cycles" ? TOTAL_CYCLES : INSTRUCTIONS, table),
  };
}

const TABLES = Object.keys(PROFILES) as (keyof typeof PROFILES)[];

/** Only WarpCore's occupancy is not what the profiler says. */
const OCCUPANCIES: Readonly<Record<string, Cause>> = {
  warpcore: onlyTheLongest(
    TABLES.filter((table) => table !== "warpcore").map((table) => [table, PROFILES[table][0]] as const),
  ),
};

const profiles = TABLES.map((table) => [table, PROFILES[table]] as const).flatMap(([table, [occupancy, , , ms]]) =>
  figureClaims("gph/table2", GPU, {
    [`${table}-occupancy`]: {
      text: `${NAMES[table]} achieves ${occupancy} % occupancy (stand-in: balance of the warps' steps).`,
      paper: `${occupancy} %`,
      check: {
        kind: "value",
        of: { table, ...OCCUPANCY },
        mean: "median",
        expect: { near: Number((occupancy / 100).toFixed(4)), within: 0.1 },
      },
      ...because(OCCUPANCIES, table),
    },
    [`${table}-instructions`]: countedClaim(table, "instructions"),
    [`${table}-cycles`]: countedClaim(table, "cycles"),
    [`${table}-time`]: {
      text: `${NAMES[table]} answers 200 million lookups in ${ms} ms.`,
      paper: `${ms} ms`,
      check: {
        kind: "absolute",
        of: { table, metric: "time" },
        mean: "median",
        paper: { near: ms * 1e6 },
        unit: "ns",
        scales: "time",
      },
    },
  }),
);

const model = [
  ...figureClaims("gph/table2", GPU, {
    "occupancy-order": {
      text: "Occupancy is highest for GPH, then CUDPP, then DyCuckoo, and lowest for WarpCore.",
      paper: "GPH highest",
      check: {
        kind: "order",
        of: ["gph", "cuckoo", "dycuckoo", "warpcore"].map((table) => ({ table, ...OCCUPANCY })),
        by: ["dataset"],
        mean: "median",
      },
    },
  }),
  // Billions of cycles (instructions × cycles per instruction) as the text of 3.4 prints them, GPH's 148.91.
  ...(
    [
      ["warpcore", 211.24],
      ["dycuckoo", 463.13],
      ["cuckoo", 325.91],
    ] as const
  ).flatMap(([table, billions]) => {
    const factor = Number((billions / 148.91).toPrecision(3));
    return figureClaims("gph/table2", GPU, {
      [`${table}-total-cycles`]: {
        text: `${NAMES[table]} takes ${billions} billion cycles and GPH 148.91, ${factor} times fewer (stand-in: transactions).`,
        paper: `${factor}×`,
        check: {
          kind: "ratio",
          of: { table, ...CYCLES },
          over: { ...GPH, ...CYCLES },
          by: ["dataset"],
          mean: "median",
          expect: { near: factor },
        },
        ...because(TOTAL_CYCLES, table),
      },
    });
  }),
  ...figureClaims("gph/fig3", GPU, {
    pearson: {
      text: "Time × occupancy correlates with the cycles of all instructions, Pearson's r 0.9993 (stand-ins for both).",
      paper: "0.9993",
      check: {
        kind: "correlation",
        of: { table: TABLES },
        x: "transactions",
        y: "time_balance",
        expect: { near: 0.9993, within: 0.01 },
      },
      cause: OFF_THE_LINE,
    },
  }),
];

const DATASETS = { random: "Random", lineitem: "Lineitem", taobench: "TaoBenchmark", reddit: "Reddit" } as const;
const AVERAGE = { cuckoo: [1.74, 2.29], dycuckoo: [3.82, 3.88], warpcore: [1.75, 2.78] } as const;

const tableSizes = [
  ...figureClaims("gph/fig9", GPU, {
    rate: {
      text: "GPH answers over 8000 million lookups per second for every data set and table size.",
      paper: "> 8000 M/s",
      check: {
        kind: "absolute",
        of: GPH,
        mean: "min",
        paper: { atLeast: 8000 },
        unit: "M op/s",
        scales: "rate",
      },
    },
    "gph-flat": {
      text: "The lookup rate of GPH is stable over table sizes.",
      paper: "stable",
      check: { kind: "trend", of: GPH, along: TABLE_SIZE, expect: "flat" },
    },
  }),
  ...OTHERS.flatMap(([table, name]) =>
    figureClaims("gph/fig9", GPU, {
      [`over-${table}`]: {
        text: `GPH answers lookups faster than ${name} for every data set and table size.`,
        paper: "faster",
        check: faster(GPH, { table }, ["dataset", TABLE_SIZE]),
        ...because(NO_LEAD, table),
      },
      [`${table}-gains`]: {
        text: `${name} answers lookups the faster, the larger its table is.`,
        paper: "rises",
        check: { kind: "trend", of: { table }, along: TABLE_SIZE, expect: "falls" },
        cause: {
          text: `Lookups of Reddit's keys, which fill a fifth to a third of the tables, read as many sectors in the smallest as in the largest (${name}).`,
          checks: [
            {
              kind: "trend",
              of: { table, dataset: "reddit", metric: "transactions" },
              along: TABLE_SIZE,
              expect: "flat",
              tolerance: 0.05,
            },
          ],
        },
      },
    }),
  ),
  ...OTHERS.flatMap(([table, name]) =>
    Object.entries(DATASETS).flatMap(([dataset, title]) => {
      const [from, to] = AVERAGE[table];
      return figureClaims("gph/fig9", GPU, {
        [`over-${table}-${dataset}`]: {
          text: `On average over table sizes GPH is ${from} to ${to} times as fast as ${name}, whatever the data set: ${title}.`,
          paper: `${from}–${to}×`,
          check: {
            kind: "ratio",
            of: { ...GPH, dataset },
            over: { table, dataset },
            by: [TABLE_SIZE],
            mean: "geometric",
            expect: { from, to },
          },
          cause: GAINS[table](from),
        },
      });
    }),
  ),
];

const UP_TO = { cuckoo: 2.11, dycuckoo: 3.63, warpcore: 2.52 } as const;
const NONE = { positiveRatio: 0 };
const positiveRatios = [
  ...OTHERS.flatMap(([table, name]) =>
    figureClaims("gph/fig10", GPU, {
      [`over-${table}`]: {
        text: `GPH answers lookups up to ${UP_TO[table]} times as fast as ${name}.`,
        paper: `≤ ${UP_TO[table]}×`,
        check: {
          kind: "ratio",
          of: GPH,
          over: { table },
          by: ["dataset", RATIO],
          mean: "max",
          expect: { near: UP_TO[table] },
        },
        cause: GAINS[table](UP_TO[table]),
      },
      [`${table}-absent`]: {
        text: `${name} stays below 5000 million lookups per second if no key is present.`,
        paper: "< 5000 M/s",
        check: {
          kind: "absolute",
          of: { table, ...NONE },
          mean: "max",
          paper: { atMost: 5000 },
          unit: "M op/s",
          scales: "rate",
        },
      },
    }),
  ),
  ...ALL.flatMap(([table, name]) =>
    figureClaims("gph/fig10", GPU, {
      [`${table}-rises`]: {
        text: `The lookup rate of ${name} rises with the share of present keys.`,
        paper: "rises",
        check: { kind: "trend", of: { table }, along: RATIO, expect: "rises" },
        ...because(SAME_READS, table),
      },
    }),
  ),
  ...figureClaims("gph/fig10", GPU, {
    "gph-absent": {
      text: "GPH answers over 8500 million lookups per second for every data set if no key is present.",
      paper: "> 8500 M/s",
      check: {
        kind: "absolute",
        of: { ...GPH, ...NONE },
        mean: "min",
        paper: { atLeast: 8500 },
        unit: "M op/s",
        scales: "rate",
      },
    },
    "cuckoo-over-gph": {
      text: "CUDPP is slightly faster than GPH for TaoBenchmark if all keys are present.",
      paper: "slightly",
      check: {
        kind: "ratio",
        of: { table: "cuckoo", dataset: "taobench", positiveRatio: 1 },
        over: { ...GPH, dataset: "taobench", positiveRatio: 1 },
        by: ["n"],
        mean: "median",
        expect: { from: 1, to: 1.25, within: 0 },
      },
      cause: {
        text: "At this load factor, 0.82, a lookup of CUDPP's reads two slots in different sectors, and GPH's one bucket.",
        checks: [
          {
            kind: "value",
            of: { table: "cuckoo", dataset: "taobench", positiveRatio: 1, metric: "transactions" },
            mean: "median",
            expect: { atLeast: 2 },
          },
          {
            kind: "value",
            of: { ...GPH, dataset: "taobench", positiveRatio: 1, metric: "block_requests" },
            mean: "median",
            expect: { near: 1, within: 0.001 },
          },
        ],
      },
    },
    "warpcore-over-dycuckoo-absent": {
      text: "WarpCore rejects absent keys faster than DyCuckoo.",
      paper: "faster",
      check: faster({ table: "warpcore", ...NONE }, { table: "dycuckoo", ...NONE }, ["dataset"]),
    },
    "cuckoo-over-dycuckoo-absent": {
      text: "CUDPP rejects absent keys faster than DyCuckoo.",
      paper: "faster",
      check: faster({ table: "cuckoo", ...NONE }, { table: "dycuckoo", ...NONE }, ["dataset"]),
      cause: {
        text: "It does so but for TaoBenchmark, whose keys fill 82 % of the table: CUDPP reads more than three sectors there for an absent key.",
        checks: [
          faster({ table: "cuckoo", ...UNIFORM, ...NONE }, { table: "dycuckoo", ...UNIFORM, ...NONE }, ["dataset"]),
          {
            kind: "value",
            of: { table: "cuckoo", dataset: "taobench", ...NONE, metric: "transactions" },
            mean: "median",
            expect: { atLeast: 3 },
          },
        ],
      },
    },
  }),
];

export const claims: readonly Claim[] = [...profiles, ...model, ...tableSizes, ...positiveRatios];
