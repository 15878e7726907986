/** The look of all figures: colours, point shapes, fonts, grid. */

import type { Config } from "vega-lite";
import { FONT_FAMILY } from "./family.js";

/**
 * Okabe and Ito's colours for colour-blind readers without yellow, which is too pale for lines, then nine of Paul Tol's
 * that differ from them in lightness. Point shapes tell series apart where colours do not.
 */
const COLORS = [
  "#0072B2",
  "#D55E00",
  "#009E73",
  "#CC79A7",
  "#E69F00",
  "#56B4E9",
  "#000000",
  "#882255",
  "#999933",
  "#332288",
  "#DDAA66",
  "#777777",
  "#AA4499",
  "#117733",
  "#661100",
  "#88CCEE",
];
const SHAPES = ["circle", "square", "triangle-up", "diamond", "triangle-down", "cross", "triangle-right"];

/**
 * Every colour of a figure as it is on a dark page: the series' a lighter shade of the same hue, each at 4.5:1 or more.
 * Spelt as in the figures, `#000` being vega's own.
 */
export const DARK_COLORS: Readonly<Record<string, string>> = {
  "#0072B2": "#4FA8EE",
  "#D55E00": "#FF8A3D",
  "#009E73": "#2CC795",
  "#CC79A7": "#EFA6CF",
  "#E69F00": "#F5B731",
  "#56B4E9": "#A6DDFF",
  "#000000": "#F4F4F4",
  "#882255": "#DB5C93",
  "#999933": "#C4C455",
  "#332288": "#9C8CFF",
  "#DDAA66": "#E6C79C",
  "#777777": "#9CA3AB",
  "#AA4499": "#DD86CC",
  "#117733": "#6BC585",
  "#661100": "#E08A72",
  "#88CCEE": "#C4E8FA",
  "#222222": "#E6E8EB",
  "#000": "#E6E8EB",
  "#444444": "#C2C7CD",
  "#555555": "#B4BAC1",
  "#888888": "#7D858E",
  "#bbbbbb": "#4A5058",
  "#e4e4e4": "#2B3036",
  "#ffffff": "transparent",
  "#fffffe": "#14171a",
};

/** Colour of the series at this place; there are sixteen. */
export function seriesColor(index: number): string {
  return COLORS[index % COLORS.length] ?? "#000000";
}

/** Of different colours. */
export const COLOR_COUNT = COLORS.length;

/** Shape of the series' points; repeats after seven, so that colour and shape together differ for 112 series. */
export function seriesShape(index: number): string {
  return SHAPES[index % SHAPES.length] ?? "circle";
}

const DASHES = [
  [1, 0],
  [6, 3],
  [2, 2],
  [8, 3, 2, 3],
];

/** Dashes of the lines of a plot's first, second … device; repeats after four. */
export function seriesDash(side: number): number[] {
  return DASHES[side % DASHES.length] ?? [1, 0];
}

export const LIMIT_COLOR = "#555555";
export const TITLE_SIZE = 14;
export const SUBTITLE_SIZE = 11;
export const HEADING_SIZE = 12;
export const LABEL_SIZE = 11;
export const NOTE_SIZE = 10;

export const INK = "#222222";
/** The page behind a figure. */
export const PAPER = "#ffffff";
/** Around names that cross lines: the page behind them, in the dark too, where {@link PAPER} lets through what lies below. */
export const HALO = "#fffffe";

export const config: Config = {
  background: PAPER,
  font: FONT_FAMILY,
  padding: 12,
  view: { stroke: "#bbbbbb" },
  // Every entry: vega drops those beyond 30.
  legend: { symbolLimit: 0 },
  axis: {
    labelFontSize: LABEL_SIZE,
    labelColor: INK,
    titleFontSize: 12,
    titleFontWeight: "normal",
    titleColor: INK,
    titlePadding: 8,
    gridColor: "#e4e4e4",
    domainColor: "#888888",
    tickColor: "#888888",
    tickSize: 4,
  },
  title: {
    anchor: "start",
    frame: "bounds",
    fontSize: TITLE_SIZE,
    fontWeight: "bold",
    color: INK,
    subtitleFontSize: SUBTITLE_SIZE,
    subtitleColor: INK,
    subtitlePadding: 5,
    offset: 12,
  },
};
