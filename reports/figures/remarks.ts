/** What a figure cannot show by itself, in words: lines under others, points above a limit, limits that leave the axis. */
import { formatNumber, joined } from "../../bench/base/format.js";
import { groupBy } from "../../bench/results/group.js";
import type { FigureFrame } from "./frame.js";
import type { PlotData, PlotPoint } from "./plot-data.js";

/** Values nearer than this are one mark. */
const SAME = 0.01;
/** Above a limit by less than this is within what limits are measured to. */
const ABOVE = 1.05;

/** Lines that lie under another one in all panels. */
export function hiddenNote({ series, points }: PlotData): string {
  const lines = groupBy(points, (p) => p.series);
  const at = ({ panel, x }: PlotPoint): string => JSON.stringify([panel, x]);
  const isUnder = (below: readonly PlotPoint[], above: readonly PlotPoint[]): boolean => {
    const places = new Map(above.map((p) => [at(p), p.y]));
    return below.length > 2 && below.every((p) => Math.abs((places.get(at(p)) ?? Number.NaN) / p.y - 1) <= SAME);
  };
  const list = series.flatMap(({ name }, i) => {
    const over = series.slice(i + 1).find((other) => isUnder(lines.get(name) ?? [], lines.get(other.name) ?? []));
    return over ? `${name} under ${over.name}` : [];
  });
  return list.length === 0 ? "" : `Within 1 % of one another, so that one line is not seen: ${list.join("; ")}.`;
}

/** Series that are above every limit that is drawn at their place. */
export function aboveNote({ points, limits }: PlotData): string {
  const tops = new Map<string, number>();
  const at = (panel: string, x: number | string): string => JSON.stringify([panel, x]);
  for (const { panel, x, y } of limits) tops.set(at(panel, x), Math.max(y, tops.get(at(panel, x)) ?? 0));
  const above = points.flatMap(({ series, panel, x, y }) => {
    const times = y / (tops.get(at(panel, x)) ?? Number.POSITIVE_INFINITY);
    return times > ABOVE ? { series, panel, times } : [];
  });
  const list = [...groupBy(above, ({ series, panel }) => joined([series, panel]))].map(([name, own]) => {
    return `${name} (up to ${formatNumber(Math.max(...own.map((p) => p.times)), 3)} times)`;
  });
  return list.length === 0
    ? ""
    : `Above the limit, as what they read is in the cache, or they access other places: ${list.join("; ")}.`;
}

/** Limits that are in part above the axis. */
export function cutNote(frames: readonly FigureFrame[], { panels, limits }: PlotData): string {
  const highest = frames.flatMap(({ y, unitFactor }, i) => {
    const [, top] = y.scale.domain as [number, number];
    const own = limits.filter((l) => l.panel === panels[i]).map((l) => l.y * unitFactor);
    return own.some((value) => value <= top) && Math.max(...own) > 1.01 * top ? Math.max(...own) : [];
  });
  return highest.length === 0
    ? ""
    : `The limit goes on above the axis, up to ${formatNumber(Math.max(...highest), 3)}.`;
}
