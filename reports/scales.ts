/** What panels share: scales, axes and the unit of y; which series and lines a linear axis cannot show. */
import type { Channel, Experiment } from "../bench/experiment.js";
import { xAxis, yAxis } from "./axes.js";
import type { FigureFrame } from "./frame.js";
import type { PaperPoint, PaperRange, PlotData } from "./plot-data.js";
import { REFERENCE_COLOR, seriesColor, seriesShape } from "./style.js";
import { type DisplayUnit, displayUnit, titleWithUnit } from "./units.js";

/** What is more than this many times above the highest point of a limit lies beyond the axis instead of squeezing the points. */
const FAR_LIMIT = 2.5;
/** The same of numbers that the paper prints, by the kind of axis: a decade of a log axis costs as much room as any other. */
const FAR_PAPER = { linear: FAR_LIMIT, logarithmic: 10 } as const;
/** A line figure whose scale is not declared gets a log axis where one series' values differ by more than this. */
const DECADES = 300;
/** A series is near 0 where its highest point is below this share of the figure's. */
const NEAR_ZERO = 0.01;
/** Where a table stands to which others are put in relation. */
const REFERENCE = { ratio: 1, difference: 0 } as const;
/** Keeps the name of a limit inside its panel. */
const LABEL_ROOM = 1.07;

/** Everything that y has to show beside limits, in the rows' unit. */
function endsOf({ figure }: Experiment, data: PlotData): number[] {
  return [
    ...data.points.flatMap((p) => [p.y, p.lo ?? p.y, p.hi ?? p.y]),
    ...data.curves.flatMap(({ points }) => points.map((p) => p.y)),
    ...data.paper.map((p) => p.y),
    ...data.references.map((p) => p.y),
    ...data.paperRanges.flatMap((p) => [p.from, p.to]),
    ...(data.points.length > 0 && figure.against ? [REFERENCE[figure.against.as]] : []),
  ];
}

/** The unit of y for all of these values; by default those of the whole figure. */
export function unitOf(experiment: Experiment, data: PlotData, values = endsOf(experiment, data)): DisplayUnit {
  const largest = values.reduce((max, value) => Math.max(max, Math.abs(value)), 0);
  return experiment.figure.y.factor === undefined ? displayUnit(data.unit, largest) : { factor: 1, unit: "" };
}

/** What each panel has in common with others: one y axis for all, or, where the figure tells them apart, for each metric. */
export function framesOf(
  experiment: Experiment,
  data: PlotData,
  layout: FigureFrame["layout"],
  unit: DisplayUnit,
  interactive: boolean,
): FigureFrame[] {
  const { apart, panels = [] } = experiment.figure;
  const metric = (panel: string): string =>
    (apart && panels.find(({ title }) => panel === title || panel.startsWith(`${title}, `))?.metric) || "";
  const frames = new Map<string, FigureFrame>();
  return data.panels.map((panel) => {
    const key = metric(panel);
    const frame =
      frames.get(key) ?? frameOf(experiment, data, (other) => metric(other) === key, layout, unit, interactive);
    frames.set(key, frame);
    return frame;
  });
}

/** Scales and axes of the panels that are `within`. */
function frameOf(
  experiment: Experiment,
  data: PlotData,
  within: (panel: string) => boolean,
  layout: FigureFrame["layout"],
  unit: DisplayUnit,
  interactive: boolean,
): FigureFrame {
  const { figure } = experiment;
  const inside = <T extends { readonly panel: string }>(all: readonly T[]): T[] => all.filter((p) => within(p.panel));
  const own: PlotData = {
    ...data,
    points: inside(data.points),
    curves: inside(data.curves),
    paper: inside(data.paper),
    references: inside(data.references),
    paperRanges: inside(data.paperRanges),
  };
  const channel = { ...figure.y, scale: (data.points.length > 0 && figure.y.scale) || impliedScale(figure.kind, data) };
  // On a log axis an interval that reaches 0 ends at the axis' lower end.
  const drawn = endsOf(experiment, own)
    .filter((v) => channel.scale === "linear" || v > 0)
    .map((v) => v * unit.factor);
  const top = drawn.length > 0 ? Math.max(...drawn) : 1;
  const limits = inside(data.limits).map((l) => l.y * unit.factor);
  const near = limits.filter((l) => l <= FAR_LIMIT * top || channel.scale !== "linear");
  const highest = Math.max(top, ...near.map((l) => l * LABEL_ROOM));
  const bars = figure.kind === "bar";
  return {
    x: xAxis(
      figure.x,
      data.xs,
      bars,
      layout.width,
      data.paper.map(({ x }) => x),
    ),
    y: yAxis(channel, drawn.length > 0 ? Math.min(...drawn) : 0, highest),
    xTitle: figure.x.title,
    yTitle: titleWithUnit(figure.y.title, unit.unit),
    data,
    bars: bars && channel.scale === "linear",
    grouped: bars || data.xs.length === 1,
    reference: data.points.length > 0 && figure.against ? REFERENCE[figure.against.as] : null,
    layout,
    unitFactor: unit.factor,
    colors: seriesRanges(data),
    interactive,
  };
}

/** Where the experiment leaves the scale open: linear, but for lines over decades. A few low series stay near 0. */
export function impliedScale(kind: "line" | "bar", data: PlotData): NonNullable<Channel["scale"]> {
  if (kind === "bar" || data.points.length === 0 || data.points.some((p) => p.y <= 0)) return "linear";
  const low = new Set(lowSeries(data).map((s) => s.name));
  const ys = data.points.filter((p) => !low.has(p.series)).map((p) => p.y);
  const spread = Math.max(...ys) > DECADES * Math.min(...ys);
  return spread || 2 * low.size >= data.series.length ? "log10" : "linear";
}

export interface LowSeries {
  readonly name: string;
  readonly highest: number;
}

/** Series that a linear axis cannot tell from 0, with their highest value. */
export function lowSeries(data: PlotData): LowSeries[] {
  const all = data.series.map(({ name }) => {
    const own = data.points.filter((p) => p.series === name);
    return { name, highest: Math.max(...own.map((p) => Math.abs(p.y))) };
  });
  const top = Math.max(...all.map((s) => s.highest));
  return all.filter((s) => s.highest < NEAR_ZERO * top);
}

/** Numbers of the paper's that a linear axis cannot tell from 0. */
export function lowLines({ points, paperRanges }: PlotData): PaperRange[] {
  const top = points.reduce((max, p) => Math.max(max, Math.abs(p.y)), 0);
  return paperRanges.filter(({ from, to }) => Math.max(Math.abs(from), Math.abs(to)) < NEAR_ZERO * top);
}

/** Numbers of the paper's so far above ours that an axis which shows them has no room for ours. */
export interface HighNumbers {
  readonly ranges: readonly PaperRange[];
  readonly marks: readonly PaperPoint[];
}

export function highNumbers(
  { figure }: Experiment,
  { points, paper, paperRanges }: PlotData,
  scale: string,
): HighNumbers {
  const far = scale === "linear" ? FAR_PAPER.linear : FAR_PAPER.logarithmic;
  const top = (panel: string): number => {
    const sharing = figure.apart ? points.filter((p) => p.panel === panel) : points;
    return sharing.reduce((max, p) => Math.max(max, Math.abs(p.y)), 0);
  };
  const isHigh = (panel: string, value: number): boolean => top(panel) > 0 && value > far * top(panel);
  return {
    ranges: paperRanges.filter(({ panel, from }) => isHigh(panel, from)),
    marks: paper.filter(({ panel, y, relative }) => !relative && isHigh(panel, y)),
  };
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
