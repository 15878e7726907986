import { expect, test } from "vitest";
import { drawing } from "../figures/figure.js";
import { html } from "../figures/markup.js";
import { experiment, threeRows } from "../figures/testing.js";
import { columnsOf } from "./columns.js";
import { figurePlot } from "./variants.js";

const TEXTS = { heading: false, caption: html`` } as const;

/** By scale, the values of y that the page draws. */
function drawnOn(scale: "linear" | "log10" | undefined, values: readonly number[]): Record<string, unknown> {
  const declared = experiment({}, { y: { title: "Rate", ...(scale && { scale }) } });
  const rows = threeRows().map((row, i) => ({ ...row, value: values[i] ?? null, lo: null, hi: null }));
  const [column] = columnsOf(rows);
  if (!column) throw new Error("no device");
  const { content } = figurePlot(drawing(declared, rows), column, true, TEXTS);
  const sets = content.datasets as Readonly<Record<string, { points: { y: unknown } }>>;
  return Object.fromEntries(Object.entries(sets).map(([name, { points }]) => [name, points.y]));
}

test("both scales draw the same values", () => {
  for (const scale of ["linear", "log10", undefined] as const)
    expect(drawnOn(scale, [1, 2, 3])).toEqual({ linear: [1, 2, 3], log: [1, 2, 3] });
});

test("a value of 0 that a log axis leaves out is on the linear one", () => {
  expect(drawnOn("log10", [1, 0, 3])).toEqual({ linear: [1, 0, 3], log: [1, 3] });
});
