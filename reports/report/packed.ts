/** Data that the page carries as gzip in base64, for client/packed.js. */
import { gzipSync } from "node:zlib";
import { html, type Markup, raw } from "../figures/markup.js";

/** As JSON, gzip, base64. The same value gives the same text. */
export function pack(value: unknown): string {
  return packText(JSON.stringify(value));
}

/** {@link pack} of what {@link statedOnce} makes of the value; client/packed.js puts its parts back in place. */
export function packOnce(value: unknown): string {
  return packText(statedOnce(value));
}

function packText(json: string): string {
  return gzipSync(json, { level: 6 }).toString("base64");
}

/** Name of the only member of an object that stands for a part: the part's number. As client/packed.js knows it. */
const PART = "$";
/** Of fewer characters a part is written wherever it occurs. */
const SHORT = 24;

/**
 * A value as JSON in which equal objects and arrays are written once: `{ parts, value }`, where `{ "$": n }` stands for the nth part, in
 * parts as well. The figures of one experiment, drawn for several widths, scales and devices, have most of what they say in common, and
 * lie too far apart in its text for gzip to find it. Throws for an object that could be taken for the number of a part.
 */
export function statedOnce(value: unknown): string {
  const { numbers, uses, lengths, texts } = distinctParts(value);
  const places = new Map<number, number>();
  const parts: string[] = [];
  const write = (part: unknown): string => {
    if (!isObject(part)) return JSON.stringify(part) ?? "null";
    const number = numbers.get(part) ?? 0;
    if ((uses[number] ?? 0) < 2 || (lengths[number] ?? 0) < SHORT) return texts[number] ?? body(part);
    let place = places.get(number);
    if (place === undefined) {
      const text = texts[number] ?? body(part);
      place = parts.length;
      parts.push(text);
      places.set(number, place);
    }
    return `{"${PART}":${place}}`;
  };
  const body = (part: object): string => {
    if (Array.isArray(part)) return `[${part.map(write).join()}]`;
    return `{${membersOf(part)
      .map(([name, own]) => `${JSON.stringify(name)}:${write(own)}`)
      .join()}}`;
  };
  const whole = write(value);
  return `{"parts":[${parts.join()}],"value":${whole}}`;
}

/** The objects and arrays of a value by what they are, equal ones having one number. */
interface DistinctParts {
  readonly numbers: ReadonlyMap<object, number>;
  /** By number: in how many other parts it stands. */
  readonly uses: readonly number[];
  /** By number: about the characters of its JSON. */
  readonly lengths: readonly number[];
  /** By number: its JSON, where no part of it is one of these. */
  readonly texts: readonly (string | undefined)[];
}

function distinctParts(value: unknown): DistinctParts {
  const numbers = new Map<object, number>();
  const byText = new Map<string, number>();
  const uses: number[] = [];
  const lengths: number[] = [];
  const texts: (string | undefined)[] = [];
  const numberOf = (part: object): number => {
    const known = numbers.get(part);
    if (known !== undefined) return known;
    if (PART in part) throw new Error(`an object of a page has a member named ${PART}`);
    const children: number[] = [];
    // A part of it is its number, which is unlike any JSON.
    const told = (own: unknown): string => {
      if (!isObject(own)) return JSON.stringify(own) ?? "null";
      const child = numberOf(own);
      children.push(child);
      return `#${child}`;
    };
    const flat = isFlat(part);
    const text = flat
      ? JSON.stringify(part)
      : Array.isArray(part)
        ? `[${part.map(told).join()}]`
        : `{${membersOf(part)
            .map(([name, own]) => `${JSON.stringify(name)}:${told(own)}`)
            .join()}}`;
    let number = byText.get(text);
    if (number === undefined) {
      number = uses.length;
      byText.set(text, number);
      uses.push(0);
      texts.push(flat ? text : undefined);
      lengths.push(children.reduce((sum, child) => sum + (lengths[child] ?? 0), text.length));
      for (const child of children) uses[child] = (uses[child] ?? 0) + 1;
    }
    numbers.set(part, number);
    return number;
  };
  if (isObject(value)) numberOf(value);
  return { numbers, uses, lengths, texts };
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

/** Whether it has no objects and arrays of its own. */
function isFlat(part: object): boolean {
  if (Array.isArray(part)) return !part.some(isObject);
  for (const own of Object.values(part)) if (isObject(own)) return false;
  return true;
}

/** As JSON has them. */
function membersOf(part: object): [string, unknown][] {
  return Object.entries(part).filter(([, own]) => own !== undefined);
}

/** A place of the page for what {@link pack} or {@link packOnce} made. */
export function packedElement(packed: string, id?: string): Markup {
  return html`<script type="application/json+gzip"${id !== undefined && html` id="${id}"`}>${raw(packed)}</script>`;
}
