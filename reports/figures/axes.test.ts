import { scale } from "vega";
import { expect, test } from "vitest";
import { axisTitle, type DrawnAxis, pixelAlong, xAxis, yAxis } from "./axes.js";

const LENGTH = 300;
const values = [0.03, 0.1, 0.5, 1, 7, 40, 100];

/** Where vega, which draws the axis, puts a value. */
function drawnAt({ scale: { type, domain, padding = 0, constant, base } }: DrawnAxis): (value: number) => number {
  const made = scale(String(type))();
  made
    .domain(domain)
    .range([Number(padding), LENGTH - Number(padding)])
    .clamp(true);
  if (constant !== undefined) made.constant(constant);
  if (base !== undefined) made.base(base);
  return made;
}

test.each(["linear", "log10", "log2", "symlog"] as const)("names stand where a %s axis is drawn", (kind) => {
  const y = yAxis({ title: "", scale: kind }, Math.min(...values), Math.max(...values));
  const axes = kind === "symlog" ? [y] : [y, xAxis({ field: "n", title: "", scale: kind }, values, false, LENGTH)];
  for (const axis of axes) {
    const at = drawnAt(axis);
    for (const value of values) expect(pixelAlong(axis, value, LENGTH)).toBeCloseTo(at(value), 6);
  }
});

test.each([
  [0, [0, 0.1, 1]],
  [1, [0, 0.1, 1]],
  [40, [0, 0.1, 1, 10, 100]],
])("an axis with 0 and decades ends at the power of ten that holds %d", (max, ticks) => {
  const { scale, axis } = yAxis({ title: "", scale: "symlog" }, 0, max);
  expect([scale.domain, axis.values]).toEqual([[0, ticks.at(-1)], ticks]);
});

test("sizes are labelled in the unit that suits each, the last among them, and log axes say so", () => {
  const sizes = [1 / 64, 1, 64, 4096, 24 * 1024];
  const axis = xAxis({ field: "params.tableMiB", title: "Table size (MiB)", scale: "log2" }, sizes, false, 400);
  const { labelExpr } = axis.axis as { labelExpr: string };
  for (const label of ["16 KiB", "1 MiB", "64 MiB", "24 GiB"]) expect(labelExpr).toContain(`"${label}"`);
  expect(axisTitle("Table size (MiB)", axis, "params.tableMiB")).toBe("Table size (log)");
  expect(axisTitle("Rate (G op/s)", axis)).toBe("Rate (G op/s, log)");
});

test("a linear axis of x begins at the first point, or at 0 where the figure asks for it", () => {
  const axis = (zero?: true) => xAxis({ field: "n", title: "", ...(zero && { zero }) }, [1.5, 4, 6.25], false, 400);
  expect([axis().scale.domain, axis(true).scale.domain]).toEqual([
    [1.5, 6.25],
    [0, 6.25],
  ]);
  expect(axis(true).axis.values).toContain(0);
});

test("a log axis labels its last point, and what was measured between round values, where there is room", () => {
  const axis = xAxis({ field: "n", title: "", scale: "log2" }, [4, 64, 1024, 2 ** 17, 1e8], false, 400);
  const { values, labelExpr } = axis.axis as { values: number[]; labelExpr: string };
  expect(values.toSorted((a, b) => a - b)).toEqual([4, 64, 1024, 2 ** 17, 1e8]);
  for (const label of ["2²", "2¹⁷", "100 M"]) expect(labelExpr).toContain(`"${label}"`);
});
