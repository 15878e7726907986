/** The runs of one experiment on one device as small multiples: a panel a table and operation, a line a cell. */
import type { TopLevelSpec } from "vega-lite";
import { joined, rounded } from "../../bench/base/format.js";
import { amount } from "../../bench/compare/change-table.js";
import type { DeviceHistory, HistoryRun, Trend } from "../../bench/compare/history.js";
import { groupBy } from "../../bench/results/group.js";
import { config, INK, LIMIT_COLOR, seriesColor } from "./style.js";

const COLUMNS = 3;
const WIDTH = 270;
const HEIGHT = 150;
/** Dates under a panel. */
const LABELS = 3;

/** The places of the runs whose driver, Dawn or toggles differ from those of the run before, and how. */
export function movesOf(runs: readonly HistoryRun[]) {
  return runs.flatMap((run, i) => {
    const before = runs[i - 1];
    if (!before) return [];
    const changed = (["driver", "dawn", "toggles"] as const).filter((name) => run[name] !== before[name]);
    const what = changed.map((name) => `${name} ${before[name] || "none"} → ${run[name] || "none"}`).join("; ");
    return changed.length > 0 ? [{ run: i, what }] : [];
  });
}

/** Trends as a share of each cell's own median, so that cells of all sizes have one axis. A median of 0 has no share. */
export function trendFigure({ runs }: DeviceHistory, trends: readonly Trend[]): TopLevelSpec {
  const drawn = trends.filter((trend) => trend.median !== 0);
  const panels = [...groupBy(drawn, panelOf)];
  const share = (trend: Trend, value: number): number => rounded((100 * value) / trend.median, 5);
  const points = panels.flatMap(([, own], panel) =>
    own.flatMap((trend, cell) => {
      const marked = new Set(trend.changes.map(({ index }) => index));
      return trend.points.map(({ run, value }, i) => ({
        panel,
        cell,
        run,
        y: share(trend, value),
        value: amount(value, trend.line.unit),
        changed: marked.has(i),
      }));
    }),
  );
  const cells = panels.flatMap(([, own], panel) =>
    own.map((trend, cell) => ({ id: `${panel} ${cell}`, name: trend.cell, color: seriesColor(cell) })),
  );
  const ys = points.map(({ y }) => y);
  const room = 0.06 * Math.max(2, extreme(ys, Math.max) - extreme(ys, Math.min));
  const domain = [extreme(ys, Math.min) - room, extreme(ys, Math.max) + room];
  return {
    $schema: "https://vega.github.io/schema/vega-lite/v6.json",
    datasets: {
      points: points.map((point) => ({ ...point, id: `${point.panel} ${point.cell}` })),
      cells,
      runs: runs.map((run, i) => ({ ...run, commit: run.commit || "unknown", run: i, name: run.run })),
      moves: movesOf(runs).map(({ run, what }) => ({ x: run - 0.5, what })),
    },
    columns: COLUMNS,
    spacing: 18,
    concat: panels.map(([name], panel) => panelSpec(name, panel, runs, domain)),
    // The ground of the page, light or dark.
    config: { ...config, background: "transparent" },
  } as unknown as TopLevelSpec;
}

function extreme(values: readonly number[], of: (a: number, b: number) => number): number {
  return values.reduce((a, b) => of(a, b), values[0] ?? 100);
}

function panelOf({ line, metric }: Trend): string {
  return joined([line.table, line.variant, line.op, line.dataset, metric !== "mops" && metric], " ");
}

function panelSpec(name: string, panel: number, runs: readonly HistoryRun[], domain: readonly number[]): object {
  const scaleTo = (domain: readonly number[]) => ({ domain, nice: false, zero: false });
  const along = scaleTo([-0.5, runs.length - 0.5]);
  const x = { field: "run", type: "quantitative", title: null, scale: along, axis: xAxis(runs) };
  const y = { field: "y", type: "quantitative", title: "% of the cell's median", scale: scaleTo(domain) };
  const symbol = { aria: false, type: "point", opacity: 1 };
  const color = { field: "color", type: "nominal", scale: null };
  const ofCell = { name: "cell", value: "value", y: "% of median" };
  const ofRun = { commit: "commit", time: "time", run_name: "run", dawn: "Dawn", driver: "driver" };
  const tooltip = Object.entries({ ...ofCell, ...ofRun }).map(([field, title]) => ({ field, title, type: "nominal" }));
  return {
    title: { text: name, fontSize: 12, anchor: "start", offset: 4 },
    width: WIDTH,
    height: HEIGHT,
    layer: [
      {
        data: { name: "moves" },
        mark: { aria: false, type: "rule", color: LIMIT_COLOR, strokeDash: [4, 3], strokeWidth: 1.5 },
        encoding: { x: { ...x, field: "x" }, tooltip: { field: "what", type: "nominal" } },
      },
      {
        data: { name: "points" },
        transform: [
          { filter: `datum.panel === ${panel}` },
          { lookup: "id", from: { data: { name: "cells" }, key: "id", fields: ["name", "color"] } },
          {
            lookup: "run",
            from: { data: { name: "runs" }, key: "run", fields: ["name", "commit", "time", "dawn", "driver"] },
            as: ["run_name", "commit", "time", "dawn", "driver"],
          },
        ],
        encoding: { x, y },
        layer: [
          {
            mark: { aria: false, type: "line", strokeWidth: 1.2 },
            encoding: { color, detail: { field: "cell", type: "nominal" } },
          },
          { mark: { ...symbol, filled: true, size: 14 }, encoding: { color, tooltip } },
          {
            transform: [{ filter: "datum.changed" }],
            mark: { ...symbol, filled: false, shape: "diamond", size: 130, strokeWidth: 2, color: INK },
            encoding: { tooltip },
          },
        ],
      },
    ],
  };
}

/** Days of a few runs at even distances. */
function xAxis(runs: readonly HistoryRun[]): object {
  const last = runs.length - 1;
  const values = [...new Set(Array.from({ length: LABELS }, (_, i) => Math.round((i * last) / (LABELS - 1))))];
  const days = Object.fromEntries(values.map((i) => [i, runs[i]?.time.slice(0, 10) ?? ""]));
  return { values, grid: false, labelExpr: `(${JSON.stringify(days)})[datum.value]`, labelBound: false };
}
