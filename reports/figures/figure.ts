/** An experiment's rows as a vega-lite specification: panels with one y scale, a legend, and a caption in words. */

import type { TopLevelSpec } from "vega-lite";
import { type Experiment, metricPanels } from "../../bench/base/experiment.js";
import { rounded } from "../../bench/base/format.js";
import type { ResultRow } from "../../bench/results/record.js";
import { onAxis } from "./beyond.js";
import { alternativeText, environmentOf, type FigureEnvironment, notes, subtitle } from "./caption.js";
import { HIDDEN, PICK } from "./frame.js";
import { missingByReason } from "./missing.js";
import { panelSpec } from "./panel.js";
import type { PlotData, PlotSeries } from "./plot-data.js";
import { aboveNote, cutNote, hiddenNote } from "./remarks.js";
import { cellsOf, rowsOf, withSizeUnit } from "./rows.js";
import { framesOf, isHollow, unitOf } from "./scales.js";
import { type Shown, shownData } from "./shown.js";
import { config, LABEL_SIZE, NOTE_SIZE, SUBTITLE_SIZE, TITLE_SIZE } from "./style.js";
import { textWidth, wrapText } from "./text.js";

export interface FigureOptions {
  /** Let the parameters {@link PICK} and {@link HIDDEN} fade all series but one and remove series; for HTML. */
  readonly interactive?: boolean;
  /** Panels only, where the page around them has title, legend and notes. */
  readonly bare?: boolean;
}

/** `usermeta.layout` of a figure's specification. */
export interface FigureLayout {
  /** Panels side by side where there is room, and the width of each; a page makes both smaller. */
  readonly columns: number;
  readonly panel: number;
  /** Pixels beside the panels, for the labels of y. */
  readonly left: number;
  /** Labels of x are turned in panels narrower than this. */
  readonly upright: number;
  /** By panel: the titles of its axes, and whether its y axis differs from that of the panel before. */
  readonly axes: readonly { readonly x: string; readonly y: string; readonly own: boolean }[];
  /** About the picture's height in pixels. */
  readonly height: number;
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
const SPACING = 22;
/** Above and below a panel, about: its heading, the labels of x. */
const PANEL_TEXTS = 50;
/** Height in place of panels, for the reason why there is nothing to draw. */
const NO_PANEL = 120;
/** A symbol of the legend and the room around it. */
const LEGEND_SYMBOL = 34;

/** The content of all pictures of one experiment, computed once. */
export interface Drawing extends Shown {
  readonly experiment: Experiment;
  readonly environment: FigureEnvironment;
}

/** Rows of other experiments are ignored. */
export function drawing(declared: Experiment, rows: readonly ResultRow[]): Drawing {
  const experiment = withSizeUnit(declared, rows);
  return {
    experiment,
    ...shownData(experiment, cellsOf(experiment, rows)),
    environment: environmentOf(rowsOf(experiment, rows)),
  };
}

/** The figure of one experiment; without any point it says why. */
export function figureSpec(
  { experiment, data: whole, omitted, environment }: Drawing,
  { interactive = false, bare = false }: FigureOptions = {},
): TopLevelSpec {
  const { data, remarks } = onAxis(experiment, whole, interactive);
  const layout = layoutOf(data.panels.length);
  const frames = framesOf(experiment, data, layout, interactive);
  const factors = new Map(data.panels.map((panel, i) => [panel, frames[i]?.unitFactor ?? 1]));
  const panels = data.panels.length;
  const total = layout.columns * layout.width + (layout.columns - 1) * SPACING;
  const [first] = frames;
  const axes = frames.map(({ xTitle: x, yTitle: y, ...frame }, i) => ({ x, y, own: frame.y !== frames[i - 1]?.y }));
  const body: Part =
    panels === 0
      ? emptyPanel(experiment, data, total)
      : {
          columns: layout.columns,
          spacing: SPACING,
          concat: frames.map((frame, i) => {
            return panelSpec(data.panels[i] ?? "", i, frame, i % layout.columns === 0 || axes[i]?.own === true);
          }),
        };
  const left = panels === 0 ? 0 : Math.max(...frames.map(({ y }) => y.labelWidth)) + 34;
  const caption = (): string[] => {
    const seen = [hiddenNote(data), aboveNote(data), cutNote(frames, data)];
    const [setting = "", ...more] = notes(experiment, data, environment, omitted);
    const said = [setting, ...remarks, ...seen, ...more].filter((note) => note !== "");
    return said.flatMap((note) => wrapText(note, total + left, NOTE_SIZE));
  };
  const title = () => ({
    text: wrapText(experiment.title, total + left, TITLE_SIZE, true),
    subtitle: subtitle(experiment, environment).flatMap((line) => wrapText(line, total + left, SUBTITLE_SIZE)),
  });
  return {
    $schema: "https://vega.github.io/schema/vega-lite/v6.json",
    description: alternativeText(experiment, data, unitOf(experiment, data), environment),
    ...(bare ? {} : { title: title() }),
    datasets: datasetsOf(data, factors),
    ...(interactive ? { params: [pickParameter, hiddenParameter] } : {}),
    vconcat: bare ? [body] : [body, notesView(caption(), total, left)],
    spacing: 14,
    config: bare ? BARE : { ...config, legend: legendConfig([...data.series, ...data.referenceSeries], total) },
    usermeta: {
      experiment: experiment.id,
      hollow: [...data.series.filter(isHollow), ...data.referenceSeries].map(({ name }) => name),
      layout: {
        columns: layout.columns,
        panel: layout.width,
        left,
        axes,
        upright: Math.max(0, ...frames.map(({ x }) => x.upright)),
        height: Math.ceil(panels / layout.columns) * (layout.height + PANEL_TEXTS) || NO_PANEL,
        scale: String(first?.y.scale.type ?? "linear"),
      } satisfies FigureLayout,
    },
  } as TopLevelSpec;
}

/** The data sets of the panels, in the units of their axes. */
function datasetsOf(data: PlotData, factors: ReadonlyMap<string, number>): object {
  const scaled = ({ panel }: { readonly panel: string }, v: number | null): number | null =>
    v === null ? null : rounded(v * (factors.get(panel) ?? 1), 5);
  return {
    points: data.points.map(({ limit: _, access: __, ...p }) => {
      return { ...p, y: scaled(p, p.y), lo: scaled(p, p.lo), hi: scaled(p, p.hi) };
    }),
    limits: data.limits.map((l) => ({ ...l, y: scaled(l, l.y) })),
    curves: data.curves.flatMap((curve) => {
      const { series, panel, points } = curve;
      return points.map((p) => ({ series, panel, x: p.x, y: scaled(curve, p.y) }));
    }),
    front: data.front.map((p) => ({ panel: p.panel, x: p.x, y: scaled(p, p.y) })),
    references: data.references.map((p) => {
      const { series, panel, x, y, reference } = p;
      return { series, panel, x, y: scaled(p, y), variant: reference.variant };
    }),
    paper: data.paper.map((p) => ({ ...p, y: scaled(p, p.y) })),
    ranges: data.paperRanges.map((p) => ({ ...p, from: scaled(p, p.from), to: scaled(p, p.to) })),
  };
}

/** Config of figures in a page that has legend and background itself. */
const BARE = { ...config, background: "transparent", padding: 4, legend: { disable: true } };

const pickParameter = { name: PICK, value: null };
const hiddenParameter = { name: HIDDEN, value: [] };

/** The panels' size and how many stand side by side. */
function layoutOf(panels: number): (typeof LAYOUTS)[number] {
  // Ten are two phases or operations of five data sets.
  if (panels === 10) return { columns: 2, width: 330, height: 150 };
  // Many are of tables, by three operations for the most part.
  const many = panels <= 9 || panels % 3 === 0 ? { columns: 3, width: 260 } : { columns: 4, width: 240 };
  return LAYOUTS[panels] ?? { ...many, height: 180 };
}

/** The most columns that fit, each as wide as its widest entry; entries go from left to right. At least one. */
export function legendColumns(widths: readonly number[], width: number): number {
  const needed = (columns: number): number =>
    widths.slice(0, columns).reduce((sum, _, first) => {
      return sum + Math.max(...widths.filter((_, i) => i % columns === first));
    }, 0);
  const fitting = widths.map((_, i) => i + 1).filter((columns) => needed(columns) <= width);
  return fitting.at(-1) ?? 1;
}

/** Above the panels, in as many columns as fit beside one another. */
function legendConfig(series: readonly PlotSeries[], width: number): object {
  const widths = series.map((s) => textWidth(s.name, LABEL_SIZE) + LEGEND_SYMBOL);
  return {
    ...config.legend,
    orient: "top",
    columns: legendColumns(widths, width),
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
  return metricPanels(figure)
    .map(({ metric }) => metric)
    .join(" or ");
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
