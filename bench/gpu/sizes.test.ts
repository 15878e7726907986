import { expect, test } from "vitest";
import { SIZES_BINDING, sizesOf, sizeWords } from "./sizes.js";

const module = (entries: string, binding = SIZES_BINDING) => `
  struct Sizes {
    slots: u32, // the table's, not: a u32
    seed: u32,
  }
  fn hash(key: u32) -> u32 { return key ^ sizes.seed; }
  fn twice(key: u32) -> u32 { return 2u * key; }
  @group(0) @binding(${binding}) var<uniform> sizes: Sizes;
  ${entries}`;
const entry = (name: string, body: string) => `@compute @workgroup_size(1) fn ${name}() { ${body} }`;

test("the sizes of an entry point are the members in their order", () => {
  expect(sizesOf(module(entry("main", "_ = sizes.slots;")), "main")).toEqual(["slots", "seed"]);
});

test("sizes that a called function uses are the entry point's", () => {
  expect(sizesOf(module(`${entry("main", "_ = both();")} fn both() -> u32 { return hash(1u); }`), "main")).toHaveLength(
    2,
  );
});

test.each([
  ["calls no function that uses them", entry("main", "_ = twice(1u);")],
  ["stands beside one that uses them", `${entry("other", "_ = hash(1u);")} ${entry("main", "")}`],
  ["names them in a comment only", entry("main", "/* sizes.slots */\n// hash(1)\n")],
])("an entry point that %s has no sizes", (_, entries) => {
  expect(sizesOf(module(entries), "main")).toEqual([]);
});

test("a module without sizes has none", () => {
  expect(sizesOf(entry("main", "let sizes = 3u; _ = sizes;"), "main")).toEqual([]);
});

test("sizes at another binding, or of another type, are an error", () => {
  const uses = entry("main", "_ = sizes.seed;");
  expect(() => sizesOf(module(uses, 7), "main")).toThrow("sizes are binding 31, not 7");
  expect(() => sizesOf(module(uses).replace("seed: u32", "seed: f32"), "main")).toThrow(
    "the size 'seed: f32' is no u32",
  );
});

test("values become words by their names", () => {
  expect(sizeWords(["slots", "seed"], { seed: 0xffffffff, slots: 0 })).toEqual([0, 0xffffffff]);
});

test.each([
  [{ slots: 1 }, "the size seed has no value"],
  [undefined, "the size slots has no value"],
  [{ slots: 1, seed: 2, sede: 3 }, "no size sede; it has slots, seed"],
  [{ slots: 2 ** 32, seed: 2 }, "the size slots is 4294967296; it takes a u32"],
  [{ slots: 1.5, seed: 2 }, "the size slots is 1.5; it takes a u32"],
])("values %o are refused", (values, message) => {
  expect(() => sizeWords(["slots", "seed"], values)).toThrow(message);
});
