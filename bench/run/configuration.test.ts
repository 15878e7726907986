import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loadPlugins } from "../plugins.js";
import { configuration } from "./configuration.js";

const MODULE = `export const tables = (h) => [{ ...h.describedTable("double-hashing"), id: "ID" }];`;
const INFO = { device: "d", driver: "", toggles: "" };

/** A folder with a plug-in of one table and one kernel; the configuration of a run with that table. */
async function configured(id: string, kernel: string) {
  const folder = mkdtempSync(join(tmpdir(), "hashbench-"));
  try {
    writeFileSync(join(folder, `${id}.mjs`), MODULE.replace("ID", id));
    writeFileSync(join(folder, "find.wgsl"), kernel);
    await loadPlugins([join(folder, `${id}.mjs`)]);
    return configuration({ quick: true, seed: 1, tables: [id] }, [], INFO);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("a run's configuration has the version of a plug-in's code, and no other plug-in's", async () => {
  const first = await configured("versioned-a", "// one");
  const second = await configured("versioned-b", "// two");
  expect(first).toMatchObject({ plugins: { "versioned-a": expect.stringMatching(/^[0-9a-f]{16}$/) } });
  expect(Object.keys(second.plugins ?? {})).toEqual(["versioned-b"]);
});

test("an edit of a kernel beside the module is another version", async () => {
  const { versionOf } = await import("../plugins.js");
  const folder = mkdtempSync(join(tmpdir(), "hashbench-"));
  try {
    const file = join(folder, "mine.mjs");
    writeFileSync(file, MODULE);
    writeFileSync(join(folder, "find.wgsl"), "// one");
    const before = versionOf(file);
    expect(versionOf(file)).toBe(before);
    writeFileSync(join(folder, "find.wgsl"), "// two");
    expect(versionOf(file)).not.toBe(before);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
