import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { packageRoot } from "../bench/base/paths.js";

const root = mkdtempSync(join(tmpdir(), "hashbench-prepare-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

function write(name: string, content = ""): void {
  mkdirSync(dirname(join(root, name)), { recursive: true });
  writeFileSync(join(root, name), content);
}

/** A compiler that writes what the steps after it import, and a mark that it ran. */
const compiler = `
const { mkdirSync, writeFileSync } = require("node:fs");
for (const name of ["write-wgsl", "write-types", "write-package"]) {
  mkdirSync("dist/scripts", { recursive: true });
  writeFileSync("dist/scripts/" + name + ".js", "");
}
writeFileSync("dist/scripts/page.js", 'require("node:fs").cpSync("bench/page.js", "dist/page/main.js")');
writeFileSync("compiled", "");
`;
for (const folder of ["bench", "datasets", "kernels", "reports"]) write(`${folder}/page.js`);
for (const file of ["package.json", "tsconfig.build.json", "scripts/buffer-memory.mjs"]) write(file, "{}");
write("node_modules/typescript/bin/tsc", compiler);
copyFileSync(join(packageRoot, "scripts", "prepare.mjs"), join(root, "scripts", "prepare.mjs"));

/** Whether it compiled. */
function prepare(): boolean {
  rmSync(join(root, "compiled"), { force: true });
  const { status, stderr } = spawnSync(process.execPath, ["scripts/prepare.mjs"], { cwd: root, encoding: "utf8" });
  expect([status, stderr]).toEqual([0, ""]);
  return existsSync(join(root, "compiled"));
}

test("a checkout is built once, and again after a change of its sources", () => {
  expect(prepare()).toBe(true);
  expect(prepare()).toBe(false);
  const later = new Date(Date.now() + 5000);
  utimesSync(join(root, "kernels", "page.js"), later, later);
  expect(prepare()).toBe(true);
});
