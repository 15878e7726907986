/** What the experiments of Stadium hashing share. */
import { hybridThreshold } from "../../../kernels/stash/lanes.js";
import type { Axes, FigureSpec, Series } from "../../base/experiment.js";
import { PAIRS } from "../shared.js";

/** Bits of a ticket. */
export const TICKETS = [1, 2, 4, 8] as const;

/** Operations a slice of interleaved insertions and retrievals has in the paper, about. */
export const SLICE = 100_000;
/** The paper's, and larger ones: on a device that holds more threads than the paper's a small slice is mostly fixed cost. */
export const SLICES = [SLICE, 10 * SLICE, 100 * SLICE] as const;

/** The hybrid of Stash and clStash with each ticket size. */
export const hybrids: readonly Series[] = TICKETS.map((ticket) => ({
  table: "stash-hybrid",
  label: `Stash, ticket size ${ticket}`,
  params: { ticket },
}));

/** As in the paper, it has to verify all four slots before it knows that a key is absent. */
export const cuckoo: Series = { table: "cuckoo", label: "Cuckoo", params: { earlyExit: false } };
/** As in CUDPP, from which the paper took it: an empty slot ends a retrieval. Differs where keys are absent. */
export const cuckooEarlyExit: Series = { table: "cuckoo", variant: "early exit", label: "Cuckoo, early exit" };

/** Load factor and keys of all comparisons with cuckoo hashing. */
export const compared = { dataset: ["random"], loadFactor: [0.8] } as const satisfies Partial<Axes>;

const insertion = (threshold: number) => {
  if (threshold === 0) return "from the start, as in clStash";
  return threshold === 1 ? "never, as in Stash" : `from ${threshold}`;
};
const BY_THRESHOLD =
  "The hybrid is the paper's, for batched insertion (III.C): one lane a pair up to an occupancy, collaborating lanes from there on, ";
const MEASURED = "(kernels/stash/README.md says what that is from)";
/** What is called hybrid, for `notes`: of pairs of one size. */
export const hybridOf = (pairBytes: number): string => {
  const insertions = TICKETS.map((ticket) => `${ticket}: ${insertion(hybridThreshold(ticket, pairBytes))}`).join("; ");
  return `${BY_THRESHOLD}by ticket size: ${insertions} ${MEASURED}`;
};
/** And of several sizes. */
export const HYBRID_BY_SIZE = `${BY_THRESHOLD}by ticket and pair size ${MEASURED}`;
/**
 * Ticket sizes of which the hybrid's insertion is not Stash's, and of which it is not clStash's, on a table that is filled: with
 * pairs of one of these sizes, in bytes.
 */
export const notStash = (...pairBytes: number[]) => differing(pairBytes, (threshold) => threshold < 1);
export const notClStash = (...pairBytes: number[]) => differing(pairBytes, (threshold) => threshold > 0);
const differing = (pairBytes: readonly number[], differs: (threshold: number) => boolean) =>
  TICKETS.filter((ticket) => pairBytes.some((bytes) => differs(hybridThreshold(ticket, bytes))));

/** What is called hybrid in mixes, for `notes`: there is no batch for lanes to share. */
export const HYBRID_MIXED =
  "Operations of a slice come in groups of 32, one a lane, as in the paper: no warp has further pairs for its lanes to share, " +
  "and hybrid Stash inserts as Stash does";

export const SPEED_UP = {
  kind: "line",
  metric: "mops",
  y: { title: "Speed-up over cuckoo" },
  against: { table: "cuckoo", as: "ratio" },
} as const satisfies Partial<FigureSpec>;
/** In host memory: by what its transactions predict, on which claims are judged, and as it runs. */
export const HOST_SPEED_UP = {
  ...SPEED_UP,
  x: PAIRS,
  metric: [
    { metric: "counted_mops", title: "Predicted from transactions over PCIe" },
    { metric: "mops", title: "Host rounds, end to end" },
  ],
} as const satisfies FigureSpec;
/** The same two beside each other, each with its own axis. */
export const HOST_PANELS = {
  apart: true,
  metric: [
    { metric: "counted_mops", title: "Predicted" },
    { metric: "mops", title: "Host rounds" },
  ],
} as const satisfies Partial<FigureSpec>;

/** Tables in host memory, for `notes`: what WebGPU cannot do, and what is done instead. */
export const HOST_ROUNDS =
  "A kernel cannot reach host memory in WebGPU. In host rounds the ticket-board is on the GPU and the table in host " +
  "memory: the GPU resolves tickets and writes requests, the host answers them, until no key is left";
