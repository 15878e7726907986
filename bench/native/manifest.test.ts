import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { configure, defineTable } from "../../kernels/define.js";
import { temporaryFolder } from "../results/testing.js";
import { loadNative } from "./load.js";
import { deviceBytes, readManifests } from "./manifest.js";
import { describe } from "./table.js";
import { manifestIn, manifestOf } from "./testing.js";

test("a folder has the manifests in it and in its folders", () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "deep", "er"), { recursive: true });
  manifestIn(folder, "", {}, "two");
  manifestIn(join(folder, "deep", "er"), "", {}, "one");
  writeFileSync(join(folder, "other.json"), "{}");
  expect(readManifests(folder).map(({ id, folder: own }) => [id, own])).toEqual([
    ["one", join(folder, "deep", "er")],
    ["two", folder],
  ]);
});

test.each<[object, RegExp]>([
  [{ protocol: 2 }, /map\.table\.json: protocol: the protocol's version 1 is wanted$/],
  [{ id: "My map" }, /: id: lower-case letters, digits and dashes are wanted$/],
  [{ api: "metal" }, /: api: /],
  [{ command: [] }, /: command: /],
  [{ ops: ["insert"] }, /: ops: insert and find are wanted among them$/],
  [{ ops: ["insert", "find", "frob"] }, /: ops\.2: /],
  [{ ops: ["insert", "group"] }, /: ops: insert and find are wanted among them$/],
  [{ maxLoadFactor: 1.5 }, /: maxLoadFactor: /],
  [{ title: "two\nlines" }, /: title: not one line of text$/],
  [{ access: { find: { pattern: "lookup7", why: "x" } } }, /: access\.find\.pattern: /],
  [{ access: { found: { pattern: "lookup8", why: "x" } } }, /: access/],
  [{ colour: "red" }, /colour/],
  [{ ops: undefined, opps: ["insert", "find"] }, /: its content: Unrecognized key: "opps"$/],
  [{ parameters: [{ name: "a b", meaning: "x", default: 1, values: [1] }] }, /: parameters\.0/],
])("a manifest with %j is refused in one line", (change, says) => {
  const file = manifestIn(temporaryFolder(), "", change);
  expect(() => readManifests(file)).toThrow(says);
});

test("a table takes bytes by its pairs over the load factor beside its program's, and none where the CPU has it", () => {
  const bytes = (api: string) => {
    return deviceBytes(manifestOf(temporaryFolder(), "", { api, bytesPerPair: 8, fixedBytes: 100 }), 1000, 0.5);
  };
  expect([bytes("cuda"), bytes("cpu")]).toEqual([16_100, 0]);
});

test("an operation has the access that its manifest declares, or what no table avoids; none on the CPU", () => {
  const access = { find: { pattern: "lookup128x4", why: "one bucket" } };
  const traits = (api: string) =>
    configure(defineTable(describe(manifestOf(temporaryFolder(), "", { api, access }))), {});
  expect(traits("cuda").access("find")).toEqual(access.find);
  expect(traits("cuda").access("insert")?.pattern).toBe("cas");
  expect(traits("cpu").access("find")).toBeUndefined();
});

test("what is no manifest, and a folder without one, are refused", () => {
  const folder = temporaryFolder();
  expect(() => readManifests(folder)).toThrow(
    /^--native .*: there is no manifest, a file \*\.table\.json, in it or in its folders$/,
  );
  expect(() => readManifests(join(folder, "nonsuch"))).toThrow(/^--native .*nonsuch/);
  const text = join(folder, "a.table.json");
  writeFileSync(text, "not JSON");
  expect(() => readManifests(text)).toThrow(/a\.table\.json: not JSON$/);
});

test("a table of an id that is taken is refused", () => {
  const file = manifestIn(temporaryFolder(), "", { id: "stash" }, "stash");
  expect(() => loadNative([file])).toThrow(/^--native .*: there is a GPU table stash already$/);
});
