/** Specifications to pictures: SVG by vega, PNG by resvg with the shipped font. No browser, no font of the system. */

import { Resvg } from "@resvg/resvg-js";
import * as vega from "vega";
import { compile, type TopLevelSpec } from "vega-lite";
import { FONT_FILES } from "./face.js";
import { PAPER } from "./style.js";
import { FONT_FAMILY, textWidth } from "./text.js";

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

/** Compiles to vega. Throws on anything that vega-lite warns about: a warning means that something is not drawn. */
export function compileSpec(spec: TopLevelSpec): vega.Spec {
  const complaints: string[] = [];
  const keep = (...messages: readonly unknown[]): vega.LoggerInterface => {
    complaints.push(messages.join(" "));
    return logger;
  };
  const ignore = (): vega.LoggerInterface => logger;
  const logger = { level: () => logger, error: keep, warn: keep, info: ignore, debug: ignore } as vega.LoggerInterface;
  const compiled = compile(spec, { logger });
  if (complaints.length > 0) throw new Error(`vega-lite: ${complaints.join("; ")}`);
  const { hollow = [] } = (spec.usermeta ?? {}) as Partial<Hollow>;
  return hollow.length > 0 ? withHollowKeys(compiled.spec, hollow) : compiled.spec;
}

/** Part of a specification's `usermeta`. */
interface Hollow {
  /** Series whose points are hollow, with a line around them. */
  readonly hollow: readonly string[];
}

/** Lets the legend show hollow points as they are drawn, which vega-lite cannot: in its legends all points are filled alike. */
function withHollowKeys(spec: vega.Spec, hollow: readonly string[]): vega.Spec {
  const test = `indexof(${JSON.stringify(hollow)}, datum.value) >= 0`;
  const legends = (spec.legends ?? []).map((legend) => {
    const scale = legend.fill;
    if (scale === undefined) return legend;
    const update = {
      ...legend.encode?.symbols?.update,
      fill: [
        { test, value: PAPER },
        { scale, field: "value" },
      ],
      stroke: [{ test, scale, field: "value" }, { value: "transparent" }],
    };
    return { ...legend, encode: { ...legend.encode, symbols: { ...legend.encode?.symbols, update } } };
  });
  return { ...spec, legends };
}

/** The figure as a stand-alone SVG document. */
export async function renderSvg(spec: TopLevelSpec): Promise<string> {
  const view = new vega.View(vega.parse(compileSpec(spec)), { renderer: "none", logLevel: vega.Warn });
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
