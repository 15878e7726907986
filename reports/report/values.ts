/** A figure's values as tables: a panel each, x down, series across. */
import type { Experiment } from "../../bench/experiment.js";
import { html, type Markup } from "../markup.js";
import { withPaper } from "../paper.js";
import type { PlotData } from "../plot-data.js";
import { unitOf } from "../scales.js";
import { formatNumber, titleWithUnit } from "../units.js";

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
