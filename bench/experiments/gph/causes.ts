/** Why claims about GPH are not reproduced, where rows show it; shared by several of them. */
import type { Cause, Check, Expectation, Select } from "../../claims/claim.js";
import { WITHIN } from "../../claims/rule.js";
import { ALIKE, atLeast, atMost, flat, MUCH_LESS, near, ratio, value } from "../figure-claims.js";

export const RATIO = "positive_ratio";
/** The table's size in bytes appears as its load factor: the larger the table, the lower. */
export const TABLE_SIZE = "load_factor";
/** A stand-in for achieved occupancy, and one for executed instructions × cycles per instruction. */
export const OCCUPANCY = { metric: "balance" };
export const CYCLES = { metric: "transactions" };
export const GPH: Select = { table: "gph", variant: "paper" };
export const OTHERS = [
  ["cuckoo", "CUDPP"],
  ["dycuckoo", "DyCuckoo"],
  ["warpcore", "WarpCore"],
] as const;
/** Data sets whose keys are drawn uniformly; the caches hold those that TaoBench draws most. */
export const UNIFORM = { dataset: ["random", "lineitem", "reddit"] } as const;
const CELL = ["dataset", "load_factor", "positive_ratio"];
const limits = (table: string, metric = "mops"): Select => ({
  experiment: "device/limits",
  table,
  params: { tableMiB: 1024 },
  metric,
});
/** How far the device's own rate of random blocks of 128 bytes is above a table's. */
const limitOver = (table: string, mean: "max" | "median", expect: Expectation, where: Select = UNIFORM): Check =>
  ratio({ ...GPH, ...where, metric: "limit_mops" }, { table, ...where }, mean, expect, { by: CELL });
/** Random blocks of 128 bytes are bound by the bandwidth of the memory. */
const BANDWIDTH: Check = ratio(limits("lookup128x4", "bandwidth"), limits("copy", "bandwidth"), "median", ALIKE, {
  by: ["params.tableMiB"],
});
/** A block takes longer than a sector of 32 bytes. */
export const BLOCKS: Check = ratio(limits("lookup128x4"), limits("lookup32"), "median", atMost(1), {
  by: ["params.tableMiB"],
});
const fewerSectors = (table: string): Check =>
  ratio({ table }, GPH, "every", atMost(1), { by: CELL, ...UNIFORM, metric: "transactions" });

const NAMES = { cuckoo: "CUDPP", warpcore: "WarpCore" } as const;

/** Why GPH gains less than the paper's factor over a table that reads few sectors a lookup. */
function fewSectors(table: keyof typeof NAMES, factor: number): Cause {
  const name = NAMES[table];
  return {
    text:
      `Even at the rate at which this device reads random blocks of 128 bytes, bound by the memory's bandwidth, GPH would be less than ${factor} times as fast as ${name}; ` +
      `${name} reads fewer sectors a lookup than the block has.`,
    checks: [limitOver(table, "max", atMost(factor)), BANDWIDTH, fewerSectors(table)],
  };
}

/** GPH's rate with buckets of fewer slots. */
const slots = (M: number): Select => ({
  table: "gph",
  experiment: "gph/fig13b",
  params: { requester: true, perfect: true, M },
});
/** The cell index that GPH reads beside each block costs time: with smaller buckets, of fewer sectors, it is larger. */
const INDEX: readonly Check[] = [4, 8].map((M) =>
  ratio(slots(M), slots(16), "median", atMost(1 + WITHIN.clock), { by: ["positive_ratio"] }),
);

/** Why GPH is not faster than the table for keys of that kind. */
function noLead(table: keyof typeof NAMES, where: Select, keys: string): Cause {
  return {
    text:
      `For ${keys} GPH would be hardly faster than ${NAMES[table]}, by the median, even at the rate at which this device reads random blocks of 128 bytes, ` +
      "and it reads its cell index too: with smaller buckets, of fewer sectors but with a larger index, it is hardly faster (gph/fig13b).",
    checks: [limitOver(table, "median", ALIKE, where), ...INDEX],
  };
}

/** Why GPH gains less over DyCuckoo than on the paper's device, where instructions took their time too. */
const bySectors = (factor: number): Cause => ({
  text: `By the sectors that lookups read GPH would not be ${factor} times as fast as DyCuckoo either, nor at the rate at which this device reads random blocks of 128 bytes.`,
  checks: [
    ratio({ table: "dycuckoo" }, GPH, "every", atMost(factor), { by: CELL, ...UNIFORM, metric: "transactions" }),
    limitOver("dycuckoo", "max", atMost(factor)),
  ],
});

const ONE_BLOCK: Check = value({ ...GPH, metric: "block_requests" }, "every", near(1));
const noBlocks = (table: string): Check => value({ table, metric: "block_requests" }, "max", atMost(0));

/** Why sectors say less about cycles than requests would. */
export function oneRequest(table: string, name: string, sectors: "one sector" | "two sectors"): Cause {
  const requests = sectors === "one sector" ? "transactions" : "block_requests";
  return {
    text:
      `Sectors are not cycles: the 4 of GPH's one request a lookup arrive together, and ${name} makes a request or more ` +
      `for ${sectors} each.`,
    checks: [
      ONE_BLOCK,
      value({ table, metric: requests }, "every", atLeast(1)),
      ...(sectors === "one sector" ? [noBlocks(table)] : []),
    ],
  };
}

/** Why the stand-in for occupancy is above the profiler's, which the three other tables show: their own, in per cent. */
export function onlyTheLongest(others: readonly (readonly [table: string, occupancy: number])[]): Cause {
  const [first, ...rest] = others.map(
    ([table, occupancy]): Check =>
      value({ table, metric: "balance" }, "median", atLeast(Number((occupancy / 100).toFixed(4)))),
  );
  if (!first) throw new Error("no table to compare with");
  return {
    text: "Balance counts only that warps wait for the longest of their workgroup, of all that lowers occupancy: for the other three tables too it is above the profiler's.",
    checks: [first, ...rest],
  };
}

type Ratio = Extract<Check, { kind: "ratio" }>;
const byDataset = (of: Select, over: Select, { mean, expect }: Pick<Ratio, "mean" | "expect">): Check =>
  ratio(of, over, mean, expect, { by: ["dataset"] });
/** Billions of lookups that the profiler's numbers are of, by which its billions of instructions are divided. */
const LOOKUPS = 0.2;
export const INSTRUCTIONS: Readonly<Record<string, Cause>> = {
  cuckoo: {
    text: "It is GPH whose instructions are fewer: a lookup takes fewer operations of the source than the paper's takes instructions.",
    checks: [value({ ...GPH, metric: "warp_operations" }, "median", atMost(Number((6.43 / LOOKUPS).toPrecision(3))))],
  },
};

/** Why DyCuckoo's multiple of GPH's cycles is smaller. */
const SECTORS_ARE_TIME: Cause = {
  text: "Of time, too, DyCuckoo's lookups take less than the paper's multiple of GPH's cycles.",
  checks: [
    byDataset(
      { table: "dycuckoo", metric: "time" },
      { ...GPH, metric: "time" },
      { mean: "median", expect: atMost(Number((463.13 / 148.91).toPrecision(3))) },
    ),
  ],
};

/** Why cycles do not follow from sectors over all tables. */
export const OFF_THE_LINE: Cause = {
  text: "Sectors are not cycles: a lookup of CUDPP's reads fewer than half as many as one of GPH's, by a request each, and takes longer than GPH's one request for 4.",
  checks: [
    byDataset(
      { table: "cuckoo", metric: "transactions" },
      { ...GPH, metric: "transactions" },
      { mean: "max", expect: MUCH_LESS },
    ),
    byDataset(
      { table: "cuckoo", metric: "time_balance" },
      { ...GPH, metric: "time_balance" },
      { mean: "min", expect: atLeast(1) },
    ),
    noBlocks("cuckoo"),
    ONE_BLOCK,
  ],
};

/** Why sectors are a bad stand-in for cycles, with half of the keys present. */
const REQUESTS: Readonly<Record<string, Cause>> = {
  cuckoo: oneRequest("cuckoo", "CUDPP", "one sector"),
  warpcore: oneRequest("warpcore", "WarpCore", "two sectors"),
};
export const TOTAL_CYCLES: Readonly<Record<string, Cause>> = { ...REQUESTS, dycuckoo: SECTORS_ARE_TIME };

/** Why GPH gains less over a table than the paper's factor. */
export const GAINS = {
  cuckoo: (factor: number) => fewSectors("cuckoo", factor),
  dycuckoo: bySectors,
  warpcore: (factor: number) => fewSectors("warpcore", factor),
};

/** Why GPH is not faster everywhere. */
export const NO_LEAD: Readonly<Record<string, Cause>> = {
  cuckoo: noLead("cuckoo", { dataset: "reddit" }, "Reddit's keys, which fill a third of the tables at most,"),
  warpcore: noLead("warpcore", UNIFORM, "keys drawn uniformly"),
};

/** Why the rate does not rise with the share of present keys. */
export const SAME_READS: Readonly<Record<string, Cause>> = {
  gph: {
    text: "A lookup reads one bucket of 4 sectors whatever it looks for, and is as fast.",
    checks: [value({ ...GPH, metric: "transactions" }, "every", near(4)), flat({ ...GPH, ...UNIFORM }, RATIO)],
  },
  warpcore: {
    text: "In tables up to half full nearly every lookup ends at the first group of slots, whether its key is there or not, and reads as many sectors.",
    checks: [flat({ table: "warpcore", ...UNIFORM, params: { pairs: "beside" }, metric: "transactions" }, RATIO)],
  },
};
