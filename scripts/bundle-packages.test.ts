import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { isRuntimeFile, productionPackages } from "./bundle-packages.js";

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "hashbench-bundle-"));
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

/** Writes package.json files: folder (from the root) to the names it depends on. */
function install(packages: Readonly<Record<string, readonly string[]>>, optional: readonly string[] = []): void {
  for (const [folder, names] of Object.entries(packages)) {
    const file = join(root, folder, "package.json");
    const dependencies = Object.fromEntries(names.filter((n) => !optional.includes(n)).map((n) => [n, "1"]));
    const optionalDependencies = Object.fromEntries(names.filter((n) => optional.includes(n)).map((n) => [n, "1"]));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify({ dependencies, optionalDependencies }));
  }
}

function packages(swiftshader = false): string[] {
  return productionPackages(root, { swiftshader }).map((folder) => relative(join(root, "node_modules"), folder));
}

test("packages are found through their dependants; what nothing needs stays behind", () => {
  install({ "": ["a"], "node_modules/a": ["@s/b"], "node_modules/@s/b": ["a"], "node_modules/vitest": [] });
  expect(packages()).toEqual(["@s/b", "a"]);
});

test("a package nested in its dependant travels with it", () => {
  install({ "": ["a"], "node_modules/a": ["b"], "node_modules/a/node_modules/b": ["c"], "node_modules/c": [] });
  expect(packages()).toEqual(["a", "c"]);
  rmSync(join(root, "node_modules", "c"), { recursive: true });
  install({ "node_modules/a/node_modules/c": [] });
  expect(packages()).toEqual(["a"]);
});

test("an optional package that is not installed is no error, a needed one is", () => {
  install({ "": ["a", "gone"], "node_modules/a": [] }, ["gone"]);
  expect(packages()).toEqual(["a"]);
  install({ "": ["a", "gone"] });
  expect(() => packages()).toThrow("gone is not installed; run npm ci first");
});

test("the software driver comes only when asked for, and without the browser's own dependencies", () => {
  install({ "": ["@sparticuz/chromium"], "node_modules/@sparticuz/chromium": ["x"], "node_modules/x": [] });
  expect(packages()).toEqual([]);
  expect(packages(true)).toEqual(["@sparticuz/chromium"]);
});

test.each([
  ["node_modules/webgpu/dist/linux-x64/dawn.node", true],
  ["node_modules/webgpu/dist/win32-x64", false],
  ["node_modules/webgpu/LICENSE.md", true],
  ["node_modules/webgpu/README.md", false],
  ["node_modules/zod/index.d.cts", false],
  ["node_modules/zod/index.cjs", true],
  ["node_modules/zod/index.js.map", false],
  ["node_modules/@resvg/resvg-js-linux-x64-gnu", true],
  ["node_modules/@resvg/resvg-js-linux-x64-musl", false],
  ["node_modules/@sparticuz/chromium/bin/chromium.br", false],
  ["node_modules/@sparticuz/chromium/bin/swiftshader.tar.br", true],
])("%s: needed at run time: %s", (path, needed) => {
  expect(isRuntimeFile(path)).toBe(needed);
});
