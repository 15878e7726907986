/** The numbers that a paper prints, beside ours. */
import type { Experiment } from "../bench/experiment.js";
import { groupBy } from "../bench/results/group.js";
import type { PaperPoint, Place, Placed, PlotData } from "./plot-data.js";
import { scaledX } from "./rows.js";

/** Those of series that have points of ours, in the panels of these, at places along x that the figure has. */
export function paperPoints(
  experiment: Experiment,
  placed: readonly Placed[],
  xs: readonly (number | string)[],
  name: (place: Place) => string,
): PaperPoint[] {
  const { paper = [], y } = experiment.figure;
  return paper.flatMap(({ table, variant = "", x: place, value }) => {
    const x = typeof place === "number" ? scaledX(experiment, place) : place;
    const own = placed.filter(({ cell: { last } }) => last.table === table && last.variant === variant);
    const lines = groupBy(xs.includes(x) ? own : [], (p) => JSON.stringify([name(p), p.panel]));
    return [...lines.values()].flatMap(([p]) => {
      return p ? { series: name(p), panel: p.panel, x, y: value * (y.factor ?? 1) } : [];
    });
  });
}

/** For tables: the paper's numbers as points of one more panel. */
export function withPaper(data: PlotData): PlotData {
  const [first] = data.paper;
  if (!first) return data;
  const panel = "The paper's values";
  const bare = { lo: null, hi: null, limit: null, segment: 0, n: 0, dataset: "", samples: 0 };
  const points = data.paper.filter((p) => p.panel === first.panel).map((p) => ({ ...p, ...bare, panel }));
  return { ...data, points: [...data.points, ...points], panels: [...data.panels, panel] };
}
