/** Claims against GPU cuckoo: Khorasani et al., PACT 2015, section IV.A (Figures 14 to 17), and Figure 13. */
import type { Claim, Select } from "../../claims/claim.js";
import { between, crossing, faster, figureClaims, near, order, ratio, value } from "../figure-claims.js";
import {
  byAccesses,
  byLargerSlices,
  bySlicing,
  CUCKOO,
  EARLY_EXIT,
  EFFICIENCY,
  EXCHANGES,
  EXITS,
  HYBRIDS,
  hybrid,
  inSlices,
  LONGER_WAITS,
  PAPERS,
  SAME_ACCESSES,
  VERIFYING,
} from "./causes.js";
import { LARGE_CHUNKS } from "./fig13.js";
import { TICKETS } from "./settings.js";

const GPU = "GTX 780";
/** Larger tickets first. */
const LARGER_TICKETS: readonly Select[] = [8, 4, 2, 1].map(hybrid);
/** Claims about tables in host memory are judged by the counted transactions, which depend on the kernels alone. */
const OUT_OF_CORE = "counted_mops";

const CHUNK = "params.chunk";
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
      cause: LONGER_WAITS,
    },
    [`last-${ticket}`]: {
      text: `Later (in the last of ${LARGE_CHUNKS} chunks) clStash inserts faster than Stash: ticket size ${ticket}.`,
      paper: "positive",
      check: faster(of("clstash", LARGE_CHUNKS), of("stash", LARGE_CHUNKS), [CHUNK]),
      cause: SAME_ACCESSES,
    },
    [`threshold-${ticket}`]: {
      text: `There is an occupancy from which on clStash takes less time for a chunk: ticket size ${ticket}.`,
      check: crossing(of("stash"), of("clstash"), CHUNK, "below", { regression: 2, metric: "time" }),
      cause: ticket === 8 ? LONGER_WAITS : SAME_ACCESSES,
    },
  });
});

const otherSizes = figureClaims("stadium/thresholds", GPU, {
  last: {
    text: `Thresholds of other configurations are found likewise: in the last of ${LARGE_CHUNKS} chunks clStash is faster than Stash at every ticket and pair size.`,
    paper: "positive",
    check: faster(
      { table: "clstash", params: { chunk: LARGE_CHUNKS } },
      { table: "stash", params: { chunk: LARGE_CHUNKS } },
      ["params.ticket", "params.valueBytes"],
    ),
    cause: SAME_ACCESSES,
  },
});

/** Average speed-up over cuckoo, which the text gives as a range over the ticket sizes. */
const inCore = (of: Select): Select => inSlices(of, PAPERS);
const outOfCore = (of: Select): Select => ({ ...of, metric: OUT_OF_CORE });
const speedUps = (
  [
    ["fig14a", "In GPU memory with all queries present", 1.04, 1.19, CUCKOO, inCore],
    ["fig14b", "In GPU memory with half of the queries present", 1.55, 1.65, VERIFYING, inCore],
    ["fig16a", "In host memory with all queries present", 1.25, 1.75, CUCKOO, outOfCore],
    ["fig16b", "In host memory with half of the queries present", 1.23, 2.47, VERIFYING, outOfCore],
  ] as const
).flatMap(([figure, where, from, to, cuckoo, which]) =>
  TICKETS.flatMap((ticket) => {
    const expect = between(from, to);
    const cause = {
      fig14a: byLargerSlices(hybrid(ticket), cuckoo, expect),
      fig14b: byLargerSlices(hybrid(ticket), cuckoo, expect),
      fig16a: byAccesses(hybrid(ticket), CUCKOO, expect, EXCHANGES),
      fig16b: byAccesses(hybrid(ticket), EARLY_EXIT, expect, EXITS),
    }[figure];
    return figureClaims(`stadium/${figure}`, GPU, {
      [`ticket-${ticket}`]: {
        text: `${where}, hybrid Stash is ${from} to ${to} times as fast as cuckoo on average: ticket size ${ticket}.`,
        check: ratio(which(hybrid(ticket)), which(cuckoo), "geometric", expect, { by: ["n"] }),
        cause,
      },
    });
  }),
);

const headlines = (
  [
    ["fig14b", "In GPU memory", 2, inCore, byLargerSlices(HYBRIDS, VERIFYING, near(2))],
    ["fig16b", "In host memory", 3, outOfCore, byAccesses(HYBRIDS, VERIFYING, near(3), EXCHANGES, "max")],
  ] as const
).flatMap(([figure, where, times, which, cause]) =>
  figureClaims(`stadium/${figure}`, GPU, {
    headline: {
      text: `${where} Stash is up to ${times} times as fast as cuckoo for concurrent insertions and retrievals.`,
      paper: `up to ${times}×`,
      check: ratio(which(HYBRIDS), which(VERIFYING), "max", near(times), { by: ["n"] }),
      cause,
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
      check: order(LARGER_TICKETS, "geometric", { by: ["n"], metric: OUT_OF_CORE }),
    },
  }),
);

const mixing = figureClaims("stadium/fig15", GPU, {
  stash: {
    text: "Mixing insertions and retrievals leaves Stash 96.8 % of its performance on average.",
    check: value(inCore({ ...HYBRIDS, ...EFFICIENCY }), "arithmetic", near(0.968)),
    cause: bySlicing(HYBRIDS),
  },
  cuckoo: {
    text: "Mixing insertions and retrievals leaves cuckoo 61.3 % of its performance on average.",
    check: value(inCore({ ...CUCKOO, ...EFFICIENCY }), "arithmetic", near(0.613)),
    cause: bySlicing(CUCKOO),
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
  const expect = near(factor);
  const cause = {
    fig17a: byAccesses(hybrid(ticket), CUCKOO, expect, EXCHANGES),
    fig17b: undefined,
    fig17c: undefined,
  }[figure];
  const cuckoo = figure === "fig17c" ? VERIFYING : CUCKOO;
  return figureClaims(`stadium/${figure}`, GPU, {
    [`ticket-${ticket}`]: {
      text: `In host memory hybrid Stash with ticket size ${ticket} ${does} ${factor} times as fast as cuckoo on average.`,
      check: ratio(outOfCore(hybrid(ticket)), outOfCore(cuckoo), "geometric", expect, { by: ["n"] }),
      cause,
    },
  });
});

const LIMIT: Select = { table: ["stash", "clstash", "stash-hybrid"], op: "insert", loadFactor: 1 };
const full = figureClaims("stadium/full", GPU, {
  "load-factor": {
    text: "Load factors may be as high as one.",
    paper: "1",
    check: value({ ...LIMIT, metric: "load_factor_reached" }, "every", near(1)),
  },
});

export const claims: readonly Claim[] = [
  ...threshold,
  ...otherSizes,
  ...speedUps,
  ...headlines,
  ...full,
  ...mixing,
  ...largerTickets,
  ...hostRates,
];
