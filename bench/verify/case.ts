/** What a conformance case is. */

import { conflictOf } from "../../kernels/define.js";
import type { Gpu } from "../../kernels/device/gpu.js";
import type { TableOp } from "../../kernels/operations.js";
import type { TableType } from "../../kernels/table.js";

/** The case found nothing wrong, but could not have found it on this adapter; the message says why. */
export class Inconclusive extends Error {}

/** To be called when a part of a case has passed, such as a batch of a history: the watchdog counts it as progress. */
export type PartEnded = () => void;

/** By name what not every table has, and why a case that needs it does not apply to a table; "" if it does. */
const CAPABILITIES = {
  /** Values of pairs. A set that takes further insertions is checked as a table whose values are all 1. */
  values: ({ answers, incremental }: TableType) =>
    !answers || (answers === "member" && incremental) ? "" : `answers with a ${answers}`,
  "repeated keys": ({ answers }: TableType) => (answers ? "" : "answers with the values of pairs"),
  "several pairs": (type: TableType) =>
    type.multimapParams ? conflictOf(type, type.multimapParams) : "has one pair a key",
  duplicates: ({ duplicates }: TableType) => (duplicates ? "" : "takes every key once"),
  additions: ({ incremental }: TableType) => (incremental ? "" : "is built in one insertion"),
  refusals: ({ refuses }: TableType) => (refuses ? "" : "takes all pairs at its load factors"),
  reuse: ({ reusesSlots }: TableType) => (reusesSlots ? "" : "reuses no slots"),
  /** Mixed slices of all kinds of operations. */
  races: (type: TableType) => conflictOf(type, type.mixedParams ?? {}),
} as const;

/** A capability, or an operation. */
type Need = keyof typeof CAPABILITIES | TableOp;

export interface Case {
  readonly name: string;
  /** Run for every variant of a table. The others are, on a software adapter, run for its default parameters alone. */
  readonly core?: boolean;
  /** So many operations, compared by the host, that also a GPU runs it for the default parameters alone. */
  readonly long?: boolean;
  /** So much memory that few others run beside it, and only for variants that are timed at such sizes. */
  readonly large?: boolean;
  /** It draws random operations, other ones in every round. */
  readonly random?: boolean;
  /** What a table needs for it. Default: nothing. */
  readonly needs?: readonly Need[];
  /** Why it does not apply to a table that has these; "" if it does. Default: it does. */
  applies?(type: TableType): string;
  /** Throws Mismatch (or whatever the table throws) if the table is wrong, Inconclusive if this adapter cannot tell. */
  check(gpu: Gpu, type: TableType, round: number, ended: PartEnded): Promise<void>;
}

/** Why the case does not apply to a table; "" if it does. */
export function inapplicable({ needs = [], applies }: Pick<Case, "needs" | "applies">, type: TableType): string {
  for (const need of needs) {
    const has = (op: string) => (type.ops.some((one) => one === op) ? "" : `has no ${op}`);
    const lacking = need in CAPABILITIES ? CAPABILITIES[need as keyof typeof CAPABILITIES](type) : has(need);
    if (lacking) return lacking;
  }
  return applies?.(type) ?? "";
}

/** Pairs are in host memory: those of this table, or of all. */
export function isInHostMemory({ info }: Gpu, { hostMemory }: Pick<TableType, "hostMemory">): boolean {
  return hostMemory === true || info.memory === "host";
}

/** A CPU runs the kernels, or every access crosses the bus: cases of many operations have fewer of them, or do not run. */
export function isSlow(gpu: Gpu, type: Pick<TableType, "hostMemory">): boolean {
  return gpu.info.software || isInHostMemory(gpu, type);
}

/** Rounds of the cases of random operations, which draw by the number of the round. */
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

/** A seed for every round; that of the first is the case's. */
export function roundSeed(seed: number, round: number): number {
  return (seed + Math.imul(round, 0x9e3779b9)) >>> 0;
}
