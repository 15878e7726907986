/** What the experiments of Stadium hashing share. */
import type { Axes, Series } from "../../experiment.js";

/** Bits of a ticket. */
export const TICKETS = [1, 2, 4, 8] as const;

/** Operations a slice of interleaved insertions and retrievals has in the paper, about. */
export const SLICE = 100_000;

/** The hybrid of Stash and clStash with each ticket size. */
export const hybrids: readonly Series[] = TICKETS.map((ticket) => ({
  table: "stash-hybrid",
  label: `Stash, ticket size ${ticket}`,
  params: { ticket },
}));

export const cuckoo: Series = { table: "cuckoo", label: "Cuckoo" };

/** Pairs of `sizes` powers of two from 2^`exponent` on. */
export function powers(exponent: number, sizes: number): number[] {
  return Array.from({ length: sizes }, (_, i) => 2 ** (exponent + i));
}

/** The smallest and the largest of the sizes, for --quick. */
export function ends(sizes: readonly number[]): number[] {
  return [sizes[0], sizes.at(-1)].filter((size) => size !== undefined);
}

/** Load factor and keys of all comparisons with cuckoo hashing. */
export const compared = { dataset: ["random"], loadFactor: [0.8] } as const satisfies Partial<Axes>;

export const alongPairs = { field: "n", title: "Pairs", scale: "log2" } as const;

/** Out of core, for `notes`: what WebGPU cannot do, and the two things done instead. */
export const HOST_ROUNDS =
  "A kernel cannot reach host memory in WebGPU. In host rounds the ticket-board is on the GPU and the table in host " +
  "memory: the GPU resolves tickets and writes requests, the host answers them, until no key is left";
