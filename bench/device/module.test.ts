import { expect, test } from "vitest";
import { WgslModule } from "./module.js";

const module = (entries: string) =>
  new WgslModule(`
  struct Sizes {
    slots: u32, // the table's, not: a u32
    seed: u32,
  }
  struct Plan { first: u32, seeds: array<vec4u, SEEDS>, end: u32, place: vec2u }
  const SEEDS = 2u;
  fn hash(key: u32) -> u32 { return key ^ sizes.seed; }
  fn twice(key: u32) -> u32 { return 2u * key; }
  @group(0) @binding(7) var<uniform> sizes: Sizes;
  @group(0) @binding(1) var<storage, read> keys: array<u32>;
  @group(0) @binding(3) var<uniform> plan: Plan;
  @group(0) @binding(4) var<uniform> range: vec2u;
  @group(1) @binding(0) var<storage, read_write> counters: array<u32>;
  ${entries}`);
const entry = (name: string, body: string) => `@compute @workgroup_size(1) fn ${name}() { ${body} }`;
const usedBy = (entries: string) => [...module(entries).resources("main").keys()];

test("an entry point's variables are those that it and the functions it calls use, with their bindings", () => {
  const resources = module(
    `${entry("main", "_ = both(keys[0]);")} fn both(k: u32) -> u32 { return hash(k); }`,
  ).resources("main");
  expect([...resources].map(([name, { binding }]) => [name, binding])).toEqual([
    ["sizes", 7],
    ["keys", 1],
  ]);
});

test.each([
  ["calls no function that uses them", entry("main", "_ = twice(1u);")],
  ["stands beside one that uses them", `${entry("other", "_ = hash(1u);")} ${entry("main", "")}`],
  ["names them in a comment only", entry("main", "/* sizes.slots */\n// hash(1)\n")],
  ["has a variable of that name", entry("main", "let sizes = 3u; _ = sizes;")],
])("an entry point that %s has no sizes", (_, entries) => {
  expect(usedBy(entries)).toEqual([]);
});

test("members of a uniform have the places that WGSL gives them; a storage buffer has none, nor has a uniform that is no struct a name", () => {
  const fields = (name: string) =>
    module(entry("main", "_ = plan.first + range.x + keys[0];")).resources("main").get(name)?.fields;
  expect(fields("plan")).toEqual([
    { name: "first", offset: 0, words: 1 },
    { name: "seeds", offset: 4, words: 8 },
    { name: "end", offset: 12, words: 1 },
    { name: "place", offset: 14, words: 2 },
  ]);
  expect(fields("range")).toEqual([{ name: "", offset: 0, words: 2 }]);
  expect(fields("keys")).toBeUndefined();
});

test("records of counters are of the entry points that write them", () => {
  const two = module(`${entry("main", "")} ${entry("counts", "counters[0] = 1u;")}`);
  expect([two.counts("main"), two.counts("counts")]).toEqual([false, true]);
});

test("sizes that are fixed stand as a constant in their place, and the module keeps its lines", () => {
  const sized = module(entry("main", "_ = sizes.slots;"));
  const fixed = sized.withSizes("main", { seed: 9, slots: 5 });
  expect(fixed).toContain("const sizes = Sizes(5u, 9u);");
  expect(fixed.split("\n")).toHaveLength(sized.wgsl.split("\n").length);
  expect(module(entry("main", "")).withSizes("main", {})).toContain("var<uniform> sizes");
});

test("a size without a value cannot be fixed", () => {
  const sized = module(entry("main", "_ = sizes.slots;"));
  expect(() => sized.withSizes("main", { slots: 5 })).toThrow("sizes.seed has 0 words; it takes 1");
});
