/** A figure of the page: controls, a plot for each device, its values as tables, and the words below. */
import { type Experiment, metricPanels } from "../../bench/base/experiment.js";
import { percent, whole, withPowers } from "../../bench/base/format.js";
import { figureName, isPapers, paperOf, sourceOf } from "../../bench/claims/papers.js";
import { groupBy } from "../../bench/results/group.js";
import type { ResultRow } from "../../bench/results/record.js";
import { onAxis } from "../figures/beyond.js";
import { environmentOf, isCurve, notes, SOFTWARE_WARNING } from "../figures/caption.js";
import type { Drawing } from "../figures/figure.js";
import { html, type Markup } from "../figures/markup.js";
import { overlaidCells, overlayOf, QUANTITIES, type Quantity } from "../figures/overlay.js";
import type { PlotData, PlotSeries } from "../figures/plot-data.js";
import { aboveNote, hiddenNote } from "../figures/remarks.js";
import { cellsOf, rowsOf, withSizeUnit } from "../figures/rows.js";
import { shownData } from "../figures/shown.js";
import type { Column } from "./columns.js";
import { figureAnchor, type Report, type ReportFigure } from "./contents.js";
import { legendKey } from "./legend.js";
import { pack, packedElement } from "./packed.js";
import { standInsOf } from "./stand-ins.js";
import { profileTable, valueTables } from "./values.js";
import { figurePlot, overlayPlot, type Plot, SCALES } from "./variants.js";

export const FIGURE_HINTS = html`<p class="hint">Point at a mark for its values, click it to bring out its series. Series are switched by the boxes; dashed lines are the device's limit.</p>
<noscript><p class="warning">Figures are drawn by a script, and scripts are off. hashbench plot writes them as pictures.</p></noscript>`;

export function figureArticle({ experiment, drawn }: ReportFigure, report: Report): Markup {
  // A difference, or a curve that passes 0, is on no log axis.
  const { against } = experiment.figure;
  const linear = against?.as === "difference" || isCurve(experiment.figure);
  const bothScales = !linear && drawn.every(({ drawing: { data } }) => data.points.every((p) => p.y > 0));
  const named = report.columns.length > 1;
  const plots = drawn.map(({ column, drawing }) => ({
    column,
    plot: figurePlot(drawing, column, bothScales, plotTexts(column, drawing, named)),
  }));
  const overlays = named ? overlayPlots(experiment, drawn) : [];
  const id = figureAnchor(experiment.id);
  const tables = [...new Set(experiment.series.map(({ table }) => table))].join(" ");
  return html`<article class="figure" id="${id}" data-experiment="${experiment.id}" data-paper="${paperOf(experiment.id)}" data-tables="${tables}"${figureName(experiment).startsWith("Table") && html` data-opened`} aria-labelledby="${id}-title">
<h3 id="${id}-title">${experiment.title} <a class="anchor" href="#${id}" aria-label="Link to ${experiment.title}">#</a></h3>
<p class="source">${placeOf(experiment)}</p>
${controls(id, seriesOf(drawn.map(({ drawing: { data } }) => data)), plots)}
${plotsElement(plots, overlays)}
${remarks(experiment, drawn)}
</article>`;
}

/** More devices than these are not told apart in one plot. */
const MOST_TOGETHER = 4;

/** All devices in one plot, as rates and, of figures of rates, as shares of the limit; none where one device alone is drawn. */
function overlayPlots(experiment: Experiment, drawn: ReportFigure["drawn"]): OverlayPlot[] {
  const sides = drawn.slice(0, MOST_TOGETHER).map(({ column: { label, rows } }) => {
    return { label, rows: rowsOf(experiment, rows), cells: cellsOf(experiment, rows) };
  });
  if (sides.length < 2) return [];
  const labels = sides.map(({ label }) => label);
  const rows = sides.flatMap((side) => side.rows);
  const cells = overlaidCells(sides);
  // Where and when each was measured is said beside its own plot.
  const environment = { ...environmentOf([]), device: labels.join("; ") };
  return QUANTITIES.flatMap((quantity) => {
    const declared = overlayOf(experiment, quantity);
    if (declared === null) return [];
    const shown = withSizeUnit(declared, rows);
    const what: Drawing = { experiment: shown, ...shownData(shown, cells), environment };
    if (what.data.points.length === 0) return [];
    const names = labels.join(", ");
    const caption = html`<p>${names}, in this order: the first with filled points and whole lines. ${drawn.length > sides.length && `Of ${drawn.length} devices the first ${sides.length}.`}</p>`;
    return [{ quantity, plot: overlayPlot(what, { heading: false, caption }) }];
  });
}

/** `GPH, SIGMOD 2025 · Fig. 10 · section 7.2 · gph/fig10` */
export function placeOf(experiment: Experiment): string {
  return [...sourceOf(experiment), experiment.id].join(" · ");
}

/** The series of all devices, once each. */
function seriesOf(all: readonly PlotData[]): PlotSeries[] {
  const series = all.flatMap((data) => [...data.series, ...data.referenceSeries]);
  return series.filter(({ name }, i) => series.findIndex((s) => s.name === name) === i);
}

/** The plot of a device. */
export interface ColumnPlot {
  readonly column: Column;
  readonly plot: Plot;
}

/** The plot of all devices together. */
interface OverlayPlot {
  readonly quantity: Quantity;
  readonly plot: Plot;
}

/** Which series are shown and on which scale, for all devices of the figure. Without scripts, the legend. */
export function controls(id: string, series: readonly PlotSeries[], plots: readonly ColumnPlot[]): Markup {
  const scales = SCALES.filter((scale) => plots.every(({ plot }) => plot.scales.includes(scale)));
  const current = plots[0]?.plot.scale ?? "linear";
  return html`<div class="controls">
<fieldset class="legend"><legend class="hidden">Series</legend>${series.map(
    (one, i) =>
      html`<label><input type="checkbox" id="${id}-s${i}" data-series="${one.name}" checked autocomplete="off">${legendKey(one)}<span>${one.name}</span></label>`,
  )}</fieldset>
${
  scales.length > 1 &&
  html`<div class="scales" role="group" aria-label="Scale of the y axis">${scales.map(
    (scale) =>
      html`<button type="button" data-scale="${scale}" aria-pressed="${String(scale === current)}">${scale}</button>`,
  )}</div>`
}
</div>`;
}

/**
 * A place for each device's plot, of its height, which the script fills once it comes into view; and what all of them draw, in the order of
 * their places, packed together.
 */
export function plotsElement(plots: readonly ColumnPlot[], overlays: readonly OverlayPlot[] = []): Markup {
  return html`<div class="plots" data-count="${plots.length}">${plots.map(
    ({ column, plot }) =>
      html`<div class="device" data-device="${column.slug}" data-scale="${plot.scale}" style="min-height:${plot.height}px"></div>`,
  )}${overlays.map(
    ({ quantity, plot }) =>
      html`<div class="device" data-together="${quantity}" data-scale="${plot.scale}" style="min-height:${plot.height}px" hidden></div>`,
  )}${packedElement(pack([...plots, ...overlays].map(({ plot }) => plot.content)))}</div>`;
}

/** What was measured; how, and on what, for those who ask. */
function captionOf({ experiment, data, omitted, environment }: Drawing, hashes: Markup | false): Markup {
  const seen = [...onAxis(experiment, data, true).remarks, hiddenNote(data), aboveNote(data)].filter(Boolean);
  const [setting = "", ...more] = notes(experiment, data, environment, omitted);
  const lines = (texts: readonly string[]) => texts.map((text) => html`<p>${text}</p>`);
  return html`${lines([setting, ...seen])}<details><summary>How it was measured</summary>${lines(more)}</details>${hashes}`;
}

function plotTexts(column: Column, drawn: Drawing, named: boolean) {
  const { experiment, data, whole } = drawn;
  const own = rowsOf(experiment, column.rows);
  const { software } = column.environment;
  return {
    heading: html`${named && html`<h4>${column.label}</h4>`}${software && html`<p class="warning">${SOFTWARE_WARNING}</p>`}`,
    caption: captionOf(drawn, hashList(own)),
    values: isProfile(experiment) ? profileTable(experiment, data, column.rows) : valueTables(experiment, whole),
  };
}

/** Whether it is a paper's table of several quantities, at one setting. */
function isProfile(experiment: Experiment): boolean {
  return figureName(experiment).startsWith("Table") && typeof experiment.figure.metric !== "string";
}

/** The input's hash for each data set and n. */
function hashList(rows: readonly ResultRow[]): Markup | false {
  const hashed = rows.filter((row) => row.data_hash !== "");
  const inputs = groupBy(hashed, (row) => row.data_hash);
  const items = [...inputs].map(([hash, own]) => {
    const [{ dataset, op, n, positive_ratio: ratio }] = own;
    const alike = ratio !== null && own.every((row) => row.positive_ratio === ratio);
    const present = alike && `, ${percent(ratio)} present`;
    return html`<li><code>${hash.slice(0, 16)}</code> ${dataset || op}, n = ${whole(n)}${present}</li>`;
  });
  return (
    inputs.size > 0 &&
    html`<details class="hashes"><summary>Data hashes (${inputs.size})</summary><ul>${items}</ul></details>`
  );
}

/** Differences of the experiment from the paper, and its stand-ins. */
function remarks(experiment: Experiment, drawn: ReportFigure["drawn"]): Markup {
  const own = drawn.flatMap(({ column }) => rowsOf(experiment, column.rows));
  const { figure, axes } = experiment;
  const metrics = metricPanels(figure).map(({ metric }) => metric);
  const shown = new Set([...metrics, figure.x.field.replace(/^metric\./, ""), ...(axes.dataset ?? [])]);
  const standIns = standInsOf(own).filter((s) => s.column === "dataset" || shown.has(s.name));
  return html`${experiment.notes && html`<p class="remark"><strong>${isPapers(experiment.id) ? "Against the paper:" : "Note:"}</strong> ${withPowers(experiment.notes)}</p>`}
${standIns.map((s) => html`<p class="remark"><strong>Stand-in:</strong> <code>${s.name}</code>. ${s.text}</p>`)}`;
}
