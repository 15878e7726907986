import { expect, test } from "vitest";
import { environmentOf } from "../figures/caption.js";
import { figureSpec } from "../figures/figure.js";
import { renderSvg } from "../figures/render.js";
import { DARK_COLORS, seriesColor } from "../figures/style.js";
import { experiment, specOf, threeRows } from "../figures/testing.js";
import { legendKey } from "./legend.js";
import { modelDrawing } from "./model-figure.js";
import { themeCss } from "./theme.js";

const PAGE = "#14171a";

function luminance(color: string): number {
  const channels = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255);
  const [r = 0, g = 0, b = 0] = channels.map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

test("every colour of a figure has one for dark pages", async () => {
  const rows = threeRows({ lo: 90, hi: 210 });
  const at = { op: "find", dataset: "", experiment: "", n: 1, loadFactor: 0.5, samples: 1 };
  const point = { ...at, table: "a", predicted: 1, measured: 2 };
  const pictures = [
    await renderSvg(specOf(experiment(), rows)),
    await renderSvg(specOf(experiment({}, { kind: "bar" }), rows, { bare: true, interactive: true })),
    await renderSvg(specOf(experiment(), [])),
    await renderSvg(figureSpec(modelDrawing({ environment: environmentOf([]) }, [point], ["a"]))),
    ...Array.from({ length: 12 }, (_, i) => legendKey({ index: i }).text),
  ];
  const colors = pictures.flatMap((svg) => [...svg.matchAll(/(?:fill|stroke)="([^"]+)"/g)].map((m) => m[1] ?? ""));
  const unknown = colors.filter((c) => !(c in DARK_COLORS) && c !== "none" && c !== "transparent");
  expect(unknown).toEqual([]);
});

test("the dark shade of every series stands out from a dark page", () => {
  const shades = Array.from({ length: 48 }, (_, i) => DARK_COLORS[seriesColor(i)] ?? "");
  expect(new Set(shades).size).toBe(48);
  const faint = shades.filter((shade) => (luminance(shade) + 0.05) / (luminance(PAGE) + 0.05) < 4.5);
  expect(faint).toEqual([]);
});

test("both the system and the page's own button can ask for dark", () => {
  const css = themeCss();
  expect(css).toContain("@media (prefers-color-scheme:dark){:root:not([data-theme=light])");
  expect(css).toContain(":root[data-theme=dark]{color-scheme:dark;");
  expect(css).toContain(`--page:${PAGE};`);
});
