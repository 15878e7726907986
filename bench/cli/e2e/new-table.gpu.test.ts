/** A table as its author begins it: written by new-table, verified, timed and drawn. */
import { spawnSync } from "node:child_process";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packageRoot } from "../../base/paths.js";
import { device, inShell, temporary } from "./testing.js";

const CELL = [
  "tables/load-factor",
  "--n",
  "2000",
  "--load-factor",
  "0.8",
  "--tables",
  "my-table",
  "--no-count",
  "--max-noise",
  "0.9",
];

/** Runs commands in a folder of their own. */
function inFolder() {
  const folder = temporary();
  return { folder, run: (...args: string[]) => inShell(`cd '${folder}' && "$@"`, ...args) };
}

/** A file with this in place of that. */
function edit(file: string, from: string, to: string) {
  const text = readFileSync(file, "utf8");
  expect(text).toContain(from);
  writeFileSync(file, text.replace(from, to));
}

test("new-table writes a table that is sound, and whose title legends show; a fault in it is found", async () => {
  const { folder, run } = inFolder();
  expect(await run("new-table", "my-table", "--title", "Mine (fast)")).toMatchObject({ code: 0, lines: [] });
  const again = await run("new-table", "my-table");
  expect([again.code, again.lines]).toEqual([2, ["hashbench: my-table exists already"]]);
  const plugin = ["--plugin", "my-table/my-table.mjs", "--device", device];
  const verified = await run("verify", "my-table", ...plugin, "--quick");
  expect(verified.stdout).toMatch(/1 variant, \d+ cases, 0 failed; [\d,]+ operations checked/);
  expect((await run("run", ...CELL, ...plugin, "--out", "mine")).code).toBe(0);
  expect(readFileSync(join(folder, "mine/figures/figures.html"), "utf8")).toContain("Mine (fast)");
  edit(join(folder, "my-table/find.wgsl"), "return pair.y;", "return pair.y + u32(key % 97u == 0u);");
  expect((await run("verify", "my-table", ...plugin, "--case", "many pairs at the usual")).code).toBe(1);
});

test("the types of a plug-in are those of the package", async () => {
  const { folder, run } = inFolder();
  expect((await run("new-table", "my-table")).code).toBe(0);
  const file = join(folder, "my-table/my-table.mjs");
  const wrong = join(folder, "my-table/wrong.mjs");
  copyFileSync(file, wrong);
  edit(wrong, "maxLoadFactor: 0.95", "maxLoadFactor: 'most'");
  edit(wrong, 'hash === "multiply"', 'hash === "multply"');
  const compilerOptions = {
    paths: { hashbench: [join(packageRoot, "dist/bench/plugins/index.d.ts")] },
    noEmit: true,
    allowJs: true,
    checkJs: true,
    strict: true,
    lib: ["es2023"],
    types: [],
    module: "nodenext",
    target: "es2023",
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: [file, wrong] }));
  const { stdout, status } = spawnSync(join(packageRoot, "node_modules/.bin/tsc"), ["-p", "."], {
    cwd: folder,
    encoding: "utf8",
  });
  const errors = stdout.split("\n").filter((line) => line.includes("error TS"));
  expect(errors).toEqual([
    expect.stringMatching(/^my-table\/wrong\.mjs\(\d+,\d+\): error TS2322: .*maxLoadFactor: string/),
    expect.stringMatching(/^my-table\/wrong\.mjs\(\d+,\d+\): error TS\d+: .* and '"multply"' have no overlap/),
  ]);
  expect(status).not.toBe(0);
});
