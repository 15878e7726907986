import { expect, test } from "vitest";
import type { CellSpec } from "../base/experiment.js";
import { cell } from "../results/testing.js";
import type { WorkPhase } from "../run/stopwatch.js";
import { about, TimeLeft } from "./time-left.js";

/** Seconds that a phase of each of a group's cells takes; the cells are at the same phase, one after the other. */
type Phases = readonly (readonly [phase: WorkPhase, seconds: number])[];

/** A group of a tour: cells that are prepared together, sampled in turn, and end one after the other. */
interface Burst {
  readonly cells: readonly CellSpec[];
  readonly phases: Phases;
  /** Cells that the run of one of those measures too, and that end with it. */
  readonly others?: readonly CellSpec[];
}

const cells = (experiment: string, count: number, change: Partial<CellSpec> = {}) =>
  Array.from({ length: count }, (_, i) => cell({ experiment, n: i + 1, ...change }));

const table = (factor: number): Phases => [
  ["prepare", 0.4 * factor],
  ["warm-up", 0.15 * factor],
  ["sample", 0.25 * factor],
  ["count", 0.2 * factor],
];

/** Stages of one history, the longest first. */
function history(stages: number): readonly CellSpec[] {
  const one = { bench: "dynamic", op: "dynamic", n: 20_000 };
  return Array.from({ length: stages }, (_, i) => cell({ ...one, params: { batch: stages - i, batchSize: 1000 } }));
}

/** A tour of seven figures: cheap cells first, some of one history that end at once, few that take long. */
const TOUR: readonly Burst[] = [
  { cells: cells("device/limits", 12, { bench: "limit", table: "lookup4", op: "lookup" }), phases: table(0.25) },
  { cells: cells("cuckoo/fig4.4-retrieve", 8), phases: table(1.5) },
  { cells: cells("cuckoo/cpu", 4, { bench: "cpu", table: "js-map" }), phases: table(0.2) },
  { cells: cells("stadium/table1", 6), phases: table(0.9) },
  { cells: cells("slab/fig4c", 4), phases: table(2) },
  { cells: history(20).slice(0, 1), phases: table(6), others: history(20).slice(1) },
  { cells: cells("gph/fig10", 12), phases: table(1.6) },
];

/** What is shown each second of a run, and how long it really takes from there. */
function watched(bursts: readonly Burst[], expectedMs: number, slower = 1, budgetMs: number | null = null) {
  let time = 0;
  const left = new TimeLeft(
    bursts.flatMap((burst) => [...burst.cells, ...(burst.others ?? [])]),
    expectedMs,
    budgetMs,
    () => time,
  );
  const shown: { readonly at: number; readonly left: number }[] = [];
  const pass = (seconds: number): void => {
    const end = time + 1000 * slower * seconds;
    while (Math.floor(end / 1000) > Math.floor(time / 1000)) {
      time = 1000 * (Math.floor(time / 1000) + 1);
      shown.push({ at: time / 1000, left: left.ms / 1000 });
    }
    time = end;
  };
  for (const { cells: group, phases, others = [] } of bursts) {
    for (const [phase, seconds] of phases) {
      for (const one of group) {
        left.working(one, phase);
        pass(seconds);
      }
    }
    for (const one of [...group, ...others]) left.finished(one);
  }
  const all = time / 1000;
  return { all, shown, really: shown.map(({ at }) => all - at), end: left.ms / 1000 };
}

test.each([
  ["as long as expected", 90_000, 1],
  ["three times as long as expected", 90_000, 3],
  ["a third of what was expected", 270_000, 1],
])("of a tour that takes %s the time left does not jump, and is never 0 before the end", (_, expectedMs, slower) => {
  const { all, shown } = watched(TOUR, expectedMs, slower);
  for (const [i, { left, at }] of shown.entries()) {
    const before = shown[i - 1]?.left ?? expectedMs / 1000;
    // A second later it is a second less, up to corrections of a few per cent.
    expect(Math.abs(left - (before - 1)), `after ${at} of ${all} s`).toBeLessThan(
      0.05 * Math.max(all, expectedMs / 1000),
    );
    if (all - at > 5) expect(left, `after ${at} of ${all} s`).toBeGreaterThan(1);
  }
});

test.each([1, 3])("from its first third on the time left is right within half (%i times as slow)", (slower) => {
  const { all, shown, really } = watched(TOUR, 90_000, slower);
  for (const [i, { left, at }] of shown.entries()) {
    const rest = really[i] ?? 0;
    if (at < all / 3 || rest < 10) continue;
    expect(left / rest, `after ${at} of ${all} s`).toBeGreaterThan(0.5);
    expect(left / rest, `after ${at} of ${all} s`).toBeLessThan(2);
  }
});

test("cells kept from an earlier run are none of its work, and a budget is the most that is left", () => {
  const { shown } = watched(TOUR, 3_600_000, 1, 30_000);
  for (const { at, left } of shown) expect(left).toBeLessThanOrEqual(Math.max(0, 30 - at) + 0.001);
});

test("a time is said with the digits that an estimate has", () => {
  const said = [0, 7, 22, 89, 100, 3599, 7700, 9600].map((seconds) => about(1000 * seconds));
  expect(said).toEqual([
    ...[
      "a few seconds",
      "about 10 s",
      "about 20 s",
      "about 90 s",
      "about 2 min",
      "about 60 min",
      "about 2 h 8 min",
      "about 2 h 40 min",
    ],
  ]);
});
