/** Why claims about Stadium hashing are not reproduced, where rows show it. */
import type { Cause, Check, Expectation, Mean, Select, Where } from "../../claims/claim.js";
import { ALIKE, atLeast, falls, flat, MUCH_MORE, ratio, rises, value } from "../figure-claims.js";
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
export const PAPERS = SLICE;
const LARGER = { from: 10 * SLICE };
/** Mixes in slices of so many operations. */
export const inSlices = (of: Select, slice: Where): Select => ({ ...of, params: { ...of.params, slice } });
const TABLE_1 = { experiment: "stadium/table1", params: { ticket: 4 } } as const;
const overStash = (metric: string, expect: Expectation): Check => {
  return ratio({ table: "clstash" }, { table: "stash" }, "every", expect, { by: ["load_factor"], ...TABLE_1, metric });
};
export const SAME_ACCESSES: Cause = {
  text: "Collaborative lanes keep more than twice as many lanes of a warp busy (Table 1), and make the same accesses to memory, for which insertions wait.",
  checks: [overStash("warp_efficiency", MUCH_MORE), overStash("transactions", ALIKE)],
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
const whateverTheTicket = (metric: string): Check => flat(inserting("stash", metric), TICKET);
export const LONGER_WAITS: Cause = {
  text:
    "Collaborating takes more instructions here too, but they count the less, the longer an insertion waits for its " +
    "RMWs. Stash's RMWs and instructions are the same with tickets of two, four and eight bits, but its board grows with them, " +
    "RMWs are slower in more memory, and it inserts slower from the first chunk on.",
  checks: [
    ratio(inserting("clstash", "warp_operations"), inserting("stash", "warp_operations"), "every", atLeast(1), {
      by: [TICKET, "params.keyBytes", "params.valueBytes"],
    }),
    whateverTheTicket("table_rmws"),
    whateverTheTicket("warp_operations"),
    falls(firstChunk("stash", { ticket: WITH_INFO }), TICKET),
    slowerRmws(16, 64),
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

/** Why the factor is not the paper's in the paper's slices, but is in larger ones. */
export const byLargerSlices = (of: Select, cuckoo: Select, expect: Expectation): Cause => ({
  text: "A slice of 100,000 operations is mostly fixed cost on this device, for cuckoo of two dispatches: in larger ones the factor is the paper's.",
  checks: [
    ratio(inSlices(of, LARGER), inSlices(cuckoo, LARGER), "geometric", expect, { by: ["n", ALONG_SLICES] }),
    rises({ experiment: "stadium/fig15", table: "cuckoo" }, ALONG_SLICES),
  ],
});

/** (T_insert + T_retrieve) / T_mixed. */
export const EFFICIENCY = { metric: "mixing_efficiency" };
/** The loss against bulk operations is due to slicing: the same slices, unmixed, are no faster. */
export const bySlicing = (table: Select): Cause => ({
  text:
    "In the paper's slices, mostly fixed cost on this device, nothing is lost by mixing: the same slices unmixed take at least as " +
    "long. Efficiency against bulk operations rises with the slice.",
  checks: [
    value(inSlices({ ...table, metric: "mixing_efficiency_sliced" }, PAPERS), "every", atLeast(1)),
    rises({ ...table, ...EFFICIENCY }, ALONG_SLICES),
  ],
});

/** Retrievals that ask the ticket-board: half of their keys absent, and none. */
export const ticketsOfAbsentKeys = (board: Select): Cause => {
  const halfOverAll = (metric: string): Check =>
    ratio({ ...board, positiveRatio: 0.5 }, { ...board, positiveRatio: 1 }, "median", atLeast(1), {
      by: ["n"],
      metric,
    });
  return {
    text:
      "In GPU memory a look at a ticket is a random read, as one at a pair is, and an absent key takes more of them, until a ticket " +
      "is free: with half of the keys absent retrievals look at more tickets, and read more sectors, pairs included.",
    checks: [halfOverAll("probes"), halfOverAll("transactions")],
  };
};
