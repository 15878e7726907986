/** Values that the y axis of a figure cannot show beside the points: the paper's numbers far above them, and values close to 0. */
import type { Channel, Experiment } from "../../bench/base/experiment.js";
import { formatNumber, joined } from "../../bench/base/format.js";
import { groupBy } from "../../bench/results/group.js";
import { rangeName } from "./caption.js";
import type { PaperPoint, PaperRange, PlotData, PlotPoint } from "./plot-data.js";
import { displayUnit, writtenUnit } from "./units.js";

/** Values of more than this many times the highest point of a limit lie beyond the axis instead of squeezing the points. */
export const FAR_LIMIT = 2;
/** The same for numbers that the paper prints, which are of another GPU; on a log axis below the lowest point too. */
const FAR_PAPER = 2.5;
/** A line figure whose scale is not declared gets a log axis where one series' values differ by more than this. */
const DECADES = 300;
/** A series is near 0 where its highest point is below this share of the figure's. */
const NEAR_ZERO = 0.01;

/**
 * The data that the axis shows, and remarks about the rest. With `keepsLow` values close to 0 stay, as on a page, which has a log axis
 * too.
 */
export function onAxis(
  experiment: Experiment,
  data: PlotData,
  keepsLow: boolean,
): { readonly data: PlotData; readonly remarks: readonly string[] } {
  const { kind, y, apart } = experiment.figure;
  const scale = y.scale ?? impliedScale(kind, data);
  const high = farNumbers(experiment, data, isHigh);
  const deep = scale === "linear" ? { ranges: [], marks: [] } : farNumbers(experiment, data, isDeep);
  const together = kind === "line" && scale === "linear" && apart !== "panels";
  const low: Low = together ? lowOf(data, high) : { series: [], lines: [] };
  const beyond = new Set<PaperPoint | PaperRange>([
    ...[high, deep].flatMap(({ marks, ranges }) => [...marks, ...ranges]),
    ...(keepsLow ? [] : low.lines),
  ]);
  const { most = Number.POSITIVE_INFINITY } = y;
  const over = data.points.filter((p) => p.y > most);
  const cut = data.points.some(({ y: at, hi }) => at <= most && (hi ?? 0) > most);
  const hidden = new Set(keepsLow ? [] : low.series.map(({ name }) => name));
  return {
    data: {
      ...data,
      points: data.points
        .filter((p) => !hidden.has(p.series) && !over.includes(p))
        .map((p) => ((p.hi ?? 0) > most ? { ...p, hi: most } : p)),
      series: data.series.filter(({ name }) => !hidden.has(name)),
      paper: data.paper.filter((mark) => !beyond.has(mark)),
      paperRanges: data.paperRanges.filter((range) => !beyond.has(range)),
    },
    remarks: [
      overNote(experiment, data, over),
      cut ? "Intervals are cut at the axis' end." : "",
      keepsLow ? "" : lowNote(experiment, data, low),
      farNote("above", experiment, data, high, Math.max),
      farNote("below", experiment, data, deep, Math.min),
    ],
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

/** Series and lines that a linear axis cannot tell from 0. */
interface Low {
  readonly series: readonly { readonly name: string; readonly highest: number }[];
  readonly lines: readonly PaperRange[];
}

function lowOf(data: PlotData, high: FarNumbers): Low {
  const top = highest(data.points);
  const lines = data.paperRanges.filter(({ from, to }) => Math.max(Math.abs(from), Math.abs(to)) < NEAR_ZERO * top);
  return { series: lowSeries(data), lines: lines.filter((line) => !high.ranges.includes(line)) };
}

export function lowSeries({
  series,
  points,
}: Pick<PlotData, "series" | "points">): readonly { readonly name: string; readonly highest: number }[] {
  const all = series.map(({ name }) => ({ name, highest: highest(points.filter((p) => p.series === name)) }));
  const top = Math.max(...all.map((s) => s.highest));
  return all.filter((s) => s.highest < NEAR_ZERO * top);
}

function highest(points: readonly { readonly y: number }[]): number {
  return points.reduce((max, p) => Math.max(max, Math.abs(p.y)), 0);
}

/** Numbers of the paper's so far above ours, or on a log axis below, that an axis which shows them has little room for ours. */
interface FarNumbers {
  readonly ranges: readonly PaperRange[];
  readonly marks: readonly PaperPoint[];
}

/** The paper's numbers that `isFar` tells to be far from the panel's points. */
function farNumbers(
  { figure }: Experiment,
  { points, paper, paperRanges }: PlotData,
  isFar: (value: number, ours: readonly number[]) => boolean,
): FarNumbers {
  const ours = (panel: string): number[] => {
    const own = figure.apart ? points.filter((p) => p.panel === panel) : points;
    return own.map(({ y }) => Math.abs(y)).filter((y) => y > 0);
  };
  const far = (panel: string, value: number): boolean => isFar(value, ours(panel));
  return {
    ranges: paperRanges.filter(({ panel, from, to }) => far(panel, from) && far(panel, to)),
    marks: paper.filter(({ panel, y, relative }) => !relative && far(panel, y)),
  };
}

const isHigh = (value: number, ours: readonly number[]): boolean =>
  ours.length > 0 && value > FAR_PAPER * Math.max(...ours);
const isDeep = (value: number, ours: readonly number[]): boolean =>
  ours.length > 0 && value < Math.min(...ours) / FAR_PAPER;

/** Points above the axis, by series and panel. */
function overNote(experiment: Experiment, data: PlotData, over: readonly PlotPoint[]): string {
  const lines = groupBy(over, ({ series, panel }) => joined([panel, series]));
  const list = [...lines].map(([name, own]) => {
    const ends = [Math.min, Math.max].map((end) => amount(experiment, data, end(...own.map((p) => p.y))));
    return `${name} (${[...new Set(ends)].join(" to ")})`;
  });
  return list.length === 0 ? "" : `Above this axis: ${list.join("; ")}.`;
}

/** A value of y with its unit: `12.3 G op/s`. */
function amount({ figure: { y } }: Experiment, { unit: measured }: PlotData, value: number): string {
  const { factor, unit } =
    y.factor === undefined ? displayUnit(measured, value) : { factor: 1, unit: writtenUnit(y.title) };
  return `${formatNumber(value * factor, 3)} ${unit}`.trim();
}

function lowNote(experiment: Experiment, data: PlotData, { series, lines }: Low): string {
  const list = series.map(({ name, highest }) => `${name} (at most ${amount(experiment, data, highest)})`);
  const papers = [...new Set(lines.map((line) => `the paper's ${rangeName(line)}`))];
  return list.length + papers.length === 0 ? "" : `Close to 0 on this axis: ${[...list, ...papers].join(", ")}.`;
}

/** The paper's numbers above or below the axis, once each: lines by their names, marks by the farthest. */
function farNote(
  where: "above" | "below",
  experiment: Experiment,
  data: PlotData,
  { ranges, marks }: FarNumbers,
  farthest: (...values: number[]) => number,
): string {
  if (ranges.length + marks.length === 0) return "";
  const to = where === "above" ? "up to" : "down to";
  const marked = () => `values ${to} ${amount(experiment, data, farthest(...marks.map(({ y }) => y)))}`;
  const papers = [...new Set(ranges.map(rangeName)), ...(marks.length > 0 ? [marked()] : [])];
  return `The paper's numbers ${where} this axis: ${papers.join(", ")}.`;
}
