/** Parts that the layers of a figure's panels share: the figure's frame, its data sets, and the reader's selection. */
import type { DrawnAxis } from "./axes.js";
import type { PlotData } from "./plot-data.js";

export type Json = Readonly<Record<string, unknown>>;

export interface Layer extends Json {
  readonly encoding: Json;
}

/** The parameter (vega: signal) of interactive figures that holds the picked series' name, or null. */
export const PICK = "pick";
/** The parameter of interactive figures that holds the names of the series that are switched off. */
export const HIDDEN = "hidden";

/** Parts that all panels of a figure share. */
export interface FigureFrame {
  readonly data: PlotData;
  readonly x: DrawnAxis;
  readonly y: DrawnAxis;
  readonly xTitle: string;
  readonly yTitle: string;
  /** Draw bars from 0; else points. */
  readonly bars: boolean;
  /** Series stand side by side at each x. */
  readonly grouped: boolean;
  /** A line here, where the table stands that the series are compared with. */
  readonly reference: number | null;
  /** Fade the series that are not picked. */
  readonly interactive: boolean;
  readonly layout: { readonly columns: number; readonly width: number; readonly height: number };
  readonly unitFactor: number;
  readonly colors: {
    readonly domain: string[];
    readonly range: string[];
    readonly shapes: string[];
    /** Series whose points and bars are hollow: of native tables, and of every device but the first. */
    readonly hollow: string[];
    /** Dashes of the lines, where there are several devices. */
    readonly dashes: number[][] | null;
  };
}

export function notHidden({ interactive }: FigureFrame): Json[] {
  return interactive ? [{ filter: `indexof(${HIDDEN}, datum.series) < 0` }] : [];
}

/** The figure's other data set of this name, as far as the panel shows it. */
export function panelData(data: string, panel: string, frame: FigureFrame, only?: string): Json {
  const filters = [{ filter: { field: "panel", equal: panel } }, ...(only === undefined ? [] : [{ filter: only }])];
  return { data: { name: data }, transform: [...filters, ...notHidden(frame)] };
}

/** Fades the series that the reader has not picked, and nothing that belongs to none. */
export function fading({ interactive }: FigureFrame): Json {
  const test = `!${PICK} || !datum.series || ${PICK} === datum.series`;
  return interactive ? { opacity: { condition: { test, value: 1 }, value: 0.12 } } : {};
}

/** The colour of a mark's series. Another scale of the same colours would have a legend of its own, or none would have one. */
export function colorOf({ colors: { domain, range } }: FigureFrame, otherwise?: string): Json {
  const place = `indexof(${JSON.stringify(domain)}, datum.series)`;
  const of = `${JSON.stringify(range)}[${place}]`;
  return { expr: otherwise === undefined ? of : `${of} || ${JSON.stringify(otherwise)}` };
}
