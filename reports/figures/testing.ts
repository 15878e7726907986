/** Rows and an experiment for the tests of this folder. No numbers of a device. */
import type { Experiment, FigureSpec } from "../../bench/base/experiment.js";
import type { ResultRow } from "../../bench/results/record.js";
import { row } from "../../bench/results/testing.js";
import { drawing, type FigureOptions, figureSpec } from "./figure.js";

/** An experiment of two series over the share of present keys. */
export function experiment(changes: Partial<Experiment> = {}, figure: Partial<FigureSpec> = {}): Experiment {
  return {
    id: "gph/test",
    source: { section: "1.2", figure: "Fig. 0" },
    title: "A test",
    setting: "A small table",
    series: [
      { table: "gph", label: "GPH" },
      { table: "cuckoo", variant: "1.25n" },
    ],
    axes: { n: [1000], positiveRatio: [0, 0.5, 1] },
    figure: {
      kind: "line",
      x: { field: "positive_ratio", title: "Positive ratio (%)", factor: 100 },
      metric: "mops",
      y: { title: "Throughput" },
      ...figure,
    },
    ...changes,
  };
}

/** A row of a cell that ended without a number. */
export function failedRow(changes: Partial<ResultRow> = {}): ResultRow {
  return row({ value: null, samples: 0, status: "timeout", reason: "no answer in 60 s", ...changes });
}

/** `GPH` at 0, 50 and 100 % present keys. */
export function threeRows(changes: Partial<ResultRow> = {}): ResultRow[] {
  return [0, 0.5, 1].map((positive_ratio) => row({ positive_ratio, value: 100 + 100 * positive_ratio, ...changes }));
}

export function specOf(experiment: Experiment, rows: readonly ResultRow[], options?: FigureOptions) {
  return figureSpec(drawing(experiment, rows), options);
}
