/** Why claims about GPH are not reproduced, where rows show it; shared by several of them. */
import type { Cause, Check, Select } from "../../claims/claim.js";

const RATIO = "positive_ratio";
const GPH: Select = { table: "gph" };
/** Whose keys are drawn alike; the caches hold those that TaoBench draws most. */
export const UNIFORM = { dataset: ["random", "lineitem", "reddit"] } as const;
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
function fewSectors(table: string, name: string, transactions: number): Cause {
  return {
    text:
      `GPH is at the rate that this device reads random blocks of 128 bytes at, more than 0.6 of that of 32 bytes, and ${name} ` +
      `reads no more than ${transactions} sectors of 32 bytes a lookup.`,
    checks: [AT_THE_LIMIT, BLOCKS, atMost(table, transactions)],
  };
}

/** Why GPH gains less over DyCuckoo than on the paper's device, where instructions took their time too. */
const BY_SECTORS: Cause = {
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

/** Why sectors stand in badly for cycles, with half of the keys present. */
export const REQUESTS: Readonly<Record<string, Cause>> = {
  cuckoo: oneRequest("cuckoo", "CUDPP", 1.5),
  warpcore: oneRequest("warpcore", "WarpCore", 1.5),
};

/** Why GPH gains less over a table, whose lookups read no more than so many sectors where they look for keys of any kind. */
export const GAINS: Readonly<Record<string, Cause>> = {
  cuckoo: fewSectors("cuckoo", "CUDPP", 2),
  dycuckoo: BY_SECTORS,
  warpcore: fewSectors("warpcore", "WarpCore", 2.05),
};

/** Why the rate does not rise with the share of present keys. */
export const SAME_READS: Readonly<Record<string, Cause>> = {
  gph: {
    text: "A lookup reads one bucket of 4 sectors whatever it looks for, and is as fast.",
    checks: [
      { kind: "value", of: { ...GPH, metric: "transactions" }, mean: "max", expect: { near: 4, within: 0.001 } },
      { kind: "value", of: { ...GPH, metric: "transactions" }, mean: "min", expect: { near: 4, within: 0.001 } },
      { kind: "trend", of: { ...GPH, ...UNIFORM }, along: RATIO, expect: "flat" },
    ],
  },
  warpcore: {
    text: "Keys and values are in arrays of their own here: an absent key takes one sector, a present one a second, for its value.",
    checks: [
      {
        kind: "value",
        of: { table: "warpcore", ...UNIFORM, positiveRatio: 0, metric: "transactions" },
        mean: "max",
        expect: { atMost: 1.2 },
      },
      {
        kind: "trend",
        of: { table: "warpcore", ...UNIFORM, metric: "transactions" },
        along: RATIO,
        expect: "rises",
      },
    ],
  },
};

/** The table's cause, if it has one. */
export function because(causes: Readonly<Record<string, Cause>>, table: string): { readonly cause?: Cause } {
  const cause = causes[table];
  return cause ? { cause } : {};
}
