/** The look of all figures: colours, point shapes, fonts, grid. */

import type { Config } from "vega-lite";
import { FONT_FAMILY } from "./family.js";

/**
 * Colours of series on a light page and on a dark one. The first are Okabe and Ito's for colour-blind readers without yellow, which is
 * too pale for lines, then nine of Paul Tol's that differ from them in lightness. Point shapes tell series apart where colours do not. On
 * a dark page each is a lighter one of the same hue, at 4.5:1 or more.
 */
const COLORS: readonly (readonly [light: string, dark: string])[] = [
  ["#0072B2", "#4FA8EE"],
  ["#D55E00", "#FF8A3D"],
  ["#009E73", "#2CC795"],
  ["#CC79A7", "#EFA6CF"],
  ["#E69F00", "#F5B731"],
  ["#56B4E9", "#A6DDFF"],
  ["#000000", "#F4F4F4"],
  ["#882255", "#DB5C93"],
  ["#999933", "#C4C455"],
  ["#332288", "#9C8CFF"],
  ["#DDAA66", "#E6C79C"],
  ["#777777", "#9CA3AB"],
  ["#AA4499", "#DD86CC"],
  ["#117733", "#6BC585"],
  ["#661100", "#E08A72"],
  ["#88CCEE", "#C4E8FA"],
];
const SHAPES = ["circle", "square", "triangle-up", "diamond", "triangle-down", "cross", "triangle-right"];

/** All other colours on a dark page; `#000` is vega's own. */
const DARK: Readonly<Record<string, string>> = {
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

/** Parts of white or black in a colour's second and third shade; on a dark page of white alone. */
const SHADES = [0, 0.45, 0.4] as const;
const DARK_SHADES = [0, 0.5, 0.25] as const;

/** With this part of another colour. */
function mixed(color: string, other: string, part: number): string {
  const channels = [1, 3, 5].map((at) => {
    const [a = 0, b = 0] = [color, other].map((one) => Number.parseInt(one.slice(at, at + 2), 16));
    return Math.round(a + (b - a) * part)
      .toString(16)
      .padStart(2, "0");
  });
  return `#${channels.join("")}`.toUpperCase();
}

/** Lighter, then darker; of a pale colour darker, then lighter. */
function shadeOf(color: string, shade: number): string {
  const isPale = [1, 3, 5].reduce((sum, at) => sum + Number.parseInt(color.slice(at, at + 2), 16), 0) > 420;
  const part = SHADES[shade] ?? 0;
  // Nothing is darker than black.
  if (color === "#000000" && shade === 2) return "#B3B3B3";
  return part === 0 ? color : mixed(color, (shade === 1) === isPale ? "#000000" : "#ffffff", part);
}

/** Colour of the series at this place; there are sixteen, in three shades. */
export function seriesColor(index: number): string {
  const [color = "#000000"] = COLORS[index % COLORS.length] ?? [];
  return shadeOf(color, Math.floor(index / COLORS.length) % SHADES.length);
}

/** Every colour of a figure as it is on a dark page, spelt as in the figures. */
export const DARK_COLORS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    COLORS.flatMap(([light, dark]) =>
      DARK_SHADES.map((part, shade) => [shadeOf(light, shade), mixed(dark, "#ffffff", part)]),
    ),
  ),
  ...DARK,
};

/** Of different colours. */
export const COLOR_COUNT = COLORS.length;

/** Shape of the series' points; repeats after seven. */
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
  // Rows without a number are left out before: a filter per mark would look again.
  mark: { invalid: "show" },
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
