/** Data that the page carries as gzip in base64, for client/packed.js. */
import { gzipSync } from "node:zlib";
import { html, type Markup, raw } from "../figures/markup.js";

/** As JSON, gzip, base64. The same value gives the same text. */
export function pack(value: unknown): string {
  return gzipSync(JSON.stringify(value), { level: 6 }).toString("base64");
}

/** A place of the page for what {@link pack} made. */
export function packedElement(packed: string, id?: string): Markup {
  return html`<script type="application/json+gzip"${id !== undefined && html` id="${id}"`}>${raw(packed)}</script>`;
}
