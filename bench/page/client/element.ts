/** Elements of the page. Texts become text nodes, whatever they are: no row is ever read as HTML. */

type Child = Node | string | false | null;
type Attributes = Readonly<Record<string, string | boolean>>;

export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "boolean") made.toggleAttribute(key, value);
    else made.setAttribute(key, value);
  }
  made.append(...children.filter((child) => child !== false && child !== null));
  return made;
}

/** The element of index.html with that id. Throws an Error if it is not there, or another one. */
export function byId<T extends HTMLElement>(id: string, type: { new (): T; readonly name: string }): T {
  const found = document.getElementById(id);
  if (!(found instanceof type)) throw new Error(`no ${type.name} #${id}`);
  return found;
}
