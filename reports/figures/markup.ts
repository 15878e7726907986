/** HTML as values: a tagged template that escapes every text put into it. */

/** Text that is HTML already. */
export class Markup {
  constructor(readonly text: string) {}
  toString(): string {
    return this.text;
  }
}

type Part = Markup | string | number | null | undefined | false | readonly Part[];

/** HTML whose values are escaped, but for markup. Lists are joined; null, undefined and false are nothing. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  return new Markup(strings.reduce((text, next, i) => text + render(parts[i - 1]) + next));
}

/** A text that is known to be HTML. */
export function raw(text: string): Markup {
  return new Markup(text);
}

function render(part: Part): string {
  if (part === null || part === undefined || part === false) return "";
  if (part instanceof Markup) return part.text;
  if (typeof part === "object") return part.map(render).join("");
  return String(part).replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
}
