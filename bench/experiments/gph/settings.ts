/** What the experiments of GPH share. */
import type { Cause, Check, Select } from "../../claims/claim.js";
import type { Axes, Channel, PaperValue, Series } from "../../experiment.js";

/** The paper writes GB; only with 2^30 bytes does its largest data set fit its smallest table. */
export const GB = 2 ** 30;

/** Bytes of tables. The largest is 64 KiB short of 2 GB: bindings hold 16 bytes less than that on an H200, and tables round up. */
export const SIZES: readonly number[] = [1.25 * GB, 1.5 * GB, 1.75 * GB, 2 * GB - 2 ** 16];

/** As the paper's axis. */
export const TABLE_SIZE: Channel = { field: "table_mib", title: "Table size (GB)", factor: 2 ** 20 / GB };

/** Of GPH's rates, all of them. */
export function above(mops: number): PaperValue {
  return { label: `GPH above ${mops.toLocaleString("en-US")} M/s (V100S)`, table: "gph", value: mops };
}

export const LOOKUPS = 200_000_000;

/** The paper's data sets, and their pairs. */
export const DATASETS = {
  n: { random: 100_000_000, lineitem: 100_784_453, taobench: 165_000_000, reddit: 54_160_677 },
  dataset: ["random", "lineitem", "taobench", "reddit"],
} satisfies Pick<Axes, "n" | "dataset">;

/** TaoBench fills tables so much that some of its pairs are refused. */
export const gph: Series = { table: "gph", label: "GPH", params: { refusals: true } };

/** GPH and the tables that the paper compares it with. */
export const TABLES: readonly Series[] = [
  gph,
  { table: "warpcore", label: "WarpCore" },
  { table: "dycuckoo", label: "DyCuckoo" },
  { table: "cuckoo", label: "Cuckoo" },
];

export const NOTES =
  "TaoBench and Reddit are stand-ins. TaoBench's 165 M pairs fill 61, 70, 82 and 98 % of tables of 2, 1.75, 1.5 and 1.25 GB: " +
  "GPH refuses some of them (refused_share), which lookups then do not find; the others cannot all be built so full. The paper " +
  "does not say how many pairs were left out of its own.";

const GPH: Select = { table: "gph" };
/** Whose keys are drawn alike; the caches hold those that TaoBench draws most. */
const UNIFORM = { dataset: ["random", "lineitem", "reddit"] } as const;
const LIMITS: Select = { experiment: "device/limits", op: "lookup", params: { tableMiB: 1024 } };
/** A random block of 128 bytes takes at least as long as one of 32, but not four times as long. */
const BLOCKS: Check = {
  kind: "ratio",
  of: { ...LIMITS, table: "lookup128x4" },
  over: { ...LIMITS, table: "lookup32" },
  by: ["n"],
  mean: "median",
  expect: { from: 0.6, to: 1 },
};
const AT_THE_LIMIT: Check = {
  kind: "value",
  of: { ...GPH, ...UNIFORM, metric: "limit_share" },
  mean: "min",
  expect: { atLeast: 0.9 },
};
const atMost = (table: string, transactions: number, where: Select = UNIFORM): Check => ({
  kind: "value",
  of: { table, ...where, metric: "transactions" },
  mean: "max",
  expect: { atMost: transactions },
});

/** Why GPH gains less than on the paper's device over a table that reads few sectors a lookup. */
export function fewSectors(table: string, name: string, transactions: number): Cause {
  return {
    text:
      `GPH is at the rate that this device reads random blocks of 128 bytes at, more than 0.6 of that of 32 bytes, and ${name} ` +
      `reads no more than ${transactions} sectors of 32 bytes a lookup.`,
    checks: [AT_THE_LIMIT, BLOCKS, atMost(table, transactions)],
  };
}

/** Why GPH gains less over DyCuckoo than on the paper's device, where instructions took their time too. */
export const BY_SECTORS: Cause = {
  text: "Lookups by DyCuckoo, by tiles of 4 lanes here, read up to twice the sectors of GPH's and take no longer than these need.",
  checks: [
    {
      kind: "ratio",
      of: { table: "dycuckoo", ...UNIFORM, metric: "transactions" },
      over: { ...GPH, ...UNIFORM, metric: "transactions" },
      by: ["dataset", "load_factor", "positive_ratio"],
      mean: "max",
      expect: { atMost: 2 },
    },
    {
      kind: "ratio",
      of: { ...GPH, ...UNIFORM },
      over: { table: "dycuckoo", ...UNIFORM },
      by: ["dataset", "load_factor", "positive_ratio"],
      mean: "max",
      expect: { atMost: 2 },
    },
  ],
};

/** Why a count of sectors says less of cycles than one of requests would. */
export function oneRequest(table: string, name: string, requests: number): Cause {
  return {
    text:
      `Sectors are not cycles: the 4 of GPH's one request a lookup arrive together, and ${name} makes ${requests} requests or more ` +
      "for one sector each.",
    checks: [
      { kind: "value", of: { ...GPH, metric: "block_requests" }, mean: "max", expect: { near: 1, within: 0.001 } },
      { kind: "value", of: { table, metric: "transactions" }, mean: "min", expect: { atLeast: requests } },
      { kind: "value", of: { table, metric: "block_requests" }, mean: "max", expect: { atMost: 0 } },
    ],
  };
}
