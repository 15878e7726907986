/** What the experiments of Stadium hashing share. */
import type { Axes, FigureSpec, Series } from "../../base/experiment.js";
import { HOST } from "../../scenarios/allocation.js";
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

/** Series of tables in host memory by host rounds, at sizes that one JavaScript thread serves. */
export const ROUNDS = { bench: "host", only: { n: { to: 2 ** 20 } } } as const satisfies Partial<Series>;
/** The same series by kernels that reach host memory: larger than caches, and so that a sample takes about 0.3 s at most. */
export const KERNELS = { params: HOST, only: { n: { from: 2 ** 23 } } } as const satisfies Partial<Series>;

/** Which of them a panel shows. */
export const BY = { host: "host rounds", "host-mixed": "host rounds", table: "kernels", mixed: "kernels" } as const;
const MEASURED_AND_PREDICTED = [
  { metric: "mops", title: "Measured" },
  { metric: "counted_mops", title: "Predicted from transactions" },
] as const satisfies FigureSpec["metric"];
/** In host memory: as it runs, and by what its transactions predict. */
export const HOST_SPEED_UP = {
  ...SPEED_UP,
  x: { ...PAIRS, own: true },
  facet: { field: "bench", title: "By", names: BY },
  metric: MEASURED_AND_PREDICTED,
} as const satisfies FigureSpec;
/** The same beside each other, each panel with its own axis; of facets that tell `BY`. */
export const HOST_PANELS = {
  apart: "panels",
  metric: MEASURED_AND_PREDICTED,
} as const satisfies Partial<FigureSpec>;

/** Tables in host memory, for `notes`: what kernels do, and what is done where they cannot. */
export const HOST_MEMORY =
  "Kernels reach host memory where a Vulkan layer is loaded; then claims are judged by their rates. In host rounds, on any device, the " +
  "ticket-board is on the GPU and the table in host memory: the GPU resolves tickets and writes requests, the host answers them, until no " +
  "key is left. Predicted: the rate at which the paper's bus carries the transactions of host rounds; elsewhere claims are judged by it";
