/** The numbers that a paper prints, beside ours. */
import type { Experiment, PaperMark, PaperValue } from "../bench/experiment.js";
import { groupBy } from "../bench/results/group.js";
import type { PaperPoint, PaperRange, PaperUpright, Place, Placed, PlotData } from "./plot-data.js";
import { fieldValue, scaledX } from "./rows.js";

/** Marks of series that have points of ours, in the panels of these, at places along x that the figure has. */
export function paperPoints(
  experiment: Experiment,
  placed: readonly Placed[],
  xs: readonly (number | string)[],
  name: (place: Place) => string,
): PaperPoint[] {
  const { paper = [], y } = experiment.figure;
  return paper.filter(isMark).flatMap((mark) => {
    const x = typeof mark.x === "number" ? scaledX(experiment, mark.x) : mark.x;
    const lines = groupBy(xs.includes(x) ? fitting(mark, placed) : [], (p) => JSON.stringify([name(p), p.panel]));
    return [...lines.values()].flatMap(([p]) => {
      return p ? { series: name(p), panel: p.panel, x, y: mark.value * (y.factor ?? 1) } : [];
    });
  });
}

/** Lines and bands, once in each panel that has points of ours which they are about. */
export function paperRanges(
  { figure }: Experiment,
  placed: readonly Placed[],
  name: (place: Place) => string,
): PaperRange[] {
  const { paper = [], y } = figure;
  const factor = y.factor ?? 1;
  return paper.flatMap((one) => {
    if (isMark(one) || "at" in one) return [];
    const [from, to] = "value" in one ? [one.value, one.value] : [one.from, one.to];
    return [...groupBy(fitting(one, placed), (p) => p.panel)].flatMap(([panel, [first]]) => {
      const series = first && one.table !== undefined ? name(first) : "";
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

/** For tables: the paper's marks as points of one more panel. */
export function withPaper(data: PlotData): PlotData {
  const [first] = data.paper;
  if (!first) return data;
  const panel = "The paper's values";
  const bare = { lo: null, hi: null, limit: null, segment: 0, n: 0, dataset: "", samples: 0 };
  const points = data.paper.filter((p) => p.panel === first.panel).map((p) => ({ ...p, ...bare, panel }));
  return { ...data, points: [...data.points, ...points], panels: [...data.panels, panel] };
}
