import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { TOGGLES_OF, toggleNames } from "./dawn-toggles.js";

const require = createRequire(import.meta.url);
const description = require.resolve("webgpu/package.json");

/** Dawn as it is installed for this platform. */
function library(): Buffer {
  const dist = join(dirname(description), "dist");
  const folder = readdirSync(dist).find((name) => name === `${process.platform}-${process.arch}`) ?? "darwin-universal";
  return readFileSync(join(dist, folder, "dawn.node"));
}

test("the list is that of the installed package", () => {
  expect((require(description) as { version: string }).version).toBe(TOGGLES_OF);
});

test("Dawn knows each of them by its name, and none twice", () => {
  const dawn = library();
  expect(toggleNames().filter((name) => !dawn.includes(`\0${name}\0`))).toEqual([]);
  expect(new Set(toggleNames()).size).toBe(toggleNames().length);
  expect(toggleNames()).toEqual(
    expect.arrayContaining(["allow_unsafe_apis", "disable_robustness", "timestamp_quantization"]),
  );
});
