/** Why claims about Stadium hashing are not reproduced, where rows show it. */
import type { Cause, Check, Expectation, Mean, Select } from "../../claims/claim.js";
import { atLeast, atMost, falls, flat, near, ratio, rises, value } from "../figure-claims.js";
import { LARGE_CHUNKS } from "./fig13.js";
import { SLICE } from "./settings.js";

export const CUCKOO: Select = { table: "cuckoo", variant: "" };
/** "Has to verify all 4 possible entry locations" of keys that are absent. */
export const VERIFYING: Select = { ...CUCKOO, params: { earlyExit: false } };
export const EARLY_EXIT: Select = { table: "cuckoo", variant: "early exit" };
export const HYBRIDS: Select = { table: "stash-hybrid" };
export const hybrid = (ticket: number): Select => ({ table: "stash-hybrid", params: { ticket } });

const TICKET = "params.ticket";
const ALONG_SLICES = "params.slice";
const TABLE_1 = { experiment: "stadium/table1", params: { ticket: 4 } } as const;
const overStash = (metric: string, expect: Expectation): Check => {
  return ratio({ table: "clstash" }, { table: "stash" }, "every", expect, { by: ["load_factor"], ...TABLE_1, metric });
};
export const SAME_ACCESSES: Cause = {
  text: "Collaborative lanes keep more than twice as many lanes of a warp busy (Table 1), and make the same accesses to memory, for which insertions wait.",
  checks: [overStash("warp_efficiency", atLeast(2)), overStash("transactions", near(1, 0.01))],
};

/** Random RMWs by the size of the memory that they go to. */
const slowerRmws = (fromMiB: number, toMiB: number): Check =>
  falls(
    { experiment: "device/limits", table: "and", params: { tableMiB: { from: fromMiB, to: toMiB } } },
    "params.tableMiB",
  );

/** Tickets with info bits: those without need one RMW less. */
const WITH_INFO = { from: 2 };
const firstChunk = (table: string, ticket = {}): Select => ({
  table,
  params: { chunks: LARGE_CHUNKS, chunk: 1, ...ticket },
});
const inserting = (table: string, metric: string): Select => {
  return { experiment: "stadium/fig19a", table, metric, params: { ticket: WITH_INFO } };
};
const whateverTheTicket = (metric: string): Check => flat(inserting("stash", metric), TICKET, { tolerance: 0.01 });
export const LONGER_WAITS: Cause = {
  text:
    "Collaborating takes a quarter more instructions here too, but they count the less, the longer an insertion waits for its " +
    "RMWs. Stash's RMWs and instructions are the same with tickets of two, four and eight bits, but its board is of 17, 34 and 67 MiB, " +
    "RMWs are slower in more memory, and it inserts slower from the first chunk on; what is left is that Stash keeps less than half as " +
    "many lanes busy as clStash.",
  checks: [
    ratio(inserting("clstash", "warp_operations"), inserting("stash", "warp_operations"), "min", atLeast(1.25), {
      by: [TICKET, "params.keyBytes", "params.valueBytes"],
    }),
    whateverTheTicket("table_rmws"),
    whateverTheTicket("warp_operations"),
    falls(firstChunk("stash", { ticket: WITH_INFO }), TICKET, { tolerance: 0.25 }),
    slowerRmws(16, 64),
    overStash("warp_efficiency", atLeast(2)),
    rises(firstChunk("clstash", { ticket: WITH_INFO }), TICKET, { over: firstChunk("stash"), by: [TICKET] }),
  ],
};

/**
 * Cuckoo's accesses over Stash's. The counted rate takes an exchange for a read and a write, whatever the paper's GPU made of
 * it.
 */
export const byAccesses = (
  of: Select,
  cuckoo: Select,
  expect: Expectation,
  text: string,
  mean: Mean = "geometric",
): Cause => ({
  text,
  checks: [ratio(cuckoo, of, mean, expect, { by: ["n"], metric: "host_accesses" })],
});
export const EXCHANGES =
  "By accesses to the table the factor is the paper's; the counted rate takes each of cuckoo's exchanges for a read and a write.";
export const EXITS =
  "By accesses to the table, and if an empty slot ends cuckoo's retrievals, as in the library that the paper measured, the factor is the paper's.";

/** By the rows of fig15, which are of tickets of four bits, whatever the claim's ticket size. */
export const byLargerSlices = (expect: Expectation): Cause => {
  const at = (table: string): Select => ({
    experiment: "stadium/fig15",
    table,
    params: { slice: { from: 10 * SLICE } },
  });
  return {
    text: "A slice of 100,000 operations is mostly fixed cost on this device, for cuckoo of two dispatches: in larger ones (shown with tickets of four bits) the factor is the paper's.",
    checks: [
      ratio(at("stash-hybrid"), at("cuckoo"), "geometric", expect, { by: ["n", ALONG_SLICES] }),
      rises({ experiment: "stadium/fig15", table: "cuckoo" }, ALONG_SLICES),
    ],
  };
};

const SATURATED = { saturated: "slice" } as const;
/** Why tickets of eight bits do not reach the factor: the same slices with tickets of four bits do. */
export const largerBoard = (expect: Expectation): Cause => {
  const eightOverFour = (metric: string, than: Expectation): Check =>
    ratio(hybrid(8), hybrid(4), "every", than, { by: ["n"], ...SATURATED, metric });
  return {
    text:
      "With tickets of four bits the factor is the paper's. With eight Stash makes as many RMWs and touches no more sectors, and is " +
      "slower: its board is twice as large, 10 and 40 MiB, and on this device RMWs are the slower, the larger the memory, from 4 MiB on.",
    checks: [
      ratio(hybrid(4), VERIFYING, "geometric", expect, { by: ["n"], ...SATURATED }),
      eightOverFour("table_rmws", near(1, 0.01)),
      eightOverFour("transactions", atMost(1)),
      eightOverFour("mops", atMost(0.9)),
      slowerRmws(4, 64),
    ],
  };
};

/** Cuckoo takes two dispatches a slice; the rows of fig15 show what a second one costs Stash. */
export const oneKernelASlice = (expect: Expectation): Cause => {
  const inTwo: Select = { experiment: "stadium/fig15", ...HYBRIDS, metric: "mixing_efficiency_sliced" };
  const papers = { slice: SLICE };
  return {
    text:
      "Stash runs a slice by one kernel, cuckoo by two. In the paper's slices, mostly fixed cost on this device, two take Stash itself " +
      "1.5 times as long or longer, and it is up to as much faster than cuckoo as in the paper; in the slices judged they take a fifth " +
      "longer at most, and cuckoo touches no more than 1.35 times the sectors.",
    checks: [
      value({ ...inTwo, params: papers }, "min", atLeast(1.5)),
      ratio(
        { ...HYBRIDS, params: papers },
        { ...VERIFYING, params: { ...VERIFYING.params, ...papers } },
        "max",
        expect,
        { by: ["n"] },
      ),
      value({ ...inTwo, ...SATURATED }, "max", atMost(1.2)),
      ratio(VERIFYING, HYBRIDS, "max", atMost(1.35), { by: ["n", ALONG_SLICES], metric: "transactions" }),
    ],
  };
};

/** (T_insert + T_retrieve) / T_mixed. */
export const efficiency = { metric: "mixing_efficiency", ...SATURATED } as const;
/** The loss against bulk operations is due to slicing: the same slices, unmixed, are no faster. */
export const bySlicing = (table: Select, text: string): Cause => ({
  text,
  checks: [
    value({ ...table, ...efficiency, metric: "mixing_efficiency_sliced" }, "min", atLeast(0.968)),
    ratio(
      { ...table, ...efficiency },
      { ...table, metric: "mixing_efficiency", params: { slice: SLICE } },
      "min",
      atLeast(1.5),
      { by: ["n"] },
    ),
  ],
});

/** Retrievals that ask the ticket-board: half of their keys absent, and none. */
export const ticketsOfAbsentKeys = (board: Select): Cause => {
  const halfOverAll = (metric: string, expect: Expectation): Check =>
    ratio({ ...board, positiveRatio: 0.5 }, { ...board, positiveRatio: 1 }, "median", expect, { by: ["n"], metric });
  return {
    text:
      "In GPU memory a look at a ticket is a random read, as one at a pair is, and an absent key takes three times as many: it looks at " +
      "tickets until one is free, 6.7 at load factor 0.85, a present one at 2.2. With half of the keys absent retrievals look at twice " +
      "the tickets, and read 1.5 times the sectors, pairs included.",
    checks: [halfOverAll("probes", near(2, 0.05)), halfOverAll("transactions", near(1.5, 0.05))],
  };
};
