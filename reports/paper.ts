/** The numbers that a paper prints, beside ours. */
import type { Experiment } from "../bench/model.js";
import { scaledX } from "./rows.js";
import type { Place, Placed, PlotData } from "./series.js";

/** x and y carry the channel's factor. */
export interface PaperPoint {
  readonly series: string;
  readonly panel: string;
  readonly x: number | string;
  readonly y: number;
}

/** One in every panel that has our point of the series at its x; without ours it has nothing to stand beside. */
export function paperPoints(
  experiment: Experiment,
  placed: readonly Placed[],
  name: (place: Place) => string,
): PaperPoint[] {
  const { paper = [], y } = experiment.figure;
  return paper.flatMap(({ table, variant = "", x: place, value }) => {
    const x = typeof place === "number" ? scaledX(experiment, place) : place;
    const beside = placed.filter(({ cell: { last }, x: own }) => {
      return last.table === table && last.variant === variant && own === x;
    });
    return beside.map((p) => ({ series: name(p), panel: p.panel, x, y: value * (y.factor ?? 1) }));
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
