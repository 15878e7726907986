/** Many comparisons of runs whose truth is known. */
import { sample } from "simple-statistics";
import type { Uniform } from "../../datasets/rng.js";
import { type CompareOptions, compare } from "./compare.js";
import type { Side, SideCell } from "./side.js";

export interface Trial {
  readonly before: Side;
  readonly after: Side;
}

export interface Outcome {
  readonly trials: number;
  /** Trials that reported something worse. */
  readonly alarms: number;
  /** Trials by the cells they reported, `key metric`. */
  readonly worse: ReadonlyMap<string, number>;
}

/** `count` pairs of different runs, without repetition while there are some, shuffled. */
export function pairsOf(before: readonly Side[], after: readonly Side[], count: number, random: Uniform): Trial[] {
  const all = before.flatMap((b) => after.filter((a) => a !== b).map((a) => ({ before: b, after: a })));
  if (all.length === 0) throw new Error("a comparison needs two runs");
  const trials: Trial[] = [];
  while (trials.length < count) trials.push(...sample(all, Math.min(count - trials.length, all.length), random));
  return trials;
}

/** The pair with every cell's samples drawn anew from themselves, with replacement. */
export function resampled({ before, after }: Trial, random: Uniform): Trial {
  return { before: redrawn(before, random), after: redrawn(after, random) };
}

function redrawn(side: Side, random: Uniform): Side {
  const draw = (samples: readonly number[]) =>
    samples.map(() => samples[Math.floor(random() * samples.length)] ?? Number.NaN);
  const cell = (old: SideCell): SideCell => ({
    ...old,
    runs: old.runs.map((run) => ({ ...run, samples: draw(run.samples) })),
  });
  return { ...side, cells: new Map([...side.cells].map(([key, old]) => [key, cell(old)])) };
}

export function runTrials(trials: readonly Trial[], options: CompareOptions): Outcome {
  const worse = new Map<string, number>();
  let alarms = 0;
  for (const { before, after } of trials) {
    const { verdicts, broken } = compare(before, after, options);
    const found = verdicts.filter(({ decision }) => decision === "worse");
    if (found.length > 0 || broken.length > 0) alarms++;
    for (const { cell } of broken) count(worse, `${cell.key} broken`);
    for (const { cell, metric } of found) count(worse, `${cell.key} ${metric}`);
  }
  return { trials: trials.length, alarms, worse };
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
