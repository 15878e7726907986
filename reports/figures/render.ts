/** Specifications to pictures: SVG by vega, PNG by resvg with the shipped font. No browser, no font of the system. */

import { Resvg } from "@resvg/resvg-js";
import * as vega from "vega";
import type { TopLevelSpec } from "vega-lite";
import { compileSpec } from "./compile.js";
import { FONT_FILES } from "./face.js";
import { FONT_FAMILY } from "./family.js";
import { textWidth } from "./text.js";

/** PNG pixels per SVG pixel. */
export const PNG_ZOOM = 2;

/** What a vega text item says about its font. */
interface TextItem {
  readonly fontSize?: number;
  readonly fontWeight?: string | number;
}

/** Vega without a canvas estimates a text's width; vega-scenegraph lets a program replace the estimate. Not in the typings. */
const { textMetrics } = vega as unknown as {
  textMetrics: { width(item: TextItem, text: unknown): number };
};
textMetrics.width = (item, text) =>
  textWidth(
    String(text ?? ""),
    Number(item.fontSize ?? 11),
    item.fontWeight === "bold" || Number(item.fontWeight) >= 600,
  );

/**
 * The figure as a stand-alone SVG document. Its marks have no descriptions, a third of its bytes otherwise: what shows it as an image
 * gives one text for all.
 */
export async function renderSvg(spec: TopLevelSpec): Promise<string> {
  const plain = { ...spec, config: { ...spec.config, aria: false } };
  const view = new vega.View(vega.parse(compileSpec(plain)), { renderer: "none", logLevel: vega.Warn });
  try {
    return await view.toSVG();
  } finally {
    view.finalize();
  }
}

/** An SVG of ours as PNG, at {@link PNG_ZOOM} times its size. */
export function svgToPng(svg: string): Buffer {
  const picture = new Resvg(svg, {
    background: "#ffffff",
    fitTo: { mode: "zoom", value: PNG_ZOOM },
    font: { loadSystemFonts: false, fontFiles: [...FONT_FILES], defaultFontFamily: FONT_FAMILY.split(",")[0] ?? "" },
  });
  return picture.render().asPng();
}
