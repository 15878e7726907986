import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { uniform } from "../../datasets/rng.js";
import { packageRoot } from "../base/paths.js";
import { groupBy } from "../results/group.js";
import { configurationKey, rowKey } from "../results/key.js";
import { readSampleLines } from "../results/read.js";
import type { ResultRow } from "../results/record.js";
import { keptRows, row } from "../results/testing.js";
import { withIntervals } from "./intervals.js";
import { summarise } from "./statistics.js";
import { defaultStopping, forLong, stopReason } from "./stopping.js";

const MEDIAN = 2e8;
const CELLS = 2000;
const draw = uniform(59);

function normal(): number {
  return Math.sqrt(-2 * Math.log(1 - draw())) * Math.cos(2 * Math.PI * draw());
}

/** Of median 0 and standard deviation 1. */
const NOISES: Readonly<Record<string, () => number>> = {
  normal,
  skewed: () => -Math.log(1 - draw()) - Math.LN2,
  // The slow mode has 35 %; the median is the fast one's quantile at 0.5 / 0.65.
  bimodal: () => (draw() < 0.35 ? 2 : 0) + 0.3 * normal() - 0.3 * 0.7363,
};
const scaleOf = { normal: 1, skewed: 1, bimodal: Math.hypot(2 * Math.sqrt(0.35 * 0.65), 0.3) };

/** The rows of cells with these samples, as they are written, with intervals. */
function rowsOf(cells: readonly (readonly number[])[]): ResultRow[] {
  const rows = cells.map((samples, seed) => {
    const { median, lo, hi } = summarise(samples);
    const ends = samples.length > 1 ? { lo, hi } : {};
    return row({ seed, metric: "time", unit: "ns", value: median, samples: samples.length, ...ends });
  });
  const lines = rows.map((row, i) => ({ key: rowKey(row), run: row.run, rows: 1, samples: [...(cells[i] ?? [])] }));
  return withIntervals(rows, lines);
}

/** The share of cells whose interval holds the true median. `others` are cells of the same run that are not asked. */
function coverage(samplesOf: () => readonly number[], others: readonly (readonly number[])[] = []): number {
  const rows = rowsOf([...Array.from({ length: CELLS }, samplesOf), ...others]).slice(0, CELLS);
  return rows.filter(({ lo, hi }) => (lo ?? MEDIAN + 1) <= MEDIAN && MEDIAN <= (hi ?? 0)).length / CELLS;
}

const samplesBy = (count: number, sample: (i: number) => number) =>
  Array.from({ length: count }, (_, i) => MEDIAN * (1 + sample(i)));

describe.each(["normal", "skewed", "bimodal"] as const)("of %s noise", (name) => {
  const noise = () => (NOISES[name]?.() ?? 0) / scaleOf[name];

  test.each([0.001, 0.003, 0.01])("of %d the interval holds the median, however few samples there are", (sd) => {
    for (const count of [2, 3, 5, 10])
      expect(
        coverage(() => samplesBy(count, () => sd * noise())),
        `${count}`,
      ).toBeGreaterThan(0.93);
  });

  test("a single sample has the interval of its kind", () => {
    const pairs = Array.from({ length: CELLS }, () => samplesBy(2, () => 0.003 * noise()));
    expect(coverage(() => samplesBy(1, () => 0.003 * noise()), pairs)).toBeGreaterThan(0.93);
  });

  test("it does so where sampling ends as soon as two samples are even", () => {
    const options = forLong(defaultStopping);
    const sampled = () => {
      const samples: number[] = [];
      do samples.push(...samplesBy(1, () => 0.003 * noise()));
      while (stopReason(samples, 0, options) === null);
      return samples;
    };
    expect(coverage(sampled)).toBeGreaterThan(0.93);
  });
});

test.each([2, 3, 5, 10])("%i samples of turns that differ as measured hold the median", (count) => {
  const ofOwnTurns = () => samplesBy(count, () => 0.007 * normal() + 0.003 * normal());
  expect(coverage(ofOwnTurns)).toBeGreaterThan(0.93);
});

test("ten samples of two turns hold it too, where their own range does not", () => {
  const ofTwoTurns = () => {
    const turns = [0.007 * normal(), 0.007 * normal()];
    return samplesBy(10, (i) => (turns[Math.floor(i / 5)] ?? 0) + 0.003 * normal());
  };
  expect(coverage(ofTwoTurns)).toBeGreaterThan(0.93);
  const own = Array.from({ length: CELLS }, () => summarise(ofTwoTurns()));
  expect(own.filter(({ lo, hi }) => lo <= MEDIAN && MEDIAN <= hi).length / CELLS).toBeLessThan(0.8);
});

test("a row keeps its own range where that is wider; counts and limits have no interval", () => {
  const cells = Array.from({ length: 100 }, (_, seed) => {
    const own = { seed, samples: 2 };
    const time = row({ ...own, metric: "time", unit: "ns", value: 100, lo: seed === 0 ? 50 : 99.9, hi: 100.1 });
    return [time, row({ ...own, metric: "probes", unit: "1/op" }), row({ ...own, metric: "limit_mops" })] as const;
  });
  const lines = cells.map(([{ run }, probes]) => ({ key: rowKey(probes), run, rows: 3, samples: [99, 101] }));
  const [time, probes, limit] = withIntervals(cells.flat(), lines);
  expect(time).toMatchObject({ lo: 50, hi: expect.closeTo((100 * 101) / 99, 9) });
  expect([probes, limit]).toEqual(cells[0]?.slice(1));
});

test("rows of another device, and rows without any samples, stay as they are", () => {
  const [here, there] = [row({ device: "here", lo: 1 }), row({ device: "there", lo: 1 })];
  const lines = [{ key: rowKey(here), run: here.run, rows: 1, samples: [1, 2] }];
  expect(withIntervals([there], lines.slice(1))).toEqual([there]);
  expect(withIntervals([here], [])).toEqual([here]);
});

test.each(["nvidia-h200", "nvidia-h100"])(
  "intervals of one cell in two figures of a run on %s overlap",
  async (folder) => {
    const lines = await readSampleLines(join(packageRoot, "results", folder));
    const rows = withIntervals(await keptRows(folder), lines).filter(
      ({ metric, value, api }) => metric === "time" && value !== null && api !== "cpu",
    );
    const cells = groupBy(rows, (row) => JSON.stringify([row.run, configurationKey(row), row.system]));
    const pairs = [...cells.values()].flatMap((own) =>
      own.flatMap((a, i) => own.slice(i + 1).flatMap((b) => (a.experiment === b.experiment ? [] : [[a, b] as const]))),
    );
    const apart = pairs.filter(([a, b]) => (a.hi ?? 0) < (b.lo ?? 0) || (b.hi ?? 0) < (a.lo ?? 0));
    expect(pairs.length).toBeGreaterThan(100);
    expect(apart.length / pairs.length).toBeLessThan(0.03);
  },
);
