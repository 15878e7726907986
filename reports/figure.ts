/** An experiment's rows as a vega-lite specification: panels with one y scale, a legend, and a caption in words. */
import type { TopLevelSpec } from "vega-lite";
import type { Channel, Experiment } from "../bench/experiment.js";
import type { ResultRow } from "../bench/results/record.js";
import { xAxis, yAxis } from "./axes.js";
import { environmentOf, type FigureEnvironment, missingByReason, notes, subtitle } from "./caption.js";
import { type FigureFrame, HIDDEN, PICK } from "./frame.js";
import { panelSpec } from "./panel.js";
import type { PlotData, PlotSeries } from "./plot-data.js";
import { rowsOf } from "./rows.js";
import { plotData } from "./series.js";
import {
  config,
  LABEL_SIZE,
  NOTE_SIZE,
  REFERENCE_COLOR,
  SUBTITLE_SIZE,
  seriesColor,
  seriesShape,
  TITLE_SIZE,
} from "./style.js";
import { textWidth, wrapText } from "./text.js";
import { type DisplayUnit, displayUnit, formatNumber, titleWithUnit, writtenUnit } from "./units.js";

export interface FigureOptions {
  /** Let the parameters {@link PICK} and {@link HIDDEN} fade all series but one and remove series; for HTML. */
  readonly interactive?: boolean;
  /** Panels only, where the page around them has title, legend and notes. */
  readonly bare?: boolean;
  /** Smaller panels in this many columns at most: two for half a page, one for a phone. */
  readonly compact?: 1 | 2;
}

/** `usermeta.layout` of a figure's specification. */
export interface FigureLayout {
  /** Panels side by side. */
  readonly columns: number;
  /** About the picture's width in pixels. */
  readonly width: number;
  /** Type of the y scale. */
  readonly scale: string;
}

type Part = Extract<TopLevelSpec, { vconcat: unknown }>["vconcat"][number];

/** Sizes of a panel and how many stand side by side, by the number of panels. */
const LAYOUTS: readonly { readonly columns: number; readonly width: number; readonly height: number }[] = [
  { columns: 1, width: 520, height: 300 },
  { columns: 1, width: 520, height: 300 },
  { columns: 2, width: 330, height: 250 },
  { columns: 3, width: 260, height: 220 },
  { columns: 2, width: 330, height: 210 },
  { columns: 3, width: 260, height: 200 },
];
const COMPACT = { 1: { width: 270, height: 200 }, 2: { width: 220, height: 175 } } as const;
const SPACING = 22;
/** Left and right of the panels and the labels of y, about. */
const MARGIN = 22;
/** What is more than this many times above the highest point of a limit lies beyond the axis instead of squeezing the points. */
const FAR_LIMIT = 2.5;
/** A line figure whose scale is not declared gets a log axis where one series' values differ by more than this. */
const DECADES = 300;
/** A series is near 0 where its highest point is below this share of the figure's. */
const NEAR_ZERO = 0.01;
/** Where a table stands to which others are put in relation. */
const REFERENCE = { none: null, ratio: 1, difference: 0 } as const;
/** Keeps the name of a limit inside its panel. */
const LABEL_ROOM = 1.07;

/** The figure of one experiment. Rows of other experiments are ignored; without any point it says why. */
export function figureSpec(
  experiment: Experiment,
  rows: readonly ResultRow[],
  environment: FigureEnvironment = environmentOf(rowsOf(experiment, rows)),
  options: FigureOptions = {},
): TopLevelSpec {
  const all = plotData(experiment, rows);
  const low = unseen(experiment, all);
  const data = options.interactive ? all : without(all, low);
  const panels = data.panels.length;
  const layout = layoutOf(panels, options.compact);
  const total = layout.columns * layout.width + (layout.columns - 1) * SPACING;
  const { panel, unit } = drawing(experiment, data, layout, options.interactive === true);
  const scaled = (v: number | null): number | null => (v === null ? null : Number((v * unit.factor).toPrecision(9)));
  const body: Part =
    panels === 0
      ? emptyPanel(experiment, data, total)
      : {
          columns: layout.columns,
          spacing: SPACING,
          concat: data.panels.map((name, i) => panelSpec(name, i, panel)),
        };
  const left = panels === 0 ? 0 : panel.y.labelWidth + 34;
  const remarks = [lowNote(experiment, all, low), ...notes(experiment, data, environment)].filter(
    (note) => note !== "",
  );
  const caption = remarks.flatMap((note) => wrapText(note, total + left, NOTE_SIZE));
  const title = {
    text: wrapText(experiment.title, total + left, TITLE_SIZE, true),
    subtitle: subtitle(experiment, environment).flatMap((line) => wrapText(line, total + left, SUBTITLE_SIZE)),
  };
  return {
    $schema: "https://vega.github.io/schema/vega-lite/v6.json",
    ...(options.bare ? {} : { title }),
    datasets: {
      points: data.points.map((p) => ({
        ...{ series: p.series, panel: p.panel, x: p.x, y: scaled(p.y), lo: scaled(p.lo), hi: scaled(p.hi) },
        ...{ segment: p.segment, n: p.n, dataset: p.dataset, samples: p.samples },
      })),
      limits: data.limits.map((l) => ({ ...l, y: scaled(l.y) })),
      curves: data.curves.flatMap(({ series, panel, points }) =>
        points.map((p) => ({ series, panel, x: p.x, y: scaled(p.y) })),
      ),
      front: data.front.map(({ panel, x, y }) => ({ panel, x, y: scaled(y) })),
      references: data.references.map(({ series, panel, x, y, reference: { variant } }) => {
        return { series, panel, x, y: scaled(y), variant };
      }),
      paper: data.paper.map((p) => ({ ...p, y: scaled(p.y) })),
      ranges: data.paperRanges.map((p) => ({ ...p, from: scaled(p.from), to: scaled(p.to) })),
    },
    ...(options.interactive ? { params: [pickParameter, hiddenParameter] } : {}),
    vconcat: options.bare ? [body] : [body, notesView(caption, total, left)],
    spacing: 14,
    config: options.bare
      ? { ...config, background: "transparent", padding: 4, legend: { disable: true } }
      : { ...config, legend: legendConfig([...data.series, ...data.referenceSeries], total) },
    usermeta: {
      experiment: experiment.id,
      hollow: data.referenceSeries.map(({ name }) => name),
      layout: { columns: layout.columns, width: total + left + MARGIN, scale: panel.y.scale.type },
    },
  } as TopLevelSpec;
}

const pickParameter = { name: PICK, value: null };
const hiddenParameter = { name: HIDDEN, value: [] };

/** The panels' size and how many stand side by side. */
function layoutOf(panels: number, compact?: 1 | 2): (typeof LAYOUTS)[number] {
  const usual = LAYOUTS[panels] ?? { columns: panels <= 9 ? 3 : 4, width: 240, height: 180 };
  if (compact === undefined) return usual;
  const columns = usual.columns === 1 ? 1 : compact;
  return { columns, ...COMPACT[columns] };
}

/** Scales and axes that all panels share. */
function drawing(
  { figure }: Experiment,
  data: PlotData,
  layout: (typeof LAYOUTS)[number],
  interactive: boolean,
): { panel: FigureFrame; unit: DisplayUnit } {
  const reference = data.points.length > 0 ? REFERENCE[figure.against?.as ?? "none"] : null;
  const ends = [
    ...data.points.flatMap((p) => [p.y, p.lo ?? p.y, p.hi ?? p.y]),
    ...data.curves.flatMap(({ points }) => points.map((p) => p.y)),
    ...data.paper.map((p) => p.y),
    ...data.references.map((p) => p.y),
    ...data.paperRanges.flatMap((p) => [p.from, p.to]),
    ...(reference === null ? [] : [reference]),
  ];
  const shown = (values: readonly number[]): number => values.reduce((max, v) => Math.max(max, Math.abs(v)), 0);
  const unit = figure.y.factor === undefined ? displayUnit(data.unit, shown(ends)) : { factor: 1, unit: "" };
  const channel = { ...figure.y, scale: (data.points.length > 0 && figure.y.scale) || impliedScale(figure.kind, data) };
  // On a log axis an interval that reaches 0 ends at the axis' lower end.
  const drawn = ends.filter((v) => channel.scale === "linear" || v > 0).map((v) => v * unit.factor);
  const top = drawn.length > 0 ? Math.max(...drawn) : 1;
  const limits = data.limits.map((l) => l.y * unit.factor);
  const near = limits.filter((l) => l <= FAR_LIMIT * top || channel.scale !== "linear");
  const highest = Math.max(top, ...near.map((l) => l * LABEL_ROOM));
  const y = yAxis(channel, drawn.length > 0 ? Math.min(...drawn) : 0, highest);
  const bars = figure.kind === "bar";
  const x = xAxis(figure.x, data.xs, bars, layout.width);
  const panel: FigureFrame = {
    x,
    y,
    xTitle: figure.x.title,
    yTitle: titleWithUnit(figure.y.title, unit.unit),
    data,
    bars: bars && channel.scale === "linear",
    grouped: bars || data.xs.length === 1,
    reference,
    layout,
    unitFactor: unit.factor,
    colors: seriesRanges(data),
    interactive,
  };
  return { panel, unit };
}

/** Where the experiment leaves the scale open: linear, but for lines over decades. A few low series stay near 0. */
function impliedScale(kind: "line" | "bar", data: PlotData): NonNullable<Channel["scale"]> {
  if (kind === "bar" || data.points.length === 0 || data.points.some((p) => p.y <= 0)) return "linear";
  const low = new Set(lowSeries(data).map((s) => s.name));
  const ys = data.points.filter((p) => !low.has(p.series)).map((p) => p.y);
  const spread = Math.max(...ys) > DECADES * Math.min(...ys);
  return spread || 2 * low.size >= data.series.length ? "log10" : "linear";
}

interface LowSeries {
  readonly name: string;
  readonly highest: number;
}

/** Series that a linear axis cannot tell from 0, with their highest value. */
function lowSeries(data: PlotData): LowSeries[] {
  const all = data.series.map(({ name }) => {
    const own = data.points.filter((p) => p.series === name);
    return { name, highest: Math.max(...own.map((p) => Math.abs(p.y))) };
  });
  const top = Math.max(...all.map((s) => s.highest));
  return all.filter((s) => s.highest < NEAR_ZERO * top);
}

/** Those of lines on a linear axis: a page, which has a log axis too, draws them all the same. */
function unseen({ figure }: Experiment, data: PlotData): LowSeries[] {
  const scale = figure.y.scale ?? impliedScale(figure.kind, data);
  return figure.kind === "line" && scale === "linear" ? lowSeries(data) : [];
}

function without(data: PlotData, low: readonly LowSeries[]): PlotData {
  const names = new Set(low.map(({ name }) => name));
  const points = data.points.filter(({ series }) => !names.has(series));
  return { ...data, points, series: data.series.filter(({ name }) => !names.has(name)) };
}

function lowNote({ figure }: Experiment, data: PlotData, low: readonly LowSeries[]): string {
  if (low.length === 0) return "";
  const list = low.map(({ name, highest }) => {
    const { factor, unit } =
      figure.y.factor === undefined
        ? displayUnit(data.unit, highest)
        : { factor: 1, unit: writtenUnit(figure.y.title) };
    return `${name} (at most ${`${formatNumber(highest * factor, 3)} ${unit}`.trim()})`;
  });
  return `Close to 0 on this axis: ${list.join(", ")}.`;
}

/** Colours and shapes in the legend's order. */
function seriesRanges({ series, referenceSeries }: PlotData): FigureFrame["colors"] {
  const all = [...series, ...referenceSeries];
  return {
    domain: all.map((s) => s.name),
    range: [...series.map((s) => seriesColor(s.index)), ...referenceSeries.map(() => REFERENCE_COLOR)],
    shapes: all.map((s) => seriesShape(s.index)),
  };
}

/** Above the panels, in as many columns as fit beside one another. */
function legendConfig(series: readonly PlotSeries[], width: number): object {
  const widest = Math.max(0, ...series.map((s) => textWidth(s.name, LABEL_SIZE)));
  const columns = Math.max(1, Math.min(series.length, Math.floor(width / (Math.min(widest, width) + 34))));
  return {
    orient: "top",
    columns,
    labelFontSize: LABEL_SIZE,
    labelLimit: width - 20,
    symbolSize: 70,
    columnPadding: 14,
    rowPadding: 3,
    offset: 8,
  };
}

/** In place of panels where nothing can be drawn: why. */
function emptyPanel(experiment: Experiment, data: PlotData, width: number): Part {
  const reasons = missingByReason(data.missing).map((m) => `${m.cells} × ${m.reason}`);
  const why = reasons.length > 0 ? reasons : [`no row has the metric ${metricNames(experiment)}`];
  const lines = why.slice(0, 8).flatMap((line) => wrapText(line, width - 40, LABEL_SIZE));
  const text = (value: string | string[], y: number, size: number, weight: "bold" | "normal"): object => ({
    mark: { type: "text", text: value, fontSize: size, fontWeight: weight, color: "#555555", lineHeight: 16 },
    encoding: { x: { value: width / 2 }, y: { value: y } },
  });
  return {
    width,
    height: 60 + 16 * lines.length + 20,
    data: { values: [{}] },
    layer: [text("No data", 30, 16, "bold"), text(lines, 60, LABEL_SIZE, "normal")],
  } as Part;
}

export function metricNames({ figure }: Experiment): string {
  return figure.panels?.map(({ metric }) => metric).join(" or ") ?? figure.metric;
}

/** The caption's lines, from the left edge of the axis titles on. */
function notesView(lines: readonly string[], width: number, left: number): Part {
  return {
    width,
    height: Math.max(1, lines.length * (NOTE_SIZE + 4)),
    view: { stroke: null },
    data: { values: [{}] },
    mark: { type: "text", text: lines, align: "left", baseline: "top", fontSize: NOTE_SIZE, lineHeight: NOTE_SIZE + 4 },
    encoding: { x: { value: -left }, y: { value: 0 }, color: { value: "#444444" } },
  } as Part;
}
