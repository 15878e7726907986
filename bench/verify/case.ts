/** What a conformance case is. */

import type { Gpu } from "../../kernels/device/gpu.js";
import type { TableType } from "../../kernels/table.js";

/** Nothing wrong was seen of the table, but on this adapter it would not have been seen either; the message says why. */
export class Inconclusive extends Error {}

/** To be called when a part of a case has ended well, such as a batch of a history: to a watchdog that is progress. */
export type PartEnded = () => void;

export interface Case {
  readonly name: string;
  /** Run for every variant of a table. The others are, on a software adapter, run for its default parameters alone. */
  readonly core?: boolean;
  /** So many operations, compared by the host, that also a GPU runs it for the default parameters alone. */
  readonly long?: boolean;
  /** So much memory that few others run beside it, and only for variants that are timed at such sizes. */
  readonly large?: boolean;
  /** It draws random operations: others in every round. */
  readonly random?: boolean;
  /** Why the case does not apply to a table; "" if it does. */
  applies(type: TableType): string;
  /** Throws Mismatch (or whatever the table throws) if the table is wrong, Inconclusive if this adapter cannot tell. */
  check(gpu: Gpu, type: TableType, round: number, ended: PartEnded): Promise<void>;
}

/** Rounds of the cases of random operations: each has others, by its number. */
export interface Rounds {
  readonly first: number;
  readonly count: number;
}

export const ONE_ROUND: Rounds = { first: 0, count: 1 };

/** Runs a case once, or a random one in so many rounds, each of them a part. Throws as `Case.check` does. */
export async function checkCase(
  one: Pick<Case, "check" | "random">,
  gpu: Gpu,
  type: TableType,
  rounds: Rounds = ONE_ROUND,
  ended: PartEnded = () => {},
): Promise<void> {
  for (let round = 0; round < (one.random ? rounds.count : 1); round++) {
    await one.check(gpu, type, one.random ? rounds.first + round : 0, ended);
    ended();
  }
}

/** A seed of its own for every round; of the first, the case's own. */
export function roundSeed(seed: number, round: number): number {
  return (seed + Math.imul(round, 0x9e3779b9)) >>> 0;
}
