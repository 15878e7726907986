/** What panels share: scales, axes and the unit of y. */
import { type Experiment, metricPanels } from "../../bench/base/experiment.js";
import { axisTitle, xAxis, yAxis } from "./axes.js";
import { FAR_LIMIT, impliedScale } from "./beyond.js";
import type { FigureFrame } from "./frame.js";
import type { PlotData, PlotSeries } from "./plot-data.js";
import { seriesColor, seriesDash, seriesShape } from "./style.js";
import { type DisplayUnit, displayUnit, titleWithUnit } from "./units.js";

/** The value of a table to which others are related. */
const REFERENCE = { ratio: 1, difference: 0 } as const;
/** Keeps the name of a limit inside its panel. */
const LABEL_ROOM = 1.07;

/** Everything that y has to show beside limits, in the rows' unit. */
function endsOf({ figure }: Experiment, data: PlotData): number[] {
  const measured: number[] = [];
  for (const { y, lo, hi } of data.points) measured.push(y, lo ?? y, hi ?? y);
  return [
    ...measured,
    ...data.curves.flatMap(({ points }) => points.map((p) => p.y)),
    ...data.paper.map((p) => p.y),
    ...data.references.map((p) => p.y),
    ...data.paperRanges.flatMap((p) => [p.from, p.to]),
    ...(data.points.length > 0 && figure.against ? [REFERENCE[figure.against.as]] : []),
  ];
}

/** The unit of y for all of these values; by default all that the data show. */
export function unitOf(experiment: Experiment, data: PlotData, values = endsOf(experiment, data)): DisplayUnit {
  const largest = values.reduce((max, value) => Math.max(max, Math.abs(value)), 0);
  return experiment.figure.y.factor === undefined ? displayUnit(data.unit, largest) : { factor: 1, unit: "" };
}

/**
 * The frame of each panel: one for all, unless the figure has a y axis for each metric or panel, or an x axis for each
 * panel. Panels with one y axis have one unit.
 */
export function framesOf(
  experiment: Experiment,
  data: PlotData,
  layout: FigureFrame["layout"],
  interactive: boolean,
): FigureFrame[] {
  const { figure } = experiment;
  const yKey = (panel: string): string => {
    if (figure.apart === undefined) return "";
    if (figure.apart === "panels") return panel;
    return metricPanels(figure).find(({ title }) => panel === title || panel.startsWith(`${title}, `))?.metric ?? "";
  };
  const marked = data.paper.map(({ x }) => x);
  const x = xAxis(figure.x, [...new Set([...data.xs, ...marked])], figure.kind === "bar", layout.width, marked);
  const frames = new Map<string, FigureFrame>();
  return data.panels.map((panel) => {
    const key = yKey(panel);
    const frame = frames.get(key) ?? {
      ...frameOf(experiment, data, (one) => yKey(one) === key, interactive),
      xTitle: axisTitle(figure.x.title, x, figure.x.field),
      x,
      layout,
    };
    frames.set(key, frame);
    return figure.x.own ? withOwnX(experiment, frame, panel) : frame;
  });
}

/** The frame with an x axis for one panel alone. */
function withOwnX({ figure }: Experiment, frame: FigureFrame, panel: string): FigureFrame {
  const points = frame.data.points.filter((p) => p.panel === panel);
  const xs = frame.data.xs.filter((x) => points.some((p) => p.x === x));
  const x = xAxis(figure.x, xs, figure.kind === "bar", frame.layout.width);
  return { ...frame, x, data: { ...frame.data, xs } };
}

/** The y scale, units and colours of the panels that are `within`. */
function frameOf(
  experiment: Experiment,
  data: PlotData,
  within: (panel: string) => boolean,
  interactive: boolean,
): Omit<FigureFrame, "x" | "xTitle" | "layout"> {
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
  const ends = endsOf(experiment, own);
  const unit = unitOf(experiment, own, ends);
  const channel = {
    ...figure.y,
    scale:
      (data.points.length > 0 && figure.y.scale) || impliedScale(figure.kind, figure.apart === "panels" ? own : data),
  };
  // On a log axis an interval that reaches 0 ends at the axis' lower end.
  const drawn = ends.filter((v) => channel.scale === "linear" || v > 0).map((v) => v * unit.factor);
  const top = drawn.length > 0 ? Math.max(...drawn) : 1;
  const limits = inside(data.limits).map((l) => l.y * unit.factor);
  const near = limits.filter((l) => l <= FAR_LIMIT * top || channel.scale !== "linear");
  const highest = Math.max(top, ...near.map((l) => l * LABEL_ROOM));
  const bars = figure.kind === "bar";
  const y = yAxis(channel, drawn.length > 0 ? Math.min(...drawn) : 0, highest);
  return {
    y,
    yTitle: axisTitle(titleWithUnit(figure.y.title, unit.unit), y),
    data,
    bars: bars && channel.scale === "linear",
    grouped: bars || data.xs.length === 1,
    reference: data.points.length > 0 && figure.against ? REFERENCE[figure.against.as] : null,
    unitFactor: unit.factor,
    colors: seriesRanges(data),
    interactive,
  };
}

/** Colours and shapes in the legend's order. */
function seriesRanges({ series, referenceSeries }: PlotData): FigureFrame["colors"] {
  const all = [...series, ...referenceSeries];
  return {
    domain: all.map((s) => s.name),
    range: all.map((s) => seriesColor(s.index)),
    shapes: all.map((s) => seriesShape(s.index)),
    hollow: series.filter(isHollow).map(({ name }) => name),
    dashes: series.some(({ side }) => side !== undefined) ? all.map(({ side = 0 }) => seriesDash(side)) : null,
  };
}

/** Whether its points and bars are hollow. */
export function isHollow({ native, reference, side = 0 }: Pick<PlotSeries, "native" | "reference" | "side">): boolean {
  return native === true || reference === true || side > 0;
}
