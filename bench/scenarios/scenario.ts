/**
 * What a cell does, as data. Keys have numbers, in the order in which they are inserted, and an erasure takes the oldest. So the keys that
 * are alive always are those of one window of numbers, and what every operation has to answer follows from counts alone. Where steps say
 * the numbers of their keys themselves, a word per key on the device says which are alive (the oracle `marks`).
 */
import { UsageError } from "../../kernels/device/errors.js";
import { LOOKUP_OPS, type LookupOp } from "../../kernels/operations.js";

/** Numbers that a step says itself: one after another from `from` on, or drawn below `below` by a seed of their own, some of them twice. */
export type Said = { readonly from: number } | { readonly below: number; readonly draw: number };

export type Operation =
  /** With the oracle `marks`. */
  | { readonly do: "insert" | "find" | "erase"; readonly count: number; readonly keys: Said }
  /** The next numbers. */
  | { readonly do: "insert"; readonly count: number }
  /** The oldest that are alive. */
  | { readonly do: "erase"; readonly count: number }
  /** Drawn with replacement: of the keys that are alive before and after the round, or of those that are never inserted. */
  | { readonly do: LookupOp; readonly count: number; readonly of: "staying" | "never" };

/** Whether it asks for keys, and changes nothing. */
export const isLookup = (kind: Step["do"]): kind is LookupOp => LOOKUP_OPS.some((op) => op === kind);

export type Step =
  | Operation
  /** All parts in one dispatch and in random order, four at most. Its only lookups are searches, which are not of keys that it changes. */
  | { readonly do: "mixed"; readonly parts: readonly Operation[] }
  /** Begins a round. From here on another table is used, which is empty and made for `size` pairs. Untimed. */
  | { readonly do: "clear"; readonly size: number };

/** Steps whose operations are written together, before any of them runs; cells end after whole rounds. */
export type Round = readonly Step[];

export interface Scenario {
  readonly seed: number;
  /** Pairs that the table is made for. Default: as many as the cell's data set has different keys. */
  readonly size?: number;
  /** Insertions that it is made for, if it uses no slot again. Default: those of all rounds. */
  readonly insertions?: number;
  /** Insertions into the empty table, untimed. `shuffled`: age says nothing of where a pair is in the table. Default: none. */
  readonly filling?: { readonly count: number; readonly shuffled?: true };
  /** Rounds between the filling and a sample, untimed. */
  readonly before?: readonly Round[];
  /** Timed. A scenario without a filling, or with several of these rounds, is a run of many passes, whose prefixes are cells too. */
  readonly sample: readonly Round[];
  /** Every sample begins with a table that is filled anew. Default: it is put back as it was before the first, where it can be. */
  readonly anew?: true;
  /**
   * The table may not survive all rounds: one that is full or worn out is skipped, and says in which round. One that cannot be put back
   * goes on from sample to sample, for `beyond` rounds after the first sample. Default: a table that is full is an error.
   */
  readonly life?: { readonly beyond: number };
}

/** Numbers from … to - 1. */
export interface Window {
  readonly from: number;
  readonly to: number;
}

export const NONE: Window = { from: 0, to: 0 };
/** Numbers from here on are of keys that are never inserted. */
export const NEVER = 0xf0000000;
/** Number of such keys, where keys are computed by number. */
export const ABSENT = 0x01000000;

/** Operations of one kind, by number: `span` 0: first, first + 1 …; else drawn from first … first + span - 1. */
export interface Part {
  readonly do: Operation["do"];
  readonly count: number;
  readonly first: number;
  readonly span: number;
  /** Seed of drawn numbers. Default: the seed of the round. */
  readonly seed?: number;
}

/** A step whose keys are known. */
export interface Placed {
  readonly do: Exclude<Step["do"], "clear">;
  readonly count: number;
  readonly parts: readonly Part[];
  /** Operations of the round before it. */
  readonly base: number;
  readonly shuffled: boolean;
  /** Keys that are alive when the step is asked. */
  readonly alive: Window;
}

export interface PlacedRound {
  readonly steps: readonly Placed[];
  /** Keys that are alive after the round. */
  readonly after: Window;
}

type Counted = Exclude<Step, { readonly do: "clear" }>;
export const countedSteps = (round: Round): Counted[] => round.flatMap((step) => (step.do === "clear" ? [] : [step]));
const partsOf = (step: Counted) => (step.do === "mixed" ? step.parts : [step]);
export const countOf = (step: Counted): number => partsOf(step).reduce((sum, { count }) => sum + count, 0);

/** Operations of these rounds; where they clear, of the table that they leave. */
export function operationsOf(rounds: readonly Round[]): number {
  return rounds.reduce((sum, round) => {
    const own = countedSteps(round).reduce((all, step) => all + countOf(step), 0);
    return round[0]?.do === "clear" ? own : sum + own;
  }, 0);
}

/** How many keys these rounds insert, or erase. */
export function changedBy(rounds: readonly Round[], kind: "insert" | "erase"): number {
  const parts = rounds.flatMap(countedSteps).flatMap(partsOf);
  return parts.reduce((sum, part) => sum + (part.do === kind ? part.count : 0), 0);
}

/**
 * A round of the table in which `before` is alive. Throws a UsageError for one that asks for keys that there are not.
 * @param absent keys that are never inserted
 */
export function place(round: Round, before: Window, absent = ABSENT): PlacedRound {
  const [first] = round;
  let alive = first?.do === "clear" ? NONE : before;
  const windows = {
    staying: { from: alive.from + changedBy([round], "erase"), to: alive.to },
    never: { from: NEVER, to: NEVER + absent },
  };
  let base = 0;
  /** @param then what is alive before the step */
  const partOf = (part: Operation, then: Window): Part => {
    const { do: kind, count } = part;
    if ("keys" in part) {
      const { keys } = part;
      if ("from" in keys) return { do: kind, count, first: keys.from, span: 0 };
      return { do: kind, count, first: 0, span: keys.below, seed: keys.draw };
    }
    if ("of" in part) {
      const { from, to } = windows[part.of];
      if (to <= from) throw new UsageError(`a round searches for keys that are ${part.of}, and there are none`);
      return { do: kind, count, first: from, span: to - from };
    }
    const first = kind === "insert" ? alive.to : alive.from;
    const missing = kind === "erase" ? first + count - then.to : 0;
    if (missing > 0) throw new UsageError(`a round erases ${missing} keys more than there are`);
    alive = kind === "insert" ? { ...alive, to: first + count } : { ...alive, from: first + count };
    return { do: kind, count, first, span: 0 };
  };
  const steps = countedSteps(round).map((step): Placed => {
    const then = alive;
    const parts = partsOf(step)
      .filter(({ count }) => count > 0)
      .map((part) => partOf(part, then));
    const placed = { do: step.do, count: countOf(step), parts, base, shuffled: step.do === "mixed", alive: then };
    base += placed.count;
    return placed;
  });
  if (alive.to > NEVER) throw new UsageError("there are no more keys");
  return { steps, after: alive };
}

/** An insertion of the filling's numbers, in parts of at most `most`; shuffled ones are inserted at once. */
export function placeFilling(filling: NonNullable<Scenario["filling"]>, most: number): PlacedRound[] {
  const { count, shuffled = false } = filling;
  return partsOfWindow({ from: 0, to: count }, shuffled ? count : most).map(({ from, to }) => {
    const { steps, after } = place([{ do: "insert", count: to - from }], { from: 0, to: from });
    return { steps: steps.map((step) => ({ ...step, shuffled })), after };
  });
}

/** A search for each of these numbers once. */
export function everyOf({ from, to }: Window, alive: Window): Placed {
  const part = { do: "find", count: to - from, first: from, span: 0 } as const;
  return { do: "find", count: part.count, parts: [part], base: 0, shuffled: false, alive };
}

export function partsOfWindow({ from, to }: Window, most: number): Window[] {
  return Array.from({ length: Math.ceil((to - from) / most) }, (_, i) => {
    const begin = from + i * most;
    return { from: begin, to: Math.min(to, begin + most) };
  });
}
