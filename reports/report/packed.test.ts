import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { packOnce, statedOnce } from "./packed.js";

interface Stated {
  readonly parts: readonly unknown[];
  readonly value: unknown;
}

/** As the page's script puts the parts back in place. */
function whole({ parts, value }: Stated): unknown {
  const of = (part: unknown): unknown => {
    if (typeof part !== "object" || part === null) return part;
    if (Array.isArray(part)) return part.map(of);
    if ("$" in part) return of(parts[Number(part.$)]);
    return Object.fromEntries(Object.entries(part).map(([name, own]) => [name, of(own)]));
  };
  return of(value);
}

const axis = { field: "x", type: "quantitative", domain: [0, 1] };
const layer = { mark: { type: "point", opacity: 0.5 }, encoding: { x: axis } };

test("equal objects and arrays are stated once, also within parts, and come back", () => {
  const value = [{ layer: [layer, structuredClone(layer)], x: structuredClone(axis) }, { x: structuredClone(axis) }];
  const text = statedOnce(value);
  expect(text.match(/"quantitative"/g)).toHaveLength(1);
  expect(text.match(/"opacity"/g)).toHaveLength(1);
  expect(whole(JSON.parse(text))).toEqual(value);
});

test("what differs in a member, in the order of a list or in a number written as a text is kept apart", () => {
  const long = "a text that is worth a reference";
  const value = [[long, 1], [1, long], [long, "1"], { a: long }, { b: long }, [long], { 0: long }, ["#0", long], []];
  expect(whole(JSON.parse(statedOnce(value)))).toEqual(value);
});

test("a number is not taken for the part of that number", () => {
  const ones = Array.from({ length: 20 }, () => 1);
  const value = [[{ a: "part 0" }, ...ones], [0, ...ones], { x: [0, ...ones] }, { y: [{ a: "part 0" }, ...ones] }];
  expect(whole(JSON.parse(statedOnce(value)))).toEqual(value);
});

test("values are as JSON has them: without members that are undefined, with null for what no list can hold", () => {
  const value = [{ a: undefined, b: [undefined, Number.NaN, "</script>"] }, { c: { d: undefined, e: {} } }, null];
  expect(whole(JSON.parse(statedOnce(value)))).toEqual(JSON.parse(JSON.stringify(value)));
  expect(whole(JSON.parse(statedOnce("alone")))).toBe("alone");
});

test("an object that could be taken for the number of a part is refused", () => {
  expect(() => statedOnce([{ $: 1, a: {} }])).toThrow("a member named $");
  expect(() => statedOnce([{ $: 1 }])).toThrow("a member named $");
});

test("what is packed is gzip in base64 of that text", () => {
  const value = [layer, layer];
  expect(gunzipSync(Buffer.from(packOnce(value), "base64")).toString()).toBe(statedOnce(value));
});
