/** Claims against GPU cuckoo: Khorasani et al., PACT 2015, section IV.A (Figures 14 to 17), and Figure 13. */
import type { Cause, Check, Claim, Expectation, Select } from "../../claims/claim.js";
import { faster, figureClaims } from "../figure-claims.js";
import { LARGE_CHUNKS } from "./fig13.js";
import { SLICE, TICKETS } from "./settings.js";

const GPU = "GTX 780";
const CUCKOO: Select = { table: "cuckoo", variant: "" };
/** "Has to verify all 4 possible entry locations" of keys that are absent. */
const VERIFYING: Select = { ...CUCKOO, params: { earlyExit: false } };
const EARLY_EXIT: Select = { table: "cuckoo", variant: "early exit" };
const HYBRIDS: Select = { table: "stash-hybrid" };
const hybrid = (ticket: number): Select => ({ table: "stash-hybrid", params: { ticket } });
/** Larger tickets first. */
const LARGER_TICKETS: readonly Select[] = [8, 4, 2, 1].map(hybrid);
/** The rate of tables in host memory that the claims are about: of the transactions, which the kernels decide. */
const OUT_OF_CORE = "counted_mops";

const CHUNK = "params.chunk";
const TABLE_1 = { experiment: "stadium/table1", params: { ticket: 4 } } as const;
const overStash = (metric: string, expect: Expectation): Check => {
  return {
    ...{ kind: "ratio", of: { ...TABLE_1, table: "clstash", metric }, over: { ...TABLE_1, table: "stash", metric } },
    ...{ by: ["load_factor"], mean: "every", expect },
  };
};
const SAME_ACCESSES: Cause = {
  text: "Collaborative lanes keep more than twice as many lanes of a warp busy (Table 1), and make the same accesses to memory, for which insertions wait.",
  checks: [overStash("warp_efficiency", { atLeast: 2 }), overStash("transactions", { near: 1, within: 0.01 })],
};
/** Of every ticket size: the figure shows two configurations, and thresholds "for other configurations were computed similarly". */
const threshold = TICKETS.flatMap((ticket) => {
  const of = (table: string, chunk?: number): Select => {
    return { table, params: { ticket, chunks: LARGE_CHUNKS, ...(chunk ? { chunk } : {}) } };
  };
  return figureClaims("stadium/fig13", GPU, {
    [`first-${ticket}`]: {
      text: `At first (in the first of ${LARGE_CHUNKS} chunks) Stash inserts faster than clStash: ticket size ${ticket}.`,
      paper: "negative",
      check: faster(of("stash", 1), of("clstash", 1), [CHUNK]),
    },
    [`last-${ticket}`]: {
      text: `Later (in the last of ${LARGE_CHUNKS} chunks) clStash inserts faster than Stash: ticket size ${ticket}.`,
      paper: "positive",
      check: faster(of("clstash", LARGE_CHUNKS), of("stash", LARGE_CHUNKS), [CHUNK]),
      cause: SAME_ACCESSES,
    },
    [`threshold-${ticket}`]: {
      text: `There is an occupancy from which on clStash takes less time for a chunk: ticket size ${ticket}.`,
      paper: "crosses",
      check: {
        kind: "crossing",
        regression: 2,
        of: { ...of("stash"), metric: "time" },
        over: { ...of("clstash"), metric: "time" },
        along: CHUNK,
        from: "below",
      },
      cause:
        ticket === 8
          ? {
              text: "With 8-bit tickets clStash takes less time for every chunk, the first included.",
              checks: [faster(of("clstash"), of("stash"), [CHUNK])],
            }
          : SAME_ACCESSES,
    },
  });
});

/** Cuckoo's accesses over Stash's. The counted rate takes an exchange for a read and a write, whatever the paper's GPU made of it. */
const byAccesses = (of: Select, cuckoo: Select, expect: Expectation, text: string): Cause => ({
  text,
  checks: [
    {
      kind: "ratio",
      of: { ...cuckoo, metric: "host_accesses" },
      over: { ...of, metric: "host_accesses" },
      by: ["n"],
      mean: "geometric",
      expect,
    },
  ],
});
const EXCHANGES =
  "By accesses to the table the factor is the paper's; the counted rate takes each of cuckoo's exchanges for a read and a write.";
const EXITS =
  "By accesses to the table, and if an empty slot ends cuckoo's retrievals, as in the library that the paper measured, the factor is the paper's.";

const ALONG_SLICES = "params.slice";
/** By fig15's rows, of tickets of four bits, whichever ticket size the claim is about. */
const byLargerSlices = (expect: Expectation): Cause => {
  const at = (table: string): Select => ({
    ...{ experiment: "stadium/fig15", table, params: { slice: { from: 10 * SLICE } } },
  });
  return {
    text: "A slice of 100,000 operations is mostly fixed cost on this device, for cuckoo of two dispatches: in larger ones (shown with tickets of four bits) the factor is the paper's.",
    checks: [
      {
        ...{ kind: "ratio", of: at("stash-hybrid"), over: at("cuckoo") },
        ...{ by: ["n", ALONG_SLICES], mean: "geometric", expect },
      },
      { kind: "trend", of: { experiment: "stadium/fig15", table: "cuckoo" }, along: ALONG_SLICES, expect: "rises" },
    ],
  };
};

/** Average speed-up over cuckoo, which the text gives as a range over the ticket sizes. */
const inCore = { saturated: "slice" } as const;
const outOfCore = { metric: OUT_OF_CORE } as const;
const speedUps = (
  [
    ["fig14a", "In GPU memory with all queries present", 1.04, 1.19, CUCKOO, inCore],
    ["fig14b", "In GPU memory with half of the queries present", 1.55, 1.65, VERIFYING, inCore],
    ["fig16a", "In host memory with all queries present", 1.25, 1.75, CUCKOO, outOfCore],
    ["fig16b", "In host memory with half of the queries present", 1.23, 2.47, VERIFYING, outOfCore],
  ] as const
).flatMap(([figure, where, from, to, cuckoo, which]) =>
  TICKETS.flatMap((ticket) => {
    const of: Select = { ...hybrid(ticket), ...which };
    // Never so wide that a slower table agrees.
    const expect = { from, to, within: Math.min(0.25, 1 - 1 / from) };
    const causes: Readonly<Record<string, Cause>> = {
      fig14a: byLargerSlices(expect),
      fig16a: byAccesses(hybrid(ticket), CUCKOO, expect, EXCHANGES),
      fig16b: byAccesses(hybrid(ticket), EARLY_EXIT, expect, EXITS),
    };
    const cause = causes[figure];
    return figureClaims(`stadium/${figure}`, GPU, {
      [`ticket-${ticket}`]: {
        text: `${where}, hybrid Stash is ${from} to ${to} times as fast as cuckoo on average: ticket size ${ticket}.`,
        paper: `${from}–${to}×`,
        check: { kind: "ratio", of, over: { ...cuckoo, ...which }, by: ["n"], mean: "geometric", expect },
        ...(cause ? { cause } : {}),
      },
    });
  }),
);

const headlines = (
  [
    ["fig14b", "In GPU memory", 2, inCore],
    ["fig16b", "In host memory", 3, outOfCore],
  ] as const
).flatMap(([figure, where, times, which]) =>
  figureClaims(`stadium/${figure}`, GPU, {
    headline: {
      text: `${where} Stash is up to ${times} times as fast as cuckoo for concurrent insertions and retrievals.`,
      paper: `up to ${times}×`,
      check: {
        ...{ kind: "ratio", of: { ...HYBRIDS, ...which }, over: { ...VERIFYING, ...which }, by: ["n"] },
        ...{ mean: "max", expect: { near: times } },
      },
    },
  }),
);

const largerTickets = (
  [
    ["fig16a", "mixed operations, all queries present"],
    ["fig16b", "mixed operations, half of the queries present"],
    ["fig17b", "retrieval, all queries present"],
    ["fig17c", "retrieval, half of the queries present"],
  ] as const
).flatMap(([figure, what]) =>
  figureClaims(`stadium/${figure}`, GPU, {
    "larger-tickets": {
      text: `In host memory a larger ticket is faster: ${what}.`,
      paper: "8 > 4 > 2 > 1",
      check: {
        kind: "order",
        of: LARGER_TICKETS.map((of) => ({ ...of, metric: OUT_OF_CORE })),
        by: ["n"],
        mean: "geometric",
      },
    },
  }),
);

/** (T_insert + T_retrieve) / T_mixed. */
const efficiency = { metric: "mixing_efficiency", saturated: "slice" } as const;
/** What is lost beside bulk operations is lost by slicing: the same slices, unmixed, are no faster. */
const bySlicing = (table: Select, text: string): Cause => ({
  text,
  checks: [
    {
      ...{ kind: "value", of: { ...table, ...efficiency, metric: "mixing_efficiency_sliced" }, mean: "min" },
      expect: { atLeast: 0.968 },
    },
    { kind: "trend", of: { ...table, metric: "mixing_efficiency" }, along: ALONG_SLICES, expect: "rises" },
  ],
});
const mixing = figureClaims("stadium/fig15", GPU, {
  stash: {
    text: "Mixing insertions and retrievals leaves Stash 96.8 % of its performance on average.",
    paper: "96.8 %",
    check: {
      kind: "value",
      of: { ...HYBRIDS, ...efficiency },
      mean: "arithmetic",
      expect: { near: 0.968, within: 0.1 },
    },
    cause: bySlicing(
      HYBRIDS,
      "What Stash loses is the fixed cost of small dispatches: beside the same slices unmixed it loses nothing.",
    ),
  },
  cuckoo: {
    text: "Mixing insertions and retrievals leaves cuckoo 61.3 % of its performance on average.",
    paper: "61.3 %",
    check: {
      kind: "value",
      of: { ...CUCKOO, ...efficiency },
      mean: "arithmetic",
      expect: { near: 0.613, within: 0.1 },
    },
    cause: bySlicing(
      CUCKOO,
      "Cuckoo too loses no more than the fixed cost of small dispatches: that each kernel of a slice passes over the other kind costs nothing beside the same slices unmixed.",
    ),
  },
});

/** Average rates over cuckoo's, table in host memory. */
const hostRates = (
  [
    ["fig17a", 1, 2, "inserts"],
    ["fig17a", 2, 2, "inserts"],
    ["fig17a", 4, 2, "inserts"],
    ["fig17a", 8, 2, "inserts"],
    ["fig17b", 8, 1.59, "retrieves, all keys present,"],
    ["fig17b", 4, 1.5, "retrieves, all keys present,"],
    ["fig17b", 2, 1.14, "retrieves, all keys present,"],
    ["fig17c", 8, 3.99, "retrieves, half of the keys present,"],
    ["fig17c", 4, 3.23, "retrieves, half of the keys present,"],
    ["fig17c", 2, 1.59, "retrieves, half of the keys present,"],
  ] as const
).flatMap(([figure, ticket, factor, does]) => {
  const of = { ...hybrid(ticket), ...outOfCore };
  const expect = { near: factor };
  const cause = {
    fig17a: byAccesses(hybrid(ticket), CUCKOO, expect, EXCHANGES),
    fig17b: undefined,
    fig17c: byAccesses(hybrid(ticket), EARLY_EXIT, expect, EXITS),
  }[figure];
  const over = { ...(figure === "fig17c" ? VERIFYING : CUCKOO), ...outOfCore };
  return figureClaims(`stadium/${figure}`, GPU, {
    [`ticket-${ticket}`]: {
      text: `In host memory hybrid Stash with ticket size ${ticket} ${does} ${factor} times as fast as cuckoo on average.`,
      paper: `${factor}×`,
      check: { kind: "ratio", of, over, by: ["n"], mean: "geometric", expect },
      ...(cause ? { cause } : {}),
    },
  });
});

const LIMIT: Select = { table: ["stash", "clstash", "stash-hybrid"], op: "insert", loadFactor: 1 };
const full = figureClaims("stadium/full", GPU, {
  "load-factor": {
    text: "Load factors may be as high as one.",
    paper: "1",
    check: {
      kind: "value",
      of: { ...LIMIT, metric: "load_factor_reached" },
      mean: "min",
      expect: { atLeast: 0.999 },
    },
  },
});

export const claims: readonly Claim[] = [
  ...threshold,
  ...speedUps,
  ...headlines,
  ...full,
  ...mixing,
  ...largerTickets,
  ...hostRates,
];
