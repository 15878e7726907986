import { expect, test } from "vitest";
import { cell } from "../results/testing.js";
import type { Estimate } from "../run/estimate.js";
import { about, TimeLeft } from "./time-left.js";

/** Cells of an experiment that end together, as those of a group do. */
interface Burst {
  readonly id: string;
  readonly cells: number;
  readonly seconds: number;
}

/** A tour of figures: cheap cells first, few that take long. */
const TOUR: readonly Burst[] = [
  { id: "device/limits", cells: 12, seconds: 3 },
  { id: "cuckoo/fig4.4-retrieve", cells: 8, seconds: 12 },
  { id: "stadium/table1", cells: 6, seconds: 5 },
  { id: "gph/fig10", cells: 16, seconds: 12 },
  { id: "gph/fig10", cells: 16, seconds: 12 },
  { id: "slab/fig4c", cells: 4, seconds: 8 },
  { id: "aging/rounds", cells: 2, seconds: 20 },
  { id: "gph/fig9", cells: 12, seconds: 18 },
];

/** What the estimate says: as long as it takes, but for a factor. */
function expectedOf(bursts: readonly Burst[], factor: number): Estimate {
  const ids = [...new Set(bursts.map(({ id }) => id))];
  const experiments = ids.map((id) => {
    const own = bursts.filter((one) => one.id === id);
    const seconds = factor * own.reduce((sum, one) => sum + one.seconds, 0);
    const cells = own.reduce((sum, one) => sum + one.cells, 0);
    return { id, cells, seconds: { from: seconds / 2, to: seconds * 2 }, from: "earlier run" as const };
  });
  const all = experiments.reduce((sum, { seconds }) => sum + 2 * seconds.from, 0);
  return { seconds: { from: all / 2, to: all * 2 }, experiments };
}

/** What is shown each second of a run, and how long it really takes from there. */
function watched(factor: number, budgetMs: number | null = null) {
  let time = 0;
  const left = new TimeLeft(expectedOf(TOUR, factor), budgetMs, () => time);
  const shown: { readonly at: number; readonly left: number }[] = [];
  for (const { id, cells, seconds } of TOUR) {
    for (let i = 0; i < seconds; i++) {
      time += 1000;
      shown.push({ at: time / 1000, left: left.ms / 1000 });
    }
    for (let i = 0; i < cells; i++) left.finished(cell({ experiment: id }));
  }
  const all = time / 1000;
  return { all, shown, really: shown.map(({ at }) => all - at) };
}

test.each([1, 1 / 3, 3])("of a tour the time left does not jump, where %d of its time was expected", (factor) => {
  const { all, shown } = watched(factor);
  for (const [i, { left, at }] of shown.entries()) {
    const before = shown[i - 1]?.left ?? factor * all;
    // A second later it is a second less, up to corrections of a few per cent.
    expect(Math.abs(left - (before - 1)), `after ${at} of ${all} s`).toBeLessThan(0.05 * Math.max(1, factor) * all);
    if (all - at > 5) expect(left, `after ${at} of ${all} s`).toBeGreaterThan(1);
  }
});

test.each([1, 1 / 3, 3])("from its first third on the time left is right within half (%d of it expected)", (factor) => {
  const { all, shown, really } = watched(factor);
  for (const [i, { left, at }] of shown.entries()) {
    const rest = really[i] ?? 0;
    if (at < all / 3 || rest < 20) continue;
    expect(left / rest, `after ${at} of ${all} s`).toBeGreaterThan(0.5);
    expect(left / rest, `after ${at} of ${all} s`).toBeLessThan(2);
  }
});

test("of a group that takes four times as long as all was to take, the time left is never next to nothing", () => {
  let time = 0;
  const left = new TimeLeft(expectedOf([{ id: "gph/fig10", cells: 16, seconds: 10 }], 1), null, () => time);
  for (let second = 1; second < 40; second++) {
    time += 1000;
    // The first group of 16 cells ends after 40 s.
    expect(left.ms / 1000, `after ${second} s`).toBeGreaterThan(Math.min(3, 0.2 * second));
  }
  for (let i = 0; i < 16; i++) left.finished(cell({ experiment: "gph/fig10" }));
  time += 30_000;
  expect(left.ms / 1000).toBeLessThan(1);
});

test("a budget is the most that is left", () => {
  const { shown } = watched(40, 30_000);
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
