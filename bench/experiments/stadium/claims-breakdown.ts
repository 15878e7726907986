/** Claims about Stadium hashing's parts and its sensitivity: Khorasani et al., PACT 2015, sections IV.B and IV.C. */
import type { Cause, Check, Claim, Expectation, Select } from "../../claims/claim.js";
import {
  ALIKE,
  atLeast,
  falls,
  faster,
  figureClaims,
  flat,
  MUCH_MORE,
  order,
  ratio,
  rises,
  SLIGHTLY_LESS,
} from "../figure-claims.js";
import { ticketsOfAbsentKeys } from "./causes.js";
import { PAIR_BYTES } from "./fig18.js";
import { PAIR_SIZES } from "./fig19.js";
import { notClStash, notStash } from "./settings.js";

const GPU = "GTX 780";
/** Claims about tables in host memory are judged by the counted transactions, which depend on the kernels alone. */
const COUNTED = { metric: "counted_mops" } as const;
/** With the largest tickets, where the ticket-board helps most; retrieval without it does not look at tickets. */
const NO_BOARD: Select = { table: "stash", variant: "no-ticket-board", op: "find", params: { ticket: 8 } };
const BOARD: Select = { table: "stash", variant: "ticket-board", op: "find", params: { ticket: 8 } };
const WHERE = [
  ["fig18a", "In host memory", COUNTED],
  ["fig18b", "In GPU memory", {}],
] as const;

/** Larger tickets first. */
const LARGER_TICKETS = [8, 4, 2, 1].map((ticket): Select => ({ params: { ticket } }));
const sizes = (tickets: readonly number[]) => `ticket sizes ${tickets.join(", ")}`;

/** The text says nothing about the board in GPU memory, and nothing about rates with and without absent keys. */
const OURS = { origin: "hashbench" } as const;
const board = WHERE.flatMap(([figure, where, rate]) =>
  figureClaims(`stadium/${figure}`, GPU, {
    "board-half": {
      ...(figure === "fig18b" ? OURS : {}),
      text: `${where}, asking the ticket-board first makes retrieval faster if half of the keys are absent.`,
      check: faster({ ...BOARD, positiveRatio: 0.5, ...rate }, { ...NO_BOARD, positiveRatio: 0.5, ...rate }, ["n"]),
    },
    "absent-helps-board": {
      ...OURS,
      text: `${where}, retrieval with the ticket-board is at least as fast if half of the keys are absent as if none are.`,
      paper: "rejects absent keys",
      check: faster({ ...BOARD, positiveRatio: 0.5, ...rate }, { ...BOARD, positiveRatio: 1, ...rate }, ["n"]),
      cause: figure === "fig18b" ? ticketsOfAbsentKeys(BOARD) : undefined,
    },
    "absent-hurts-no-board": {
      ...OURS,
      text: `${where}, retrieval without the ticket-board is slower if half of the keys are absent than if none are.`,
      paper: "slower",
      check: faster({ ...NO_BOARD, positiveRatio: 1, ...rate }, { ...NO_BOARD, positiveRatio: 0.5, ...rate }, ["n"]),
    },
  }),
);

const DIFFERING = notStash(PAIR_BYTES);
/** Of the ticket sizes at which the two differ: at the others an algorithm would be compared with itself. */
const lanes = (expect: Expectation, rate = {}): Check =>
  ratio({ table: "stash-hybrid" }, { table: "stash", variant: "ticket-board" }, "geometric", expect, {
    by: ["n", "params.ticket"],
    op: "insert",
    params: { ticket: DIFFERING },
    ...rate,
  });

const parts = [
  ...board,
  ...figureClaims("stadium/fig18a", GPU, {
    "board-all": {
      text: "In host memory, asking the ticket-board first makes retrieval faster if all keys are present.",
      check: faster({ ...BOARD, positiveRatio: 1, ...COUNTED }, { ...NO_BOARD, positiveRatio: 1, ...COUNTED }, ["n"]),
    },
    "larger-tickets": {
      text: "In host memory, the ticket-board helps retrieval the more, the larger its tickets are.",
      paper: "8 > 4 > 2 > 1",
      check: order(
        LARGER_TICKETS.map((one) => ({ ...BOARD, ...one })),
        "geometric",
        { by: ["n", "positive_ratio"], ...COUNTED },
      ),
    },
    lanes: {
      text: `In host memory, collaborative lanes hardly change the rate of insertion: ${sizes(DIFFERING)}.`,
      paper: "hardly",
      check: lanes(ALIKE, COUNTED),
    },
  }),
  ...figureClaims("stadium/fig18b", GPU, {
    lanes: {
      text: `In GPU memory, collaborative lanes make insertion faster: ${sizes(DIFFERING)}.`,
      check: lanes(atLeast(1)),
    },
  }),
];

const SIZES = ["params.keyBytes", "params.valueBytes"] as const;
/** The text does not mention deletions, which do not touch the values. */
const wider = SIZES.flatMap((along) => {
  const [bytes, part] = along === "params.keyBytes" ? ["keyBytes", "keys"] : ["valueBytes", "values"];
  const at = (size: number): Select => ({ op: "insert", params: { [bytes]: size } });
  const by = ["table", "params.ticket", ...SIZES.filter((one) => one !== along)];
  return [
    ...figureClaims("stadium/fig19a", GPU, {
      [`wider-${part}`]: {
        text: `Wider ${part} make insertion in GPU memory slower.`,
        check: falls({ op: "insert" }, along),
      },
      [`wider-${part}-slightly`]: {
        text: `Wider ${part} make insertion in GPU memory slower only slightly (here: of 64 bytes over those of 4).`,
        paper: "slightly",
        check: ratio(at(64), at(4), "geometric", SLIGHTLY_LESS, { by }),
        cause: {
          text: `With ${part} of 64 bytes a pair is written to more than twice as many sectors.`,
          checks: [ratio(at(64), at(4), "every", MUCH_MORE, { by, metric: "table_writes" })],
        },
      },
    }),
    ...figureClaims("stadium/fig19c", GPU, {
      [`wider-${part}`]: {
        text: `Wider ${part} make retrieval in GPU memory slower.`,
        check: falls({ op: "find" }, along),
      },
    }),
    ...figureClaims("stadium/fig19d", GPU, {
      [`tickets-matter${part === "keys" ? "-keys" : ""}`]: {
        text: `In host memory 8-bit tickets gain more over 1-bit ones the wider the ${part} are.`,
        paper: "grows",
        check: rises({ op: "find", ...COUNTED, params: { ticket: 8 } }, along, {
          over: { op: "find", ...COUNTED, params: { ticket: 1 } },
          by: ["table", ...SIZES],
        }),
        cause: {
          text: "Tickets spare the same reads whatever the width, and a read is counted as of a whole pair: the factor stays, and the time that it spares grows.",
          checks: [flat({ op: "find", metric: "host_reads" }, along), falls({ op: "find", ...COUNTED }, along)],
        },
      },
    }),
  ];
});

const ONE_WAY = { table: ["stash", "clstash"] } as const;
const ticketOne = [2, 4, 8].flatMap((ticket) =>
  figureClaims("stadium/fig19a", GPU, {
    [`ticket-1-over-${ticket}`]: {
      text: `In GPU memory ticket size 1 inserts faster than ticket size ${ticket} at every key and value size.`,
      check: faster({ params: { ticket: 1 } }, { params: { ticket } }, ["table", ...SIZES]),
      cause: {
        text: "It does by Stash and by clStash; the hybrid inserts in the one way or the other by thresholds, which differ with the ticket size.",
        checks: [
          faster({ ...ONE_WAY, params: { ticket: 1 } }, { ...ONE_WAY, params: { ticket } }, ["table", ...SIZES]),
        ],
      },
    },
  }),
);

const aloneTooLong: Cause = {
  text: "Where the hybrid begins with one lane a pair it loses by that: with values of 8 bytes and more clStash is faster than Stash.",
  checks: [
    ratio({ table: "clstash" }, { table: "stash" }, "every", atLeast(1), {
      by: ["params.ticket", ...SIZES],
      params: { valueBytes: { from: 8 }, ticket: [1, 2, 4] },
    }),
  ],
};
const hybrid = (
  [
    ["stash", "Stash", notStash(...PAIR_SIZES), undefined],
    ["clstash", "clStash", notClStash(...PAIR_SIZES), aloneTooLong],
  ] as const
).flatMap(([table, name, tickets, cause]) => {
  const params = { ticket: tickets };
  return figureClaims("stadium/fig19a", GPU, {
    [`hybrid-over-${table}`]: {
      text: `The hybrid improves insertion: on average it inserts at least as fast as ${name}: ${sizes(tickets)}.`,
      paper: "improves",
      check: faster({ table: "stash-hybrid", params }, { table, params }, ["params.ticket", ...SIZES], "geometric"),
      cause,
    },
  });
});

const sensitivity = [
  ...hybrid,
  ...ticketOne,
  ...wider,
  ...figureClaims("stadium/fig19b", GPU, {
    "bus-bound": {
      text: "In host memory the bus limits insertion in all cases: ticket sizes 1 and 8 insert at the same rate.",
      paper: "alike",
      check: ratio({ params: { ticket: 8 } }, { params: { ticket: 1 } }, "every", ALIKE, {
        by: ["table", ...SIZES],
        ...COUNTED,
      }),
    },
    "bus-bound-lanes": {
      text: "In host memory the bus limits insertion in all cases: Stash and clStash insert at the same rate.",
      paper: "alike",
      check: ratio({ ...COUNTED, table: "clstash" }, { ...COUNTED, table: "stash" }, "every", ALIKE, {
        by: ["params.ticket", ...SIZES],
      }),
    },
  }),
  ...figureClaims("stadium/fig19d", GPU, {
    "larger-tickets": {
      text: "In host memory larger tickets retrieve and delete faster on average over key and value sizes.",
      paper: "8 > 4 > 2 > 1",
      check: order(LARGER_TICKETS, "geometric", {
        by: ["table", "op", ...SIZES],
        op: ["find", "erase"],
        ...COUNTED,
      }),
    },
  }),
];

export const breakdownClaims: readonly Claim[] = [...parts, ...sensitivity];
