/** Claims about Stadium hashing's parts and its sensitivity: Khorasani et al., PACT 2015, sections IV.B and IV.C. */
import type { Cause, Check, Claim, Select } from "../../claims/claim.js";
import { faster, figureClaims } from "../figure-claims.js";

const GPU = "GTX 780";
/** Both at the largest tickets, where the ticket-board helps most; retrieval without it does not look at them. */
const NO_BOARD: Select = { table: "stash", variant: "no-ticket-board", op: "find", params: { ticket: 8 } };
const BOARD: Select = { table: "stash", variant: "ticket-board", op: "find", params: { ticket: 8 } };
const WHERE = [
  ["fig18a", "In host memory"],
  ["fig18b", "In GPU memory"],
] as const;

/** Of the board in GPU memory the text says nothing, of rates with and without absent keys neither. */
const OURS = { origin: "hashbench" } as const;
const board = WHERE.flatMap(([figure, where]) =>
  figureClaims(`stadium/${figure}`, GPU, {
    "board-half": {
      ...(figure === "fig18b" ? OURS : {}),
      text: `${where}, asking the ticket-board first makes retrieval faster if half of the keys are absent.`,
      paper: "faster",
      check: faster({ ...BOARD, positiveRatio: 0.5 }, { ...NO_BOARD, positiveRatio: 0.5 }, ["n"]),
    },
    "absent-helps-board": {
      ...OURS,
      text: `${where}, retrieval with the ticket-board is at least as fast if half of the keys are absent as if none are.`,
      paper: "rejects absent keys",
      check: faster({ ...BOARD, positiveRatio: 0.5 }, { ...BOARD, positiveRatio: 1 }, ["n"]),
    },
    "absent-hurts-no-board": {
      ...OURS,
      text: `${where}, retrieval without the ticket-board is slower if half of the keys are absent than if none are.`,
      paper: "slower",
      check: faster({ ...NO_BOARD, positiveRatio: 1 }, { ...NO_BOARD, positiveRatio: 0.5 }, ["n"]),
    },
  }),
);

const lanes = (expect: { atLeast: number } | { near: number; within: number }): Check => ({
  kind: "ratio",
  of: { table: "stash-hybrid", op: "insert" },
  over: { table: "stash", variant: "ticket-board", op: "insert" },
  by: ["n", "params.ticket"],
  mean: "geometric",
  expect,
});

const parts = [
  ...board,
  ...figureClaims("stadium/fig18a", GPU, {
    "board-all": {
      text: "In host memory, asking the ticket-board first makes retrieval faster if all keys are present.",
      paper: "faster",
      check: faster({ ...BOARD, positiveRatio: 1 }, { ...NO_BOARD, positiveRatio: 1 }, ["n"]),
    },
    "larger-tickets": {
      text: "In host memory, the ticket-board helps retrieval the more, the larger its tickets are.",
      paper: "8 > 4 > 2 > 1",
      check: {
        kind: "order",
        of: [8, 4, 2, 1].map((ticket) => ({ ...BOARD, params: { ticket } })),
        by: ["n", "positive_ratio"],
        mean: "geometric",
      },
    },
    lanes: {
      text: "In host memory, collaborative lanes hardly change the rate of insertion.",
      paper: "hardly",
      check: lanes({ near: 1, within: 0.1 }),
    },
  }),
  ...figureClaims("stadium/fig18b", GPU, {
    lanes: {
      text: "In GPU memory, collaborative lanes make insertion faster.",
      paper: "faster",
      check: lanes({ atLeast: 1 }),
    },
  }),
];

const VALUE_BYTES = "params.valueBytes";
const VALUES_UNTOUCHED: Cause = {
  text: "Retrieval gets slower; a deletion does not touch the values, so that its transactions stay the same.",
  checks: [
    { kind: "trend", of: { op: "find" }, along: VALUE_BYTES, expect: "falls" },
    {
      ...{ kind: "trend", of: { op: "erase", metric: "transactions" }, along: VALUE_BYTES },
      ...{ expect: "flat", tolerance: 0.001 },
    },
  ],
};

const SIZES = ["params.keyBytes", "params.valueBytes"] as const;
const wider = (
  [
    ["fig19a", "insertion in GPU memory", "insert"],
    ["fig19c", "retrieval and deletion in GPU memory", ["find", "erase"]],
    ["fig19d", "retrieval and deletion in host memory", ["find", "erase"]],
  ] as const
).flatMap(([figure, what, op]) =>
  SIZES.flatMap((along) => {
    const part = along === "params.keyBytes" ? "keys" : "values";
    return figureClaims(`stadium/${figure}`, GPU, {
      [`wider-${part}`]: {
        text: `Wider ${part} make ${what} slower.`,
        paper: "falls",
        check: { kind: "trend", of: { op }, along, expect: "falls" },
        ...(figure === "fig19c" && part === "values" ? { cause: VALUES_UNTOUCHED } : {}),
      },
    });
  }),
);

const ticketOne = [2, 4, 8].flatMap((ticket) =>
  figureClaims("stadium/fig19a", GPU, {
    [`ticket-1-over-${ticket}`]: {
      text: `In GPU memory ticket size 1 inserts faster than ticket size ${ticket} at every key and value size.`,
      paper: "faster",
      check: faster({ params: { ticket: 1 } }, { params: { ticket } }, ["table", ...SIZES]),
    },
  }),
);

const sensitivity = [
  ...ticketOne,
  ...wider,
  ...figureClaims("stadium/fig19b", GPU, {
    "bus-bound": {
      text: "In host memory the bus limits insertion in all cases: ticket sizes 1 and 8 insert at the same rate.",
      paper: "alike",
      check: {
        kind: "ratio",
        of: { params: { ticket: 8 } },
        over: { params: { ticket: 1 } },
        by: ["table", ...SIZES],
        mean: "every",
        expect: { near: 1, within: 0.1 },
      },
    },
    "bus-bound-lanes": {
      text: "In host memory the bus limits insertion in all cases: Stash and clStash insert at the same rate.",
      paper: "alike",
      check: {
        kind: "ratio",
        of: { table: "clstash" },
        over: { table: "stash" },
        by: ["params.ticket", ...SIZES],
        mean: "every",
        expect: { near: 1, within: 0.1 },
      },
    },
  }),
  ...figureClaims("stadium/fig19d", GPU, {
    "tickets-matter": {
      text: "In host memory 8-bit tickets gain more over 1-bit ones the wider the values are.",
      paper: "grows",
      check: {
        kind: "trend",
        of: { op: "find", params: { ticket: 8 } },
        over: { op: "find", params: { ticket: 1 } },
        by: ["table", ...SIZES],
        along: "params.valueBytes",
        expect: "rises",
      },
    },
    "larger-tickets": {
      text: "In host memory larger tickets retrieve and delete faster on average over key and value sizes.",
      paper: "8 > 4 > 2 > 1",
      check: {
        kind: "order",
        of: [8, 4, 2, 1].map((ticket) => ({ op: ["find", "erase"], params: { ticket } })),
        by: ["table", "op", ...SIZES],
        mean: "geometric",
      },
    },
  }),
];

export const breakdownClaims: readonly Claim[] = [...parts, ...sensitivity];
