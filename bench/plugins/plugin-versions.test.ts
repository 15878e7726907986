import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { systemOf } from "../native/systems.js";
import { temporaryFolder } from "../results/testing.js";
import { configuration } from "../run/configuration.js";
import type { Planned } from "../run/plan.js";
import { loadTables } from "../run/tables.js";
import { versionOf } from "./plugin-versions.js";

const HASH = /^[0-9a-f]{16}$/;
const table = (id: string) =>
  `export const tables = (h) => [{ ...h.describedTable("double-hashing"), id: "${id}", title: "Mine" }];`;

function write(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
}

test("rows of a plug-in's table, and the configuration of a run with it, have the version of its code", async () => {
  const folder = temporaryFolder();
  write(folder, { "mine.mjs": table("versioned-a"), "other.mjs": table("versioned-b") });
  const [first = "", second = ""] = ["mine.mjs", "other.mjs"].map((name) => join(folder, name));
  const tables = await loadTables({ plugin: [first], native: [] });
  await loadTables({ plugin: [second], native: [] });
  const { api, system } = systemOf({ bench: "table", table: "versioned-a" });
  expect([api, system]).toEqual(["webgpu", { title: "Mine", plugin: expect.stringMatching(HASH) }]);
  const uses = { experiment: { series: [{ table: "versioned-a" }] }, scale: 1, cells: [] } as unknown as Planned;
  const asked = configuration({ quick: true, seed: 1, ...tables }, [uses], { device: "d", driver: "", toggles: "" });
  expect(asked).toMatchObject({ plugins: { mine: system.plugin } });
  expect(asked).not.toHaveProperty("native");
});

test("the version is of the module, what it imports from files, and the kernels in its folder", () => {
  const folder = temporaryFolder();
  for (const name of ["mine", "mine/deep", "mine/node_modules", "beside"]) mkdirSync(join(folder, name));
  const file = join(folder, "mine", "mine.mjs");
  const files = {
    "mine/mine.mjs": 'import { a } from "../beside/a.mjs";\nexport * from "./list.mjs";\nimport "some-package";',
    "mine/list.mjs": "export const tables = [];",
    "beside/a.mjs": 'const more = await import("./b.mjs");\nimport("./a.mjs");',
    "beside/b.mjs": "",
    "mine/find.wgsl": "",
    "mine/deep/layout.wesl": "",
    "mine/mine.test.mjs": "",
    "mine/node_modules/some.wgsl": "",
  };
  write(folder, files);
  const before = versionOf(file);
  expect(before).toMatch(HASH);
  const changing = Object.entries(files).filter(([name, text]) => {
    write(folder, { [name]: `${text}\n// edited` });
    const after = versionOf(file);
    write(folder, { [name]: text });
    return after !== before;
  });
  expect(versionOf(file)).toBe(before);
  expect(changing.map(([name]) => name)).toEqual(Object.keys(files).slice(0, 6));
});
