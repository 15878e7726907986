/** Documents as plain data: what reports, comparisons and histories say, written once and printed as Markdown, as text and as HTML. */

/** A part of a text. */
export interface Span {
  readonly text: string;
  /** `note`: beside what counts. `badge`: a verdict. */
  readonly as?: "strong" | "code" | "note" | "badge";
  /** An address. One that begins with `#` is a place of the page and leads nowhere elsewhere. */
  readonly to?: string;
  /** What a page says when it is pointed at. */
  readonly hint?: string;
}

export type Text = string | readonly (string | Span)[];

export interface Table {
  readonly kind: "table";
  readonly head: readonly Text[];
  readonly rows: readonly (readonly Text[])[];
  readonly caption?: string;
  /** All columns but the first are set to the right, as those are that have numbers alone. */
  readonly right?: true;
  /** Classes of the page. */
  readonly look?: string;
}

export type Block =
  | { readonly kind: "heading"; readonly level: 1 | 2 | 3 | 4; readonly text: Text; readonly id?: string }
  | { readonly kind: "paragraph"; readonly text: Text }
  | { readonly kind: "list"; readonly items: readonly Text[] }
  | Table
  /** A picture in a file beside the document. */
  | { readonly kind: "figure"; readonly text: string; readonly file: string }
  /** What is of one device, which the reader of a page may hide. */
  | { readonly kind: "device"; readonly slug: string; readonly blocks: readonly Block[] };

export function paragraph(text: Text): Block {
  return { kind: "paragraph", text };
}

export function heading(level: 1 | 2 | 3 | 4, text: Text): Block {
  return { kind: "heading", level, text };
}

export function list(items: readonly Text[]): Block {
  return { kind: "list", items };
}

export function table(head: readonly Text[], rows: Table["rows"], more: Omit<Partial<Table>, "kind"> = {}): Table {
  return { kind: "table", head, rows, ...more };
}

export function spansOf(text: Text): readonly Span[] {
  return (typeof text === "string" ? [text] : text).map((part) => (typeof part === "string" ? { text: part } : part));
}

export function plainText(text: Text): string {
  return spansOf(text)
    .map((span) => span.text)
    .join("");
}

/** By column, whether it is set to the right. */
function numericColumns({ head, rows, right }: Table): boolean[] {
  return head.map(
    (_, i) => (right === true && i > 0) || rows.every((row) => /^[+−-]?[\d.,]*( %)?$/.test(plainText(row[i] ?? ""))),
  );
}

export function printMarkdown(blocks: readonly Block[]): string {
  return `${blocks.map(markdownOf).join("\n\n")}\n`;
}

function markdownOf(block: Block): string {
  switch (block.kind) {
    case "heading":
      return `${"#".repeat(block.level)} ${markdownText(block.text)}`;
    case "paragraph":
      return markdownText(block.text);
    case "list":
      return block.items.map((item) => `- ${markdownText(item)}`).join("\n");
    case "figure":
      return `![${escapeMarkdown(block.text)}](${encodeURI(block.file)})`;
    case "device":
      return block.blocks.map(markdownOf).join("\n\n");
    case "table": {
      const line = (cells: readonly Text[]): string => `| ${cells.map(markdownText).join(" | ")} |`;
      const rule = `|${numericColumns(block)
        .map((numeric) => (numeric ? "--:|" : "---|"))
        .join("")}`;
      const lines = [line(block.head), rule, ...block.rows.map(line)].join("\n");
      return block.caption ? `${escapeMarkdown(block.caption)}:\n\n${lines}` : lines;
    }
  }
}

function markdownText(text: Text): string {
  const parts = spansOf(text).map(({ text: own, as, to }) => {
    const shown = as === "code" ? `\`${own}\`` : escapeMarkdown(own);
    const marked = as === "strong" && own !== "" ? `**${shown}**` : shown;
    return to === undefined || to.startsWith("#") ? marked : `[${marked}](${encodeURI(to)})`;
  });
  return parts.join("");
}

/** Texts from rows and command lines: in one line, in which nothing begins markup, a link or an entity, or ends a table's cell. */
export function escapeMarkdown(text: string): string {
  return (
    text
      .replace(/\s+/g, " ")
      .replace(/[\\`*[\]|]|~~/g, "\\$&")
      // Between letters and digits it is no markup: names of toggles stay readable.
      .replace(/(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])/g, "\\_")
      .replace(/&(?=#?\w+;)/g, "&amp;")
      .replaceAll("<", "&lt;")
  );
}

/** For a terminal, in lines of at most `width` characters. */
export function printText(blocks: readonly Block[], width = Number.POSITIVE_INFINITY): string {
  return `${blocks.map((block) => textOf(block, width)).join("\n\n")}\n`;
}

function textOf(block: Block, width: number): string {
  switch (block.kind) {
    case "heading":
    case "paragraph":
      return wrap(plainText(block.text), width).join("\n");
    case "list":
      return block.items.map((item) => wrap(plainText(item), width).join("\n")).join("\n");
    case "figure":
      return `${block.text}: ${block.file}`;
    case "device":
      return block.blocks.map((one) => textOf(one, width)).join("\n\n");
    case "table":
      return [...(block.caption ? wrap(block.caption, width) : []), ...tableLines(block, width)].join("\n");
  }
}

const GAP = 2;
/** Columns are not made narrower than this. */
const NARROW = 12;

/** A table alone, as it is wide. */
export function columns(head: readonly string[], rows: Table["rows"]): string {
  return tableLines(table(head, rows), Number.POSITIVE_INFINITY).join("\n");
}

/** Columns of numbers are set to the right; cells of the widest columns are broken where the table is too wide. */
function tableLines(own: Table, width: number): string[] {
  const cells = [own.head, ...own.rows].map((row) => own.head.map((_, i) => plainText(row[i] ?? "")));
  const widths = own.head.map((_, i) => Math.max(...cells.map((row) => row[i]?.length ?? 0)));
  const room = width - GAP * (widths.length - 1);
  const total = () => widths.reduce((sum, one) => sum + one, 0);
  while (total() > room && Math.max(...widths) > NARROW) {
    const widest = widths.indexOf(Math.max(...widths));
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  const numeric = numericColumns(own);
  return cells.flatMap((row) => {
    const broken = row.map((text, i) => wrap(text, widths[i] ?? 0));
    const depth = Math.max(...broken.map((lines) => lines.length));
    return Array.from({ length: depth }, (_, line) =>
      broken
        .map(
          (lines, i) => lines[line]?.[numeric[i] ? "padStart" : "padEnd"](widths[i] ?? 0) ?? " ".repeat(widths[i] ?? 0),
        )
        .join(" ".repeat(GAP))
        .trimEnd(),
    );
  });
}

/** Lines of at most `width` characters, one at least, broken at spaces where there are any. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  const most = Math.max(1, width);
  let rest = text;
  while (rest.length > most) {
    const space = rest.lastIndexOf(" ", most);
    const cut = space > 0 ? space : most;
    lines.push(rest.slice(0, cut));
    rest = rest.slice(cut).trimStart();
  }
  return rest === "" && lines.length > 0 ? lines : [...lines, rest];
}

/** A line in lines of at most `width` characters, the later ones set in. It is broken at spaces alone: paths stay whole. */
export function hanging(text: string, width: number, indent = "    "): string {
  const [first = "", ...words] = text.split(" ");
  const lines = [first];
  for (const word of words) {
    const longer = `${lines.at(-1)} ${word}`;
    if (longer.length <= width) lines[lines.length - 1] = longer;
    else lines.push(`${indent}${word}`);
  }
  return lines.join("\n");
}
