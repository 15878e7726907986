/** A figure's values as tables: a panel each, x down, series across; of a paper's table, one with a column a metric. */
import { type Text, table } from "../../bench/base/document.js";
import { type Experiment, metricPanels } from "../../bench/base/experiment.js";
import { formatNumber, joined } from "../../bench/base/format.js";
import { metricType } from "../../bench/results/metrics.js";
import type { ResultRow } from "../../bench/results/record.js";
import type { Markup } from "../figures/markup.js";
import { withPaper } from "../figures/paper.js";
import type { PlotData } from "../figures/plot-data.js";
import { unitOf } from "../figures/scales.js";
import { plotData } from "../figures/series.js";
import { displayUnit, titleWithUnit } from "../figures/units.js";
import { printHtml } from "./blocks.js";

export function valueTables(experiment: Experiment, measured: PlotData): Markup {
  const data = withPaper(measured);
  const { figure } = experiment;
  const values = data.points.map(({ y }) => y);
  const { factor, unit } = unitOf(experiment, data, values);
  const title = titleWithUnit(figure.y.title, unit);
  const number = (value: number): string => formatNumber(value * factor, 4);
  const tables = data.panels.map((panel) => {
    const own = data.points.filter((p) => p.panel === panel);
    const series = data.series.filter(({ name }) => own.some((p) => p.series === name));
    const xs = data.xs.filter((x) => own.some((p) => p.x === x));
    const cell = (x: number | string, name: string): Text => {
      const point = own.find((p) => p.x === x && p.series === name);
      if (!point) return "–";
      const { lo, hi } = point;
      const interval = lo !== null && hi !== null && `${number(lo)} to ${number(hi)}, ${point.samples} samples`;
      return [{ text: number(point.y), ...(interval && { hint: interval }) }];
    };
    return table(
      [figure.x.title, ...series.map(({ name }) => name)],
      xs.map((x) => [typeof x === "number" ? formatNumber(x, 6) : x, ...series.map(({ name }) => cell(x, name))]),
      { caption: joined([title, panel], ": "), look: "numbers" },
    );
  });
  return printHtml(tables);
}

/**
 * A paper's table as one: series down, metrics across, each value with its unit and below it what the figure draws: over that of the table
 * that it is `against`, ours and the paper's.
 */
export function profileTable(experiment: Experiment, data: PlotData, rows: readonly ResultRow[]): Markup {
  const { against: _, paper: __, ...figure } = experiment.figure;
  const { against } = experiment.figure;
  const panels = metricPanels(experiment.figure);
  const whole = plotData({ ...experiment, figure }, rows);
  const cell = (series: string, { metric, title }: (typeof panels)[number]): Text => {
    const at = (points: readonly { readonly series: string; readonly panel: string; readonly y: number }[]) =>
      points.find((p) => p.series === series && p.panel === title)?.y;
    const value = at(whole.points);
    if (value === undefined) return "–";
    const { factor, unit } = displayUnit(metricType(metric)?.unit ?? "", value);
    const [ours, paper] = [at(data.points), at(data.paper)].map((y) => y !== undefined && `${formatNumber(y, 3)}×`);
    const over = ours ? [{ text: `${ours}${paper ? `, paper ${paper}` : ""}`, as: "note" as const }] : [];
    return [`${formatNumber(value * factor)}${unit === "ratio" ? "" : ` ${unit}`}`, ...over];
  };
  const lines = whole.series.map(({ name }) => [name, ...panels.map((panel) => cell(name, panel))]);
  const caption = `Below each value: over that of ${typeof against?.table === "string" ? against.table : ""}`;
  return printHtml([
    table(["Table", ...panels.map(({ title }) => title)], lines, { caption, look: "numbers profile" }),
  ]);
}
