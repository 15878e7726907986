/** Documents as HTML. */
import { type Block, plainText, type Span, spansOf, type Table, type Text } from "../../bench/base/document.js";
import { html, type Markup, raw } from "../figures/markup.js";

export function printHtml(blocks: readonly Block[]): Markup {
  return html`${blocks.map((block) => html`${htmlOf(block)}\n`)}`;
}

/** A part of the page under its heading; nothing where there are no blocks. */
export function section(id: string, title: string, blocks: readonly Block[], more: Markup | false = false) {
  if (blocks.length === 0) return null;
  return html`<section id="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title">${title}</h2>
${printHtml(blocks)}${more}</section>`;
}

function htmlOf(block: Block): Markup {
  switch (block.kind) {
    case "heading": {
      const tag = raw(`h${block.level}`);
      return html`<${tag}${block.id !== undefined && html` id="${block.id}"`}>${htmlText(block.text)}</${tag}>`;
    }
    case "paragraph":
      return html`<p>${htmlText(block.text)}</p>`;
    case "list":
      return html`<ul>${block.items.map((item) => html`<li>${htmlText(item)}</li>`)}</ul>`;
    case "figure":
      return html`<img src="${block.file}" alt="${block.text}">`;
    case "device":
      return html`<div class="of-device" data-device="${block.slug}">${printHtml(block.blocks)}</div>`;
    case "table":
      return htmlTable(block);
  }
}

/** Scrolls sideways in a box of its own. The first cell of a line is its heading. `stack` in its look: on a phone a line is a card. */
function htmlTable({ head, rows, caption, look = "facts" }: Table): Markup {
  const stacked = look.split(" ").includes("stack");
  const label = (column: number) => stacked && html` data-label="${plainText(head[column + 1] ?? "")}"`;
  const name = caption ?? head.map(plainText).join(", ");
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${name}"><table class="${look}">
${caption && html`<caption>${caption}</caption>`}
<thead><tr>${head.map((cell) => html`<th scope="col">${htmlText(cell)}</th>`)}</tr></thead>
<tbody>${rows.map(
    ([first = "", ...cells]) =>
      html`<tr><th scope="row">${htmlText(first)}</th>${cells.map((cell, i) => html`<td${label(i)}>${htmlText(cell)}</td>`)}</tr>\n`,
  )}</tbody></table></div>`;
}

export function htmlText(text: Text): Markup {
  return html`${spansOf(text).map(htmlSpan)}`;
}

const TAGS = { strong: raw("b"), code: raw("code"), note: raw("small") } as const;

function htmlSpan({ text, as, to, hint }: Span): Markup {
  const hinted = hint !== undefined && html` title="${hint}"`;
  const own = as === "badge" ? badge(text) : as ? html`<${TAGS[as]}>${text}</${TAGS[as]}>` : html`${text}`;
  const said = hinted ? html`<span${hinted}>${own}</span>` : own;
  return to === undefined ? said : html`<a href="${to}">${said}</a>`;
}

/** A verdict, which the text may say more of. */
export function badge(verdict: string, text: string = verdict): Markup {
  return html`<span class="badge ${verdict.replaceAll(/\W+/g, "-")}">${text}</span>`;
}
