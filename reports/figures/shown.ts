/** Which series a figure shows: a legend that a person reads has few entries. */
import type { Experiment } from "../../bench/base/experiment.js";
import { lowSeries, onAxis } from "./beyond.js";
import type { PlotData, PlotSeries } from "./plot-data.js";
import type { MeasuredCell } from "./rows.js";
import { plotDataOf } from "./series.js";

/** More entries than these are no longer told apart in a legend. */
export const MOST_SERIES = 8;

/** Where there are more: what is left out, step by step. */
const LESS: readonly ((series: PlotSeries, isVariant: boolean, isLow: boolean) => boolean)[] = [
  (_series, _isVariant, isLow) => isLow,
  ({ native }, isVariant) => native === true && isVariant,
  ({ native }) => native === true,
  (_, isVariant) => isVariant,
];

export interface Shown {
  readonly data: PlotData;
  /** With the series that are left out, for tables of values. */
  readonly whole: PlotData;
  /** Names of the series that have points and are left out, in the legend's order. */
  readonly omitted: readonly string[];
}

/**
 * The figure's data without the references, series close to 0, native tables and variants that are too many, in this order, and then without the last
 * series. Ratios keep all of theirs, which are few.
 */
export function shownData(experiment: Experiment, cells: readonly MeasuredCell[]): Shown {
  const whole = plotDataOf(experiment, cells);
  const visible = onAxis(experiment, whole, false).data.series;
  const devices = Math.max(1, ...visible.map(({ side = 0 }) => side + 1));
  const most = MOST_SERIES * devices;
  if (experiment.figure.against || visible.length + whole.referenceSeries.length <= most)
    return { data: whole, whole, omitted: [] };
  const first = new Map(visible.toReversed().map((one) => [one.table, one]));
  for (const one of visible) if (one.variant === "") first.set(one.table, one);
  const low = new Set(lowSeries(whole).map(({ name }) => name));
  const isVariant = (one: PlotSeries) => first.get(one.table) !== one;
  const kept = LESS.reduce((left, isLess) => {
    const more = left.filter((one) => !isLess(one, isVariant(one), low.has(one.name)));
    return left.length > most && more.length > 0 ? more : left;
  }, visible).slice(0, most);
  const ids = new Set(kept.map(idOf));
  const less = cells.filter(({ last }) => ids.has(idOf(last)));
  const { beside, ...figure } = experiment.figure;
  const { references: _, ...others } = beside ?? {};
  const data = plotDataOf({ ...experiment, figure: { ...figure, beside: others } }, less);
  const drawn = new Set(data.series.map(({ name }) => name));
  return { data, whole, omitted: whole.series.map(({ name }) => name).filter((name) => !drawn.has(name)) };
}

function idOf({ table, variant }: { readonly table: string; readonly variant: string }): string {
  return `${table} ${variant}`;
}
