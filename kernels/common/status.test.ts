import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { STATUS_WORDS } from "../device/status.js";

const wgsl = readFileSync(new URL("status.wgsl", import.meta.url), "utf8");

test.each([
  ["Status", "atomic<u32>"],
  ["StatusWords", "u32"],
])("the members of %s, of %s, are the words that the host reads", (struct, type) => {
  const [, body = ""] = new RegExp(`struct ${struct} \\{([^}]*)\\}`).exec(wgsl) ?? [];
  expect(body.match(/[^\s].*/g)).toEqual(STATUS_WORDS.map((name) => `${name}: ${type},`));
});
