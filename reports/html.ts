/** Pages that need no network: what they share, and the page of `hashbench plot`. Vega's runtime is in it once. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Spec } from "vega";
import type { TopLevelSpec } from "vega-lite";
import { PICK } from "./frame.js";
import { html, type Markup, raw } from "./markup.js";
import { compileSpec } from "./render.js";
import { FONT_FAMILY } from "./text.js";

/** A figure of a page. */
export interface PageFigure {
  /** Anchor of the figure in the page. */
  readonly id: string;
  /** Shown until the script has drawn the live figure, and where scripts are off. */
  readonly svg: string;
  /** Made with the option `interactive`. */
  readonly spec: TopLevelSpec;
}

/** A self-contained HTML document. Point at a mark for its numbers; click a mark or a legend entry to pick its series. */
export function htmlPage(title: string, figures: readonly PageFigure[]): string {
  const body = figures.map(({ id, svg }, i) => [i > 0 && "\n", figureElement(id, id, svg)]);
  return livePage({ title, style: STYLE, body: html`${body}`, figures, listening: PICKING });
}

const STYLE = `
body { font-family: ${FONT_FAMILY}; margin: 1.5rem; background: #ffffff; color: #222222; }
figure { margin: 0 0 2rem; overflow-x: auto; }
`;

/** The place of a live figure: its picture, until the script has drawn it. */
export function figureElement(id: string, label: string, svg: string): Markup {
  return html`<figure id="${id}" aria-label="${label}">${raw(inlineSvg(svg))}</figure>`;
}

interface LivePage {
  readonly title: string;
  readonly style: string;
  /** With a `figureElement` of each figure. */
  readonly body: Markup;
  readonly figures: readonly Omit<PageFigure, "svg">[];
  /** What the script does with each `view` before it is drawn. */
  readonly listening?: string;
}

/** A document whose script replaces each picture by the live figure; the picture stays where that fails. */
export function livePage({ title, style, body, figures, listening = "" }: LivePage): string {
  const specs = Object.fromEntries(figures.map(({ id, spec }) => [id, liveSpec(spec)]));
  const page = html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${raw(POLICY)}">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>${raw(style)}</style>
</head>
<body>
${body}
<script>${raw(vegaRuntime())}</script>
<script>const specs = ${raw(scriptSafe(JSON.stringify(specs)))};
for (const [id, spec] of Object.entries(specs)) {
  const place = document.getElementById(id);
  const live = document.createElement("div");
  const view = new vega.View(vega.parse(spec), { renderer: "svg", container: live, hover: true });
${raw(listening)}  view.runAsync().then(() => place.replaceChildren(live)).catch((error) => console.error(error));
}</script>
</body>
</html>
`;
  return page.text;
}

/** No request leaves the page. Vega turns its expressions into functions, hence `unsafe-eval`. */
export const POLICY = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "script-src 'unsafe-inline' 'unsafe-eval'",
  "img-src data:",
  "font-src data:",
].join("; ");

/** What vega draws in a page. Throws where vega-lite warns. */
export function liveSpec(spec: TopLevelSpec): Spec {
  return clickableLegend(compileSpec(spec));
}

/** Lets clicks on legend entries reach the page, which they do not otherwise. Also drops the address of the schema. */
function clickableLegend({ $schema: _, ...spec }: Spec): Spec {
  const legends = (spec.legends ?? []).map((legend) => ({
    ...legend,
    encode: {
      ...legend.encode,
      symbols: { ...legend.encode?.symbols, interactive: true },
      labels: { ...legend.encode?.labels, interactive: true },
    },
  }));
  return { ...spec, legends };
}

/** Clicks pick a series. */
const PICKING = `  view.addEventListener("click", (_, item) => {
    const series = item?.datum?.series ?? item?.datum?.value ?? null;
    view.signal("${PICK}", series === view.signal("${PICK}") ? null : series).runAsync();
  });
`;

/** vega with all that it needs, as the text of a script. Its file lies beside vega's entry module. */
export function vegaRuntime(): string {
  const file = join(dirname(createRequire(import.meta.url).resolve("vega")), "vega.min.js");
  return scriptSafe(readFileSync(file, "utf8"));
}

/** An SVG document as an element of a page. */
export function inlineSvg(svg: string): string {
  return svg.slice(Math.max(0, svg.indexOf("<svg")));
}

/** Keeps the HTML parser from seeing the end of the script, or a comment, inside it. */
export function scriptSafe(code: string): string {
  return code.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");
}
