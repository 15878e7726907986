/** Functions of tables that WESL links into a program's shader. */
import { expect, test } from "vitest";
import { link } from "wesl/core";
import { testGpu } from "../../bench/device/testing.js";
import { weslBundles } from "../../scripts/wesl-bundles.js";
import { kernelTexts } from "../../scripts/wgsl-modules.js";
import { type DeviceFunctions, EMPTY, type FunctionName, STATES } from "./index.js";
import { buffersOn, createTable, dispatchesOn, functionsOf, keysFrom, LANES } from "./testing.js";

const gpu = testGpu();
const device = () => gpu().device;
const { using } = buffersOn(device);
const dispatched = dispatchesOn(device);
const bundles = weslBundles(kernelTexts());

/** What links a shader with the functions of a table's bundle. */
const byWesl =
  (table: string, { wesl }: DeviceFunctions, functions: readonly FunctionName[]) =>
  async (text: string) => {
    const name = table === "linear-probing" ? "double_hashing" : table.replace("-", "_");
    const imports = functions.map((one) => `import webgpu_hash_table::wesl::${name}::${one} as seen_${one};`);
    const libs = [...bundles].flatMap(([id, bundle]) => (id === name ? bundle : []));
    const weslSrc = { main: [...imports, text].join("\n") };
    return (await link({ weslSrc, rootModuleName: "main", libs, conditions: wesl.conditions })).dest;
  };

async function messagesOf(code: string): Promise<string[]> {
  const { messages } = await device().createShaderModule({ code }).getCompilationInfo();
  return messages.map(({ message }) => message);
}

// Kernels of cuckoo have four functions where no constant says otherwise.
test.each([
  ["quotient", {}],
  ["bucketed", {}],
  ["double-hashing", {}],
  ["linear-probing", { keyed: true }],
  ["cuckoo", { functions: 5 }],
] as const)("%s: a shader that WESL links finds keys, and none that are absent", async (name, params) => {
  const table = await createTable(device(), name, { capacity: LANES, params });
  const all = keysFrom(0, LANES);
  const stored = all.filter((_, i) => i % 2 === 0);
  await using([all, stored, 2 * LANES], async (...[keys, some, told]) => {
    await table.insert({ keys: some!, values: some!, n: stored.length });
    const functions = functionsOf(table, ["find"]);
    const shader = { ...functions, code: "", constants: functions.wesl.constants };
    const body = "told[lane] = vec2u(seen_find(key), 0u);";
    const words = await dispatched(shader, keys!, told!, body, byWesl(name, functions, ["find"]));
    expect(words.filter((_, i) => i % 2 === 0)).toEqual(all.map((key, i) => (i % 2 === 0 ? key : EMPTY)));
  });
  table.destroy();
});

test("a shader that WESL links changes the table as a Map would be", async () => {
  const functions = ["find", "find_or_insert", "upsert_add"] as const;
  const table = await createTable(device(), "double-hashing", { capacity: LANES });
  const all = keysFrom(0, LANES);
  const map = new Map([...all.subarray(0, 1000)].map((key, i) => [key, i]));
  await using([all, all.map((_, i) => i), 2 * LANES], async (...[keys, values, told]) => {
    await table.insert({ keys: keys!, values: values!, n: map.size });
    const given = functionsOf(table, functions);
    const body = `
  let answer = seen_find_or_insert(key, 5u * lane);
  if (lane % 2u == 0u) { _ = seen_upsert_add(key, 7u); }
  told[lane] = vec2u(seen_find(key), answer.state);`;
    const linked = byWesl("double-hashing", given, functions);
    const words = await dispatched({ ...given, code: "" }, keys!, told!, body, linked);
    const expected = [...all].flatMap((key, lane) => {
      const value = (map.get(key) ?? 5 * lane) + (lane % 2 === 0 ? 7 : 0);
      return [value, map.has(key) ? STATES.found : STATES.new];
    });
    expect(words).toEqual(Uint32Array.from(expected));
    expect(await table.size()).toBe(LANES);
  });
  table.destroy();
});

test.each(["quotient", "bucketed", "double-hashing", "linear-probing"] as const)(
  "%s: WESL links all functions",
  async (name) => {
    const table = await createTable(device(), name, { capacity: LANES });
    const ofPairs = ["insert", "find_or_insert", "upsert_add", "upsert_min", "upsert_max"] as const;
    const functions = ["find", "erase", ...ofPairs] as const;
    const calls = ["_ = seen_find(1u);", "_ = seen_erase(1u);", ...ofPairs.map((one) => `_ = seen_${one}(1u, 2u);`)];
    const main = `@compute @workgroup_size(1) fn main() { ${calls.join(" ")} }`;
    expect(await messagesOf(await byWesl(name, functionsOf(table, functions), functions)(main))).toEqual([]);
    table.destroy();
  },
);

test("texts of two tables are bundles of a program's own", async () => {
  const [one, other] = [
    await createTable(device(), "quotient", { capacity: 100 }),
    await createTable(device(), "cuckoo", { capacity: 100 }),
  ];
  const libs = [one, other].map((table, group) => {
    const lib = table.device({ group, functions: ["find"] }).code;
    return { name: "ab".charAt(group), edition: "2026_pre", modules: { lib } };
  });
  const main = "@compute @workgroup_size(1) fn main() { _ = a::table_find(b::table_find(2u)); }";
  const { dest } = await link({ weslSrc: { main }, rootModuleName: "main", libs });
  expect(await messagesOf(dest)).toEqual([]);
  for (const group of [0, 1]) expect(dest).toContain(`@group(${group}) @binding(0) var<storage, read>`);
  for (const table of [one, other]) table.destroy();
});
