import { join, relative, sep } from "node:path";
import { expect, test } from "vitest";
import { packageRoot } from "../bench/base/paths.js";
import { bundlePage, EDGES } from "./page.js";

test("the page runs the code of the command, but for its edge, and nothing of Node", async () => {
  const chunks = await bundlePage();
  expect(chunks.filter(({ isEntry }) => isEntry).map(({ fileName }) => fileName)).toEqual(["main.js", "worker.js"]);
  const modules = chunks.flatMap(({ moduleIds }) =>
    moduleIds.map((id) => relative(packageRoot, id).split(sep).join("/")),
  );
  const shared = ["bench/run/cells.ts", "bench/run/pool.ts", "bench/measure/sampler.ts", "bench/results/csv.ts"];
  for (const one of [...shared, "kernels/gph/gph.ts", "bench/experiments/gph/fig10.ts", "reports/figures/figure.ts"])
    expect(modules).toContain(one);
  for (const [ofNode, ofBrowsers] of Object.entries(EDGES)) {
    expect(modules).not.toContain(ofNode);
    expect(modules).toContain(ofBrowsers);
  }
  expect(modules.filter((id) => id.includes("node:") || id.startsWith("bench/cli/"))).toEqual([]);
});

test("what draws figures is loaded when there is one to draw", async () => {
  const chunks = await bundlePage();
  const atOnce = new Set<string>();
  const visit = (name: string): void => {
    if (atOnce.has(name)) return;
    atOnce.add(name);
    for (const other of chunks.find(({ fileName }) => fileName === name)?.imports ?? []) visit(other);
  };
  for (const entry of ["main.js", "worker.js"]) visit(entry);
  const drawing = chunks.filter(({ moduleIds }) => moduleIds.some((id) => /node_modules.vega/.test(id)));
  expect(drawing.length).toBeGreaterThan(0);
  for (const { fileName } of drawing) expect(atOnce).not.toContain(fileName);
  const bytes = chunks.filter(({ fileName }) => atOnce.has(fileName)).map(({ code }) => Buffer.byteLength(code));
  expect(bytes.reduce((sum, one) => sum + one, 0)).toBeLessThan(1_800_000);
});

test("a module that only Node can load is named with what it imports", async () => {
  const input = { sources: join(packageRoot, "bench", "device", "sources.ts") };
  await expect(bundlePage(input)).rejects.toThrow("bench/device/sources.ts imports node:fs, which no browser has");
});
