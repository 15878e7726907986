/** Plug-ins that end, outlive or upset the process that loads them: needs the built program, but no adapter. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hashbench, temporary } from "./testing.js";

function load(content: string) {
  const path = join(temporary(), "plugin.mjs");
  writeFileSync(path, content);
  return hashbench("verify", "--plugin", path, "--device", "nonsuch");
}

const good = 'export const tables = (h) => [{ ...h.describedTable("cuckoo"), id: "mine" }];';

test.each([
  ["while it is imported", "process.exit(0);"],
  ["from a callback", "setTimeout(() => process.exit(0), 10); await new Promise(() => {});"],
])("a module that ends the process %s looks like no success", async (_, content) => {
  const { code, lines } = await load(`${content}\n${good}`);
  expect(lines).toEqual([expect.stringMatching(/^hashbench: --plugin .*: it ended the process while it was loaded/)]);
  expect(code).toBe(2);
});

test.each([
  ["a promise that nobody waits for", 'Promise.reject(new Error("odd"));'],
  ["a callback", 'setTimeout(() => { throw new Error("odd"); }, 10);'],
])("an error in %s of the module is one line", async (_, content) => {
  const { code, lines } = await load(`${content}\nawait new Promise((done) => setTimeout(done, 200));\n${good}`);
  expect(lines).toEqual([expect.stringMatching(/^hashbench: --plugin .*plugin\.mjs: cannot be loaded: odd$/)]);
  expect(code).toBe(2);
});

test("a module with a timer that goes on does not keep the command alive", async () => {
  const { code, lines } = await load(`setInterval(() => {}, 1000);\n${good}`);
  expect(lines).toEqual([expect.stringMatching(/^hashbench: --device nonsuch: /)]);
  expect(code).toBe(2);
});
