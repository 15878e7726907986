/** The numbers that a paper prints, beside ours. */
import { geometricMean } from "simple-statistics";
import type { Experiment, PaperMark, PaperValue } from "../../bench/base/experiment.js";
import { groupBy } from "../../bench/results/group.js";
import type { PaperPoint, PaperRange, PaperUpright, Placed, PlotData } from "./plot-data.js";
import { fieldValue, scaledX } from "./rows.js";

/** Marks of series that have points of ours, in the panels of these, at places along x that the figure has, or at their own. */
export function paperPoints(
  experiment: Experiment,
  placed: readonly Placed[],
  xs: readonly (number | string)[],
): PaperPoint[] {
  const { paper = [], y } = experiment.figure;
  const along = (x: number | string): number | string => (typeof x === "number" ? scaledX(experiment, x) : x);
  return paper.filter(isMark).flatMap((mark) => {
    const own = typeof mark.x === "object" ? mark.x : null;
    const x = typeof mark.x === "object" ? "" : along(mark.x);
    const drawn = own || xs.includes(x) ? fitting(mark, placed) : [];
    const lines = groupBy(drawn, (p) => JSON.stringify([p.name, p.panel]));
    return [...lines.values()].flatMap(([{ name: series, panel }]) => {
      const relative = mark.times !== undefined;
      if (!mark.times) return { series, panel, x, relative, y: mark.value * (y.factor ?? 1) };
      const other = mark.times.x === undefined ? x : along(mark.times.x);
      const ours = fitting({ ...mark, ...mark.times }, placed).filter((q) => {
        return q.panel === panel && (own !== null || q.x === other);
      });
      // If a table has several series, the mark's own.
      const one = ours.find((q) => q.name === series) ?? ours[0];
      const at = one && own ? own.times * Number(one.x) : x;
      return one ? { series, panel, x: at, relative, ratio: mark.value, y: mark.value * one.y } : [];
    });
  });
}

/** Lines and bands, once in each panel that has points of ours which they are about. */
export function paperRanges({ figure }: Experiment, placed: readonly Placed[]): PaperRange[] {
  const { paper = [], y } = figure;
  return paper.flatMap((one) => {
    if (isMark(one) || "at" in one) return [];
    const [from, to] = "value" in one ? [one.value, one.value] : [one.from, one.to];
    const times = "value" in one ? one.times : undefined;
    return [...groupBy(fitting(one, placed), (p) => p.panel)].flatMap(([panel, [first]]) => {
      const series = one.table === undefined ? "" : first.name;
      const ours = times ? fitting({ ...one, ...times }, placed).filter((p) => p.panel === panel && p.y > 0) : [];
      if (times && ours.length === 0) return [];
      const factor = times ? geometricMean(ours.map((p) => p.y)) : (y.factor ?? 1);
      return { series, panel, label: one.label, from: from * factor, to: to * factor };
    });
  });
}

/** Places of x, once in each panel that has points of ours which they are about. */
export function paperUprights(experiment: Experiment, placed: readonly Placed[]): PaperUpright[] {
  return (experiment.figure.paper ?? []).flatMap((one) => {
    if (!("at" in one)) return [];
    const panels = new Set(fitting(one, placed).map((p) => p.panel));
    return [...panels].map((panel) => ({ panel, label: one.label, x: scaledX(experiment, one.at) }));
  });
}

function isMark(value: PaperValue): value is PaperMark {
  return "x" in value;
}

/** The points of ours that a number of the paper's is about. */
function fitting({ table, variant, where = {}, metric }: PaperValue, placed: readonly Placed[]): Placed[] {
  return placed.filter((p) => {
    const { last } = p.cell;
    const own = table === undefined || (last.table === table && last.variant === (variant ?? ""));
    const here = metric === undefined || p.metric === metric;
    return own && here && Object.entries(where).every(([field, value]) => fieldValue(p.cell, field) === value);
  });
}

/** For tables: the paper's marks as points of one more panel; not the ratios, which are drawn by values of ours. */
export function withPaper(data: PlotData): PlotData {
  const own = data.paper.filter(({ relative }) => !relative);
  const [first] = own;
  if (!first) return data;
  const panel = "The paper's values";
  const bare = { lo: null, hi: null, limit: null, access: "", segment: 0, n: 0, dataset: "", samples: 0, wide: false };
  const points = own.filter((p) => p.panel === first.panel).map((p) => ({ ...p, ...bare, panel }));
  return { ...data, points: [...data.points, ...points], panels: [...data.panels, panel] };
}
