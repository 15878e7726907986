/** A figure's values as tables: a panel each, x down, series across; of a paper's table, one with a column a metric. */
import type { Experiment } from "../../bench/base/experiment.js";
import { formatNumber } from "../../bench/base/format.js";
import { metricType } from "../../bench/results/metrics.js";
import type { ResultRow } from "../../bench/results/record.js";
import { html, type Markup } from "../figures/markup.js";
import { withPaper } from "../figures/paper.js";
import type { PlotData } from "../figures/plot-data.js";
import { unitOf } from "../figures/scales.js";
import { plotData } from "../figures/series.js";
import { displayUnit, titleWithUnit } from "../figures/units.js";

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
    const cell = (x: number | string, name: string): Markup => {
      const point = own.find((p) => p.x === x && p.series === name);
      if (!point) return html`<td>–</td>`;
      const { lo, hi } = point;
      const interval = lo !== null && hi !== null ? `${number(lo)} to ${number(hi)}, ${point.samples} samples` : null;
      return html`<td${interval && html` title="${interval}"`}>${number(point.y)}</td>`;
    };
    return html`<div class="scroll" tabindex="0" role="region" aria-label="${`${title} ${panel}`.trim()}"><table class="numbers">
<caption>${title}${panel && html`: ${panel}`}</caption>
<thead><tr><th scope="col">${figure.x.title}</th>${series.map(({ name }) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${xs.map(
      (x) =>
        html`<tr><th scope="row">${typeof x === "number" ? formatNumber(x, 6) : x}</th>${series.map(({ name }) => cell(x, name))}</tr>`,
    )}</tbody></table></div>`;
  });
  return html`${tables}`;
}

/**
 * A paper's table as one: series down, metrics across, each value with its unit and below it what the figure draws: over that of the table
 * that it is `against`, ours and the paper's.
 */
export function profileTable(experiment: Experiment, data: PlotData, rows: readonly ResultRow[]): Markup {
  const { against: _, paper: __, ...figure } = experiment.figure;
  const { panels = [], against } = experiment.figure;
  const whole = plotData({ ...experiment, figure }, rows);
  const cell = (series: string, { metric, title }: (typeof panels)[number]): Markup => {
    const at = (points: readonly { readonly series: string; readonly panel: string; readonly y: number }[]) =>
      points.find((p) => p.series === series && p.panel === title)?.y;
    const value = at(whole.points);
    if (value === undefined) return html`<td>–</td>`;
    const { factor, unit } = displayUnit(metricType(metric)?.unit ?? "", value);
    const [ours, paper] = [at(data.points), at(data.paper)].map((y) => y !== undefined && `${formatNumber(y, 3)}×`);
    return html`<td>${formatNumber(value * factor, 4)}${unit !== "ratio" && ` ${unit}`}${ours && html`<small>${ours}${paper && html`, paper ${paper}`}</small>`}</td>`;
  };
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${experiment.title}"><table class="numbers profile">
<caption>Below each value: over that of ${typeof against?.table === "string" && against.table}</caption>
<thead><tr><th scope="col">Table</th>${panels.map(({ title }) => html`<th scope="col">${title}</th>`)}</tr></thead>
<tbody>${whole.series.map(
    ({ name }) => html`<tr><th scope="row">${name}</th>${panels.map((panel) => cell(name, panel))}</tr>`,
  )}</tbody></table></div>`;
}
