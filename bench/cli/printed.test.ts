import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { printText } from "../base/document.js";
import { packageRoot } from "../base/paths.js";
import { TOUR } from "../claims/papers.js";
import { claims, experiments } from "../experiments/index.js";
import { scorecard } from "../experiments/scorecard.js";
import { readResults } from "../results/read.js";
import { allBlocks, exportBlocks, type Measured, tourText } from "./printed.js";

const folder = mkdtempSync(join(tmpdir(), "hashbench-printed-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The tour's experiments, with the rows that are kept of one device: more than a tour measures. */
async function kept(software: boolean): Promise<Measured> {
  const files = TOUR.map((id) => join(packageRoot, "results", "nvidia-h200", `${id}.csv`)).filter(existsSync);
  const rows = (await Promise.all(files.map(readResults))).flat();
  const own = experiments.filter(({ id }) => TOUR.includes(id));
  const scores = scorecard(
    claims.filter(({ experiment }) => TOUR.includes(experiment)),
    rows,
  );
  return { experiments: own, rows, scores, software };
}

test.each([80, 120])(
  "the tour's tables and sentences take 50 lines of %i columns, of 60 that it has",
  async (width) => {
    for (const software of [false, true]) {
      const text = tourText(await kept(software), width);
      for (const id of TOUR) expect(text).toMatch(new RegExp(`^${id}: `, "m"));
      expect(text.match(/^Of the paper's (\d+ claims|claim) on it: \d/gm)?.length).toBe(TOUR.length - 1);
      const lines = text.split("\n");
      expect(lines.length).toBeLessThanOrEqual(50);
      expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(width);
    }
  },
);

test("on a software adapter counters come before rates, which say whose they are", async () => {
  const text = printText(allBlocks(await kept(true)));
  const counted = text.indexOf("gph/fig10: ");
  expect(text.slice(counted)).toMatch(/^gph\/fig10: .*\nCounted per operation/);
  expect(text).toMatch(/^Lookup throughput of this CPU, no GPU's/m);
});

test("tables are exported whole, as Markdown and as CSV", async () => {
  const [exportMarkdown, exportCsv] = [join(folder, "tables.md"), join(folder, "tables.csv")];
  exportBlocks(allBlocks(await kept(false)), { exportMarkdown, exportCsv });
  expect(readFileSync(exportMarkdown, "utf8")).toMatch(/^\| Positive lookups \(%\) \|/m);
  const lines = readFileSync(exportCsv, "utf8").split("\n");
  expect(lines.some((line) => /^Positive lookups \(%\),/.test(line))).toBe(true);
});
