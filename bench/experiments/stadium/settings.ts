/** What the experiments of Stadium hashing share. */
import type { Axes, FigureSpec, Series } from "../../base/experiment.js";
import { along } from "../helpers.js";
import { PAIRS } from "../shared.js";

/** Bits of a ticket. */
export const TICKETS = [1, 2, 4, 8] as const;

/** Operations a slice of interleaved insertions and retrievals has in the paper, about. */
export const SLICE = 100_000;
/** The paper's, and larger ones: on a device that holds more threads than the paper's a small slice is mostly fixed cost. */
export const SLICES = [SLICE, 10 * SLICE, 100 * SLICE] as const;

/** The hybrid of Stash and clStash with each ticket size. */
export const hybrids = along([{ table: "stash-hybrid", label: "Stash, ticket size {}" }], "ticket", TICKETS);

/** As in the paper, it has to verify all four slots before it knows that a key is absent. */
export const cuckoo: Series = { table: "cuckoo", label: "Cuckoo", params: { earlyExit: false } };
/** As in CUDPP, from which the paper took it: an empty slot ends a retrieval. Differs where keys are absent. */
export const cuckooEarlyExit: Series = { table: "cuckoo", variant: "early exit", label: "Cuckoo, early exit" };

/** Load factor and keys of all comparisons with cuckoo hashing. */
export const compared = { dataset: ["random"], loadFactor: [0.8] } as const satisfies Partial<Axes>;

/** What is called hybrid in mixes, for `notes`: there is no batch for lanes to share. */
export const HYBRID_MIXED =
  "Operations of a slice come in groups of 32, one a lane, as in the paper: no warp has further pairs for its lanes to share, " +
  "and hybrid Stash inserts as Stash does";

export const SPEED_UP = {
  kind: "line",
  metric: "mops",
  y: { title: "Speed-up over cuckoo", zero: false },
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
