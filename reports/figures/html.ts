/** Pages that need no network: their policy, vega's runtime, and a page of figures that are drawn at once. */

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { TopLevelSpec } from "vega-lite";
import { compileSpec } from "./compile.js";
import { html, type Markup, raw } from "./markup.js";

/** A figure of a page. */
interface PageFigure {
  /** Anchor of the figure in the page. */
  readonly id: string;
  /** Made with the option `interactive`. */
  readonly spec: TopLevelSpec;
}

/** The place of a live figure: its picture, until the script has drawn it. */
export function figureElement(id: string, label: string, svg: string): Markup {
  const element = svg.slice(Math.max(0, svg.indexOf("<svg")));
  return html`<figure id="${id}" aria-label="${label}">${raw(element)}</figure>`;
}

interface LivePage {
  readonly title: string;
  readonly style: string;
  /** With a `figureElement` of each figure. */
  readonly body: Markup;
  readonly figures: readonly PageFigure[];
}

/** A document whose script replaces each picture by the live figure; the picture stays where that fails. */
export function livePage({ title, style, body, figures }: LivePage): string {
  const drawn = figures.map(({ id, spec }) => {
    // Without the schema's address: a page names none.
    const { $schema: _, ...own } = compileSpec(spec);
    return [id, own];
  });
  const specs = Object.fromEntries(drawn);
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
<script>${raw(scriptSafe(vegaRuntime()))}</script>
<script>const specs = ${raw(scriptSafe(JSON.stringify(specs)))};
for (const [id, spec] of Object.entries(specs)) {
  const place = document.getElementById(id);
  const live = document.createElement("div");
  const parsed = vega.parse(spec, {}, { ast: true });
  const view = new vega.View(parsed, { expr: vegaInterpreter, renderer: "svg", container: live, hover: true });
  view.runAsync().then(() => place.replaceChildren(live)).catch((error) => console.error(error));
}</script>
</body>
</html>
`;
  return page.text;
}

/** No request leaves the page, and no text becomes code: vega's expressions are interpreted. */
export const POLICY = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "script-src 'unsafe-inline'",
  "img-src data:",
  "font-src data:",
].join("; ");

const resolved = createRequire(import.meta.url);

/** vega with all that it needs as the text of a script, and `vegaInterpreter` for its expressions. */
function vegaRuntime(): string {
  return [beside("vega", "vega.min.js"), interpreter()].join("\n");
}

/** The same with vega-lite. */
export function vegaLiteRuntime(): string {
  return [vegaRuntime(), beside("vega-lite", "vega-lite.min.js")].join("\n");
}

/** A file beside the entry module of a package. */
function beside(name: string, file: string): string {
  return readFileSync(join(dirname(resolved.resolve(name)), file), "utf8");
}

/** vega-interpreter, of which there is a module alone, as a script: what it imports is in vega. */
function interpreter(): string {
  const code = beside("vega-interpreter", "vega-interpreter.js");
  const [imports, names = ""] = /^import (\{[^}]*\}) from 'vega-util';$/m.exec(code) ?? [];
  const [exports, local = ""] = /^export \{ (\w+) as expressionInterpreter \};$/m.exec(code) ?? [];
  if (!imports || !exports) throw new Error("vega-interpreter is written in another way than is known here");
  const body = code.replace(imports, `const ${names} = vega;`).replace(exports, `return ${local};`);
  return `const vegaInterpreter = (() => {\n${body}\n})();`;
}

/** Keeps the HTML parser from seeing the end of the script, or a comment, inside it. */
export function scriptSafe(code: string): string {
  return code.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");
}
