import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { row } from "../../bench/results/testing.js";
import { UsageError } from "../../kernels/device/errors.js";
import { FORMATS } from "../figures/formats.js";
import { experiment, failedRow, threeRows } from "../figures/testing.js";
import { plotFolders } from "./plot.js";

const experiments = [experiment(), experiment({ id: "slab/a" }), experiment({ id: "slab/b" })];
const read = async () => [...threeRows(), failedRow({ seed: 2 }), row({ experiment: "slab/b" })];
let out = "";

beforeEach(async () => {
  out = await mkdtemp(join(tmpdir(), "hashbench-plot-"));
});
afterEach(async () => {
  await rm(out, { recursive: true });
});

test("every experiment with rows becomes a file in its paper's folder, and all together one page", async () => {
  const files = await plotFolders({ from: ["results"], out, formats: FORMATS }, read, experiments);
  expect(files.map((f) => f.file.slice(out.length + 1))).toEqual([
    "gph/test.svg",
    "gph/test.png",
    "slab/b.svg",
    "slab/b.png",
    "figures.html",
  ]);
  expect(files[0]?.figures).toEqual([{ id: "gph/test", points: 3, missing: 1 }]);
  const page = await readFile(join(out, "figures.html"), "utf8");
  expect(page).toContain('data-experiment="gph/test"');
  expect(page).toContain('data-experiment="slab/b"');
  expect(page).not.toContain('id="scorecard"');
});

test("a figure of others' rows is drawn wherever these are, and of the kinds of series that it declares", async () => {
  const drawn = experiment({ id: "gph/drawn", from: ["gph/test"] });
  const plot = (rows: readonly ReturnType<typeof row>[]) =>
    plotFolders({ from: ["results"], out, formats: ["svg"], ids: ["gph/drawn"] }, async () => rows, [
      ...experiments,
      drawn,
    ]);
  const [file] = await plot([...threeRows(), row({ experiment: "slab/b" }), row({ bench: "cpu", table: "js-map" })]);
  expect(file?.figures).toEqual([{ id: "gph/drawn", points: 3, missing: 0 }]);
  expect(await readFile(join(out, "gph/drawn.svg"), "utf8")).toContain("drawn from the rows of gph/test");
  await expect(plot([row({ experiment: "slab/b" })])).rejects.toThrow(UsageError);
  // Rows that are older than the metric that it draws.
  await expect(plot([row({ metric: "time" }), failedRow()])).rejects.toThrow(UsageError);
});

test("ids choose, also by their beginning, and only the formats asked for are written", async () => {
  await plotFolders({ from: ["results"], out, formats: ["svg"], ids: ["slab"] }, read, experiments);
  expect(await readdir(out, { recursive: true })).toEqual(["slab", "slab/b.svg"]);
});

test("an id without rows is the user's mistake, and the message says what there is", async () => {
  const plot = plotFolders({ from: ["results"], out, formats: ["svg"], ids: ["slab/a"] }, read, experiments);
  await expect(plot).rejects.toThrow(new UsageError("results: no rows of slab/a; there are gph/test, slab/b"));
});

test("one of several folders that has nothing of what is drawn is the user's mistake", async () => {
  const rows = (folder: string) => Promise.resolve(folder === "b" ? [row({ experiment: "slab/b" })] : threeRows());
  const plot = plotFolders({ from: ["a", "b"], out, formats: ["svg"], ids: ["gph/test"] }, rows, experiments);
  await expect(plot).rejects.toThrow(new UsageError("b: no rows of gph/test"));
});

test("a folder without rows is the user's mistake", async () => {
  const plot = plotFolders({ from: ["results"], out, formats: ["svg"] }, async () => [], experiments);
  await expect(plot).rejects.toThrow(UsageError);
});
