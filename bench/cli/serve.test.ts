import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import { packageRoot } from "../base/paths.js";
import { RESULTS } from "../page/site.js";
import { loadPlugins } from "../plugins/plugins.js";
import { exportSite } from "./serve.js";

const folder = mkdtempSync(join(tmpdir(), "hashbench-serve-"));
afterAll(() => rmSync(folder, { recursive: true }));
const results = join(folder, "results");
const small = join("nvidia-h200", "stadium");
cpSync(join(RESULTS, small), join(results, small), { recursive: true });
for (const file of ["run.json", "environment.json"])
  cpSync(join(RESULTS, "nvidia-h200", file), join(results, "nvidia-h200", file));
const docs = join(folder, "docs");
mkdirSync(docs);
writeFileSync(join(docs, "index.html"), "the documentation");

const index = (out: string) => JSON.parse(readFileSync(join(out, "published", "index.json"), "utf8")) as unknown;

test("one folder has the page, published rows, their report, and the documentation", async () => {
  const out = join(folder, "site");
  expect(await exportSite(out, { results, docs })).toBe(join(out, "index.html"));
  expect(readFileSync(join(out, "index.html"), "utf8")).toContain("GPU hash tables in this browser");
  expect(index(out)).toMatchObject({
    devices: { "nvidia-h200": expect.arrayContaining(["stadium/table1"]) },
    report: "report/report.html",
    docs: "docs/index.html",
  });
  expect(readFileSync(join(out, "docs", "index.html"), "utf8")).toBe("the documentation");
  expect(readFileSync(join(out, "report", "report.html"), "utf8")).toContain("<title>hashbench: nvidia-h200</title>");
});

test("without results or documentation the page names neither, and the missing one is told", async () => {
  const said = vi.spyOn(console, "error").mockImplementation(() => undefined);
  const out = join(folder, "bare");
  await exportSite(out, { results: join(folder, "none"), docs: join(folder, "none") });
  expect(index(out)).toEqual({ devices: {}, report: "", docs: "" });
  expect(existsSync(join(out, "docs"))).toBe(false);
  expect(said.mock.calls.join()).toContain("npm run docs");
  said.mockRestore();
});

test("a plug-in goes with the page: its modules and its kernels, but no packages below it", async () => {
  const own = join(folder, "own");
  cpSync(join(packageRoot, "bench", "cli", "e2e", "fixtures", "outside"), own, { recursive: true });
  mkdirSync(join(own, "node_modules"));
  writeFileSync(join(own, "node_modules", "other.js"), "");
  writeFileSync(join(own, "odd.wgsl"), "// a kernel");
  await loadPlugins([join(own, "outside.mjs")]);
  const out = join(folder, "with-plugin");
  const said = vi.spyOn(console, "error").mockImplementation(() => undefined);
  await exportSite(out, { results: join(folder, "none"), docs: join(folder, "none") });
  said.mockRestore();
  expect(index(out)).toMatchObject({ plugins: ["plugin/outside/outside.mjs"] });
  const files = join(out, "plugin", "outside");
  expect(readdirSync(files).sort()).toEqual(["kernels.json", "outside.mjs"]);
  expect(JSON.parse(readFileSync(join(files, "kernels.json"), "utf8"))).toEqual({
    "plugin/outside/odd.wgsl": "// a kernel",
  });
});
