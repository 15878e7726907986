/** A figure as the page holds it: a picture, and the live figures among which its script chooses by width and scale. */
import { gzipSync } from "node:zlib";
import type { TopLevelSpec } from "vega-lite";
import type { Experiment } from "../../bench/experiment.js";
import { type Drawing, drawing, type FigureLayout, figureSpec } from "../figure.js";
import { liveSpec } from "../html.js";
import { renderSvg } from "../render.js";
import type { Column } from "./columns.js";

export const SCALES = ["linear", "log"] as const;
type Scale = (typeof SCALES)[number];

/** What stands in the page for one plot. */
export interface Plot {
  readonly svg: string;
  /** The scale of the picture. */
  readonly scale: Scale;
  /** Both scales where y can be drawn on either. */
  readonly scales: readonly Scale[];
  /** Variants as JSON, gzip, base64. */
  readonly packed: string;
}

/** The figure of an experiment on one device: each scale that fits its values, each width. */
export async function figurePlot(drawn: Drawing, column: Column, bothScales: boolean): Promise<Plot> {
  const { environment } = column;
  const draw = (what: Drawing, compact?: 1 | 2): TopLevelSpec =>
    figureSpec({ ...what, environment }, { interactive: true, bare: true, compact });
  const usual = draw(drawn);
  const { columns, scale: type } = layoutOf(usual);
  const scale = scaleOf(type);
  // Not of the same data: a value of 0 is on one of the scales only.
  const other = () => drawing(withScale(drawn.experiment, scale === "log" ? "linear" : "log10"), column.rows);
  const specs = (bothScales ? [drawn, other()] : [drawn]).flatMap((what) => [
    draw(what),
    draw(what, 1),
    ...(columns > 1 ? [draw(what, 2)] : []),
  ]);
  return plotOf(specs, usual, scale);
}

/** Live figures, of which `usual` is the one that is drawn beforehand. */
export async function plotOf(specs: readonly TopLevelSpec[], usual: TopLevelSpec, scale: Scale): Promise<Plot> {
  const variants = specs.map(variant);
  const scales = SCALES.filter((s) => variants.some((v) => v.scale === s));
  const packed = gzipSync(JSON.stringify(variants), { level: 9 }).toString("base64");
  return { svg: await renderSvg(usual), scale, scales, packed };
}

/** One live figure of several that show the same. */
function variant(spec: TopLevelSpec) {
  const { scale, columns, width } = layoutOf(spec);
  return { scale: scaleOf(scale), columns, width, spec: liveSpec(spec) };
}

function layoutOf(spec: TopLevelSpec): FigureLayout {
  return (spec.usermeta as { layout: FigureLayout }).layout;
}

function scaleOf(type: string): Scale {
  return type === "log" ? "log" : "linear";
}

/** The experiment with another scale of y. */
function withScale(experiment: Experiment, scale: "linear" | "log10"): Experiment {
  const { figure } = experiment;
  return { ...experiment, figure: { ...figure, y: { ...figure.y, scale } } };
}
