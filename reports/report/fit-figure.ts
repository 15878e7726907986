/** Modelled against measured time of a retrieval, as a scatter plot on two equal log axes. */

import type { TopLevelSpec } from "vega-lite";
import { rounded } from "../../bench/base/format.js";
import { yAxis } from "../figures/axes.js";
import type { FigureLayout } from "../figures/figure.js";
import { HIDDEN, PICK } from "../figures/frame.js";
import { config, LIMIT_COLOR, seriesColor, seriesShape } from "../figures/style.js";
import { decadeTicks } from "../figures/units.js";
import type { FitPoint } from "./fit.js";

/** A plot of `size` by `size` pixels. `tables` give the colours' order, over all devices. `alone`: no page has its legend. */
export function fitSpec(
  points: readonly FitPoint[],
  tables: readonly string[],
  size: number,
  alone = false,
): TopLevelSpec {
  const all = points.flatMap((p) => [p.predicted, p.measured]);
  const low = Math.min(...all);
  const high = Math.max(...all);
  const { domain } = decadeTicks(low, high);
  const drawn = yAxis({ title: "", scale: "log10" }, low, high);
  const range = (of: (index: number) => string): string[] => tables.map((_, i) => of(i));
  const series = { field: "series", type: "nominal", legend: alone ? { title: null, symbolOpacity: 1 } : null };
  const axis = (field: string, title: string): object => ({
    field,
    title,
    type: "quantitative",
    scale: drawn.scale,
    axis: { ...drawn.axis, title, grid: true },
  });
  const faded = { condition: { test: `!${PICK} || ${PICK} === datum.series`, value: 0.85 }, value: 0.1 };
  return {
    $schema: "https://vega.github.io/schema/vega-lite/v6.json",
    params: [
      { name: PICK, value: null },
      { name: HIDDEN, value: [] },
    ],
    datasets: {
      points: points.map(({ table, predicted, measured, ...rest }) => {
        return { series: table, x: rounded(predicted, 6), y: rounded(measured, 6), ...rest };
      }),
    },
    description: `Retrievals: modelled against measured time of ${points.length} cells, on two equal log axes. Tables: ${tables.join(", ")}.`,
    ...(alone ? { title: "Retrievals: modelled against measured time" } : {}),
    width: size,
    height: size,
    layer: [
      {
        data: { values: domain.map((v) => ({ x: v, y: v })) },
        mark: { type: "line", strokeDash: [6, 4], strokeWidth: 1.3, color: LIMIT_COLOR },
        encoding: { x: axis("x", "Modelled (ns/op)"), y: axis("y", "Measured (ns/op)") },
      },
      {
        data: { name: "points" },
        transform: [{ filter: `indexof(${HIDDEN}, datum.series) < 0` }],
        mark: { type: "point", filled: true, size: 40 },
        encoding: {
          x: axis("x", "Modelled (ns/op)"),
          y: axis("y", "Measured (ns/op)"),
          color: { ...series, scale: { domain: tables, range: range(seriesColor) } },
          shape: { ...series, scale: { domain: tables, range: range(seriesShape) } },
          opacity: faded,
          tooltip: [
            { field: "series", title: "series" },
            { field: "x", title: "Modelled (ns/op)" },
            { field: "y", title: "Measured (ns/op)" },
            { field: "op", title: "operation" },
            { field: "loadFactor", title: "load factor" },
            { field: "n", title: "n" },
            { field: "dataset", title: "data" },
            { field: "experiment", title: "experiment" },
          ],
        },
      },
    ],
    config: { ...config, background: alone ? "#ffffff" : "transparent", padding: alone ? 12 : 4 },
    usermeta: {
      layout: {
        columns: 1,
        panel: size,
        left: 60,
        axes: [],
        upright: 0,
        height: size + 60,
        scale: "log",
      } satisfies FigureLayout,
    },
  } as unknown as TopLevelSpec;
}
