/** A figure of one device as the page holds it, until the page's script draws it: a specification for each scale, as wide as there is room. */
import type { TopLevelSpec } from "vega-lite";
import { type Drawing, drawing, type FigureLayout, figureSpec } from "../figures/figure.js";
import type { Markup } from "../figures/markup.js";
import { NOT_ON_LOG } from "../figures/series.js";
import type { Column } from "./columns.js";

export const SCALES = ["linear", "log"] as const;
type Scale = (typeof SCALES)[number];

/** One plot of the page. */
export interface Plot {
  /** The scale that is drawn first. */
  readonly scale: Scale;
  /** Both scales where y can be drawn on either. */
  readonly scales: readonly Scale[];
  /** About its height in pixels. */
  readonly height: number;
  /** The script's data of the plot. */
  readonly content: PlotContent;
}

/** As client/figures.js reads it. */
interface PlotContent {
  readonly heading: string;
  readonly caption: string;
  readonly values: string;
  /** By scale, as the specifications. */
  readonly datasets: Readonly<Record<string, unknown>>;
  readonly specs: Readonly<Record<string, object>>;
}

/** HTML around a plot. */
interface PlotTexts {
  readonly heading: Markup | false;
  readonly caption: Markup;
  /** Tables, shown once they are asked for. */
  readonly values?: Markup;
}

/** The page has title, legend and notes. */
const LIVE = { interactive: true, bare: true } as const;

/** The figure of an experiment on one device, on each scale that fits its values. */
export function figurePlot(drawn: Drawing, column: Column, bothScales: boolean, texts: PlotTexts): Plot {
  const draw = (what: Drawing) => figureSpec({ ...what, environment: column.environment }, LIVE);
  const own = draw(drawn);
  const other = bothScales ? [draw(onOtherScale(drawn, scaleOf(own), column))] : [];
  return plotOf([own, ...other], texts);
}

/** A value of 0 is on the linear scale only: a figure on a log one that left some out is worked out again. */
function onOtherScale(drawn: Drawing, scale: Scale, { rows }: Column): Drawing {
  const { figure } = drawn.experiment;
  const y = { ...figure.y, scale: scale === "log" ? ("linear" as const) : ("log10" as const) };
  const experiment = { ...drawn.experiment, figure: { ...figure, y } };
  const less = drawn.data.missing.some(({ reason }) => reason === NOT_ON_LOG);
  return less ? drawing(experiment, rows) : { ...drawn, experiment };
}

/** The figure of several devices together. */
export function overlayPlot(drawn: Drawing, texts: PlotTexts): Plot {
  return plotOf([figureSpec(drawn, LIVE)], texts);
}

/** The plot of figures that show the same on several scales. The one to be drawn first is in front. */
function plotOf(all: readonly [TopLevelSpec, ...TopLevelSpec[]], { heading, caption, values }: PlotTexts): Plot {
  const [usual] = all;
  const byScale = (of: (spec: TopLevelSpec) => object) =>
    Object.fromEntries(all.map((spec) => [scaleOf(spec), of(spec)]));
  const content: PlotContent = {
    heading: heading ? heading.text : "",
    caption: caption.text,
    values: values?.text ?? "",
    datasets: byScale(({ datasets = {} }) => columnar(datasets)),
    specs: byScale(({ datasets: _, $schema: __, ...spec }) => spec),
  };
  const scales = SCALES.filter((scale) => scale in content.specs);
  return { scale: scaleOf(usual), scales, height: layoutOf(usual).height, content };
}

/** Data sets by column, each in the rows' order, which packed takes two thirds of what objects take. */
function columnar(datasets: NonNullable<TopLevelSpec["datasets"]>): object {
  const columns = (rows: readonly Readonly<Record<string, unknown>>[]) => {
    const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
    return Object.fromEntries(names.map((name) => [name, rows.map((row) => row[name] ?? null)]));
  };
  return Object.fromEntries(
    Object.entries(datasets).map(([name, rows]) => [name, columns(rows as Readonly<Record<string, unknown>>[])]),
  );
}

function layoutOf(spec: TopLevelSpec): FigureLayout {
  return (spec.usermeta as { layout: FigureLayout }).layout;
}

function scaleOf(spec: TopLevelSpec): Scale {
  return layoutOf(spec).scale === "log" ? "log" : "linear";
}
