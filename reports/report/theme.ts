/** Colours of the page in light and dark, as CSS variables, and the rules that make figures follow. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../../bench/base/paths.js";
import { FONT_FILES } from "../figures/face.js";
import { DARK_COLORS } from "../figures/style.js";

/** Light and dark. Texts have 4.5:1 or more on `page`, `panel` and their own ground. */
const TOKENS: Readonly<Record<string, readonly [light: string, dark: string]>> = {
  page: ["#ffffff", "#14171a"],
  panel: ["#f6f7f8", "#1c2025"],
  ink: ["#1b1f23", "#e6e8eb"],
  muted: ["#59616a", "#a3abb4"],
  line: ["#dde1e5", "#30363d"],
  strong: ["#8a939c", "#6b747d"],
  accent: ["#0a5ba8", "#79b8f5"],
  "accent-soft": ["#e6f0fa", "#1d3146"],
  "on-accent": ["#ffffff", "#10161c"],
  yes: ["#0b6640", "#6fdcaa"],
  "yes-soft": ["#e0f3ea", "#14342a"],
  no: ["#a1320a", "#ffab85"],
  "no-soft": ["#fdebe3", "#412314"],
  apart: ["#4b4f9e", "#b4b9ff"],
  "apart-soft": ["#ececfa", "#28294a"],
  none: ["#59616a", "#a3abb4"],
  "none-soft": ["#f0f1f3", "#262b31"],
};

/** Variables for both themes. The page's `data-theme` outweighs what the system prefers. */
export function themeCss(): string {
  const pick = (side: 0 | 1): string => {
    const page = Object.entries(TOKENS).map(([name, values]) => `--${name}:${values[side]};`);
    const figures = Object.entries(DARK_COLORS).map(([light, dark]) => {
      return `--${variable(light)}:${side === 1 ? dark : light};`;
    });
    return [...page, ...figures].join("");
  };
  const rules = Object.keys(DARK_COLORS).flatMap((color) =>
    ["fill", "stroke"].map((property) => {
      return `svg [${property}="${color}"]{${property}:var(--${variable(color)})}`;
    }),
  );
  return `:root{color-scheme:light dark;${pick(0)}}
@media (prefers-color-scheme:dark){:root:not([data-theme=light]){${pick(1)}}}
:root[data-theme=light]{color-scheme:light}
:root[data-theme=dark]{color-scheme:dark;${pick(1)}}
@media print{:root{color-scheme:light}}
${rules.join("\n")}`;
}

/** The shipped font, for pages that carry it. */
export function fontFaces(): string {
  const faces = FONT_FILES.map((file) => {
    const weight = file.includes("Bold") ? 700 : 400;
    const packed = readFileSync(file.replace(/ttf$/, "woff2")).toString("base64");
    return `@font-face{font-family:Arimo;font-weight:${weight};src:url(data:font/woff2;base64,${packed}) format("woff2")}`;
  });
  return faces.join("\n");
}

/** The style of pages in both themes. */
export function pageCss(): string {
  return `${themeCss()}\n${readFileSync(join(packageRoot, "reports", "report", "report.css"), "utf8")}`;
}

function variable(color: string): string {
  return `figure-${color.slice(1).toLowerCase()}`;
}
