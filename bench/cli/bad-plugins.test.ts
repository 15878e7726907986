/** Invalid plug-ins: one line on stderr, exit code 2, and what would be right. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ownTables } from "../../kernels/index.js";
import { messageOf } from "../base/errors.js";
import { tableProblem } from "../plugins/plugin-table.js";
import { loadPlugins } from "../plugins/plugins.js";
import { expectRefused, noteOutput, testFolder } from "./testing.js";

const { folder, file } = testFolder();
noteOutput();

/** A module whose table is cuckoo's under another id, but for these members of its description or of its traits. */
function tableWith(members: string): string {
  return `export function tables(hashbench) {
    const cuckoo = hashbench.describedTable("cuckoo");
    const configure = (params) => ({ ...cuckoo.configure(params), ${members} });
    return [{ ...cuckoo, id: "mine", configure, ${members} }];
  }`;
}

const tables: readonly (readonly [fields: string, says: RegExp])[] = [
  ['id: ""', /id is ''; lower-case letters, digits and dashes, such as my-table is wanted/],
  ['id: "My Table"', /id is 'My Table'; lower-case letters/],
  ["id: 5", /a table: id is 5; lower-case letters/],
  ['id: "stash"', /there is a GPU table stash already; give the table another id/],
  ['id: "js-map"', /there is a CPU table js-map already/],
  ['id: "read32"', /there is an access pattern read32 already/],
  ['id: "update8"', /there is an access pattern update8 already/],
  ['title: ""', /title is ''; one line of text is wanted/],
  ['title: "red \\u001b[31m"', /title is .*; one line of text is wanted/],
  [
    "ops: null",
    /ops is null; a list of some of insert, find, erase, mixed, upsert, export, insert and find among them/,
  ],
  ["ops: []", /ops is \[\]; a list/],
  ['ops: ["insert", "find", "frob"]', /ops is \[ 'insert', 'find', 'frob' \]; a list/],
  ['ops: ["insert", "find", "find"]', /ops is .*; a list/],
  ['ops: ["erase"]', /ops is .*insert and find among them/],
  ["ops: undefined", /table 'mine' has no ops: a list/],
  ["maxLoadFactor: NaN", /maxLoadFactor is NaN; a number above 0 to 1 is wanted/],
  ["maxLoadFactor: 1.5", /maxLoadFactor is 1\.5; a number above 0 to 1/],
  ['maxLoadFactor: "0.5"', /maxLoadFactor is '0\.5'; a number above 0 to 1/],
  ['duplicates: "yes"', /duplicates is 'yes'; true or false is wanted/],
  ["incremental: undefined", /has no incremental: true or false is wanted/],
  ["sizing: { dense: 1 }", /dense is 1; true or false is wanted/],
  ["dense: true", /dense belongs to sizing: \{ dense \}/],
  ["mixedParams: { a: null }", /mixedParams is \{ a: null \}; an object of numbers/],
  ["parameters: []", /parameters is \[\]; what declare\(\{ … \}\) gives, .* is wanted/],
  [
    "parameters: hashbench.declare({ x: {} })",
    /parameters is .*; what declare\(\{ … \}\) gives, of values that have default and meaning/,
  ],
  [
    "parameters: { ...cuckoo.parameters, list: [...cuckoo.parameters.list, ...cuckoo.parameters.list] }",
    /what declare/,
  ],
  ['answers: "key"', /answers is 'key'; one of member, id, range is wanted/],
  ["create: undefined", /has no create: a function is wanted/],
  [
    'access: () => ({ pattern: "lookup9", why: "x" })',
    /the pattern 'lookup9', which device\/limits has not; did you mean lookup/,
  ],
  ["access: () => undefined", /access\("insert"\) is undefined; \{pattern, why\} is wanted/],
  ['access: () => ({ pattern: "cas", why: "x", times: 0 })', /has times 0; a number above 0 is wanted/],
  ["access: () => { throw null; }", /table 1 of its list cannot be looked at: null/],
  [
    'parameters: hashbench.declare({ x: hashbench.integer(2, 1, { meaning: "y", default: 1 }) })',
    /parameters is .*; what declare/,
  ],
  ['conflict: () => "odd"', /conflict of its defaults is 'odd'; "" is wanted/],
  ["reuseSlots: true", /no field is called reuseSlots; did you mean reusesSlots\?/],
  ["safeLoadFactor: 2", /safeLoadFactor is 2; a number above 0 to 1 is wanted/],
  ["configure: () => null", /configure of its defaults is null; an object is wanted/],
  ["bytes: () => NaN", /bytes\(1024, .*\) is NaN; a number above 0 is wanted/],
  ['get title() { throw new Error("no\\nluck"); }', /table 1 of its list cannot be looked at: no luck/],
];

test.each(ownTables)("$id would do as a table of a plug-in", (table) => {
  expect(tableProblem({ ...table.description, id: "mine" })).toBeUndefined();
});

let modules = 0;

/** The path of a new module: Node keeps modules by their path. */
function module(content: string): string {
  modules += 1;
  return file(`module${modules}.mjs`, content);
}

test.each(tables)("a table with %s is refused", async (fields, says) => {
  await expectRefused(["list", "tables", "--plugin", module(tableWith(fields))], says);
});

test.each([
  [
    "nothing of that name",
    "export const other = [];",
    /exports none of tables, datasets, counters, experiments, claims: lists, or functions that give them/,
  ],
  ["an empty list", "export const tables = [];", /exports no "tables"/],
  ["null as a table", "export const tables = [null];", /null is no table/],
  ["a text as a table", 'export const tables = ["cuckoo"];', /'cuckoo' is no table/],
  [
    "two tables of one id",
    'export const tables = (h) => [1, 2].map(() => ({ ...h.describedTable("cuckoo"), id: "mine" }));',
    /it has two tables mine/,
  ],
  ["a syntax error", "export const tables = [;", /cannot be loaded: /],
  ["an error", 'export function tables() { throw new Error("no\\nluck"); }', /cannot be loaded: no luck/],
  ["null thrown", "throw null;", /cannot be loaded: null/],
  ["a symbol thrown", 'throw Symbol("odd");', /cannot be loaded: Symbol\(odd\)/],
  ["what has no text thrown", "throw Object.create(null);", /cannot be loaded: something without a text was thrown/],
  ["a list that throws", 'export const tables = new Proxy([], { get() { throw new Error("no"); } });', /: no$/],
  ["a table that throws", 'export const tables = [new Proxy({}, { get() { throw new Error("no"); } })];', /: no$/],
  // By a command without workers, as in plugin-exports.test.ts.
])("a module with %s is refused", (_, content, says) =>
  expectRefused(["list", "tables", "--plugin", module(content)], says),
);

test.each([
  ["import", "await new Promise(() => {}); export const tables = [];"],
  ["function `tables`", "export const tables = () => new Promise(() => {});"],
])("a module whose %s never ends is given up after the time for it", async (_, content) => {
  const path = module(content);
  await expect(loadPlugins([path], { limitMs: 200 })).rejects.toThrow(
    /module\d+\.mjs: it is not loaded after 0\.2 s; does its import/,
  );
});

test("two modules of one name, whose kernels would be mixed up, are refused", async () => {
  const good = 'export const tables = (h) => [{ ...h.describedTable("cuckoo"), id: "first" }];';
  mkdirSync(join(folder, "a"));
  const paths = [file("same.mjs", good), file("a/same.mjs", good.replace("first", "second"))];
  await expectRefused(
    ["verify", "--device", "nonsuch", ...paths.flatMap((path) => ["--plugin", path])],
    /there is a plug-in same already/,
  );
});

test("whatever is thrown has a message", () => {
  expect([new Error("a"), new Error(""), "b", undefined].map(messageOf)).toEqual(["a", "Error", "b", "undefined"]);
});
