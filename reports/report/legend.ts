/** The key of a series in a legend of the page: its point on its line, in the figure's colour and shape. */
import { html, type Markup } from "../figures/markup.js";
import type { PlotSeries } from "../figures/plot-data.js";
import { isHollow } from "../figures/scales.js";
import { PAPER, seriesColor, seriesShape } from "../figures/style.js";

/** Outlines in a box of 12 by 12. */
const PATHS: Readonly<Record<string, string>> = {
  circle: "M2 6a4 4 0 1 0 8 0a4 4 0 1 0-8 0z",
  square: "M2.5 2.5h7v7h-7z",
  "triangle-up": "M6 2l4.4 7.6H1.6z",
  diamond: "M6 1.2L10 6L6 10.8L2 6z",
  "triangle-down": "M6 10L10.4 2.4H1.6z",
  cross: "M4.6 2h2.8v2.6H10v2.8H7.4V10H4.6V7.4H2V4.6h2.6z",
  "triangle-right": "M10 6L2.4 10.4V1.6z",
};

/** Of references on a dashed line; hollow as in the figure. */
export function legendKey(series: Pick<PlotSeries, "index" | "native" | "side" | "reference">): Markup {
  const { index, reference } = series;
  const color = seriesColor(index);
  const path = PATHS[seriesShape(index)] ?? PATHS.circle ?? "";
  const line = reference ? html`stroke-width="1" stroke-dasharray="3 2"` : html`stroke-width="1.6"`;
  const fill = isHollow(series) ? html`fill="${PAPER}" stroke="${color}"` : html`fill="${color}"`;
  return html`<svg class="key" viewBox="-5 0 22 12" width="22" height="12" aria-hidden="true"><path d="M-5 6H17" stroke="${color}" ${line} fill="none"/><path d="${path}" ${fill}/></svg>`;
}
