import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { UsageError } from "../../kernels/device/errors.js";
import { trendPage } from "../../reports/report/trend.js";
import { csvText, header } from "../results/csv.js";
import { readResults } from "../results/read.js";
import type { CellResult, ResultRow, RunInfo } from "../results/record.js";
import { rowsOf } from "../results/rows.js";
import { cell, metric, result, runInfo, temporaryFolder } from "../results/testing.js";
import { addToHistory, changesOf, deviceHistory, historyFiles } from "./history.js";

const cells = [cell(), cell({ op: "insert", positiveRatio: null }), cell({ table: "cuckoo", n: 5000 })];

/** A results folder of one run, of that day of the year, whose rates are the factor times as high. */
function write(day: number, factor = 1, info: Partial<RunInfo> = {}, change: Partial<CellResult> = {}): string {
  const folder = temporaryFolder();
  const time = new Date(Date.UTC(2026, 0, day, 3, 4, 5));
  const run = { ...runInfo, run: time.toISOString().replace(/[-:]|\.\d+/g, ""), ...info };
  const rows = cells.flatMap((one, i) => {
    const rate = 100 * (i + 1) * factor * (1 + 0.002 * Math.sin(97 * day + i));
    const metrics = [metric("mops", rate), metric("time", 1 / rate), metric("probes", 1.5), metric("balance", day)];
    return rowsOf(one, result({ metrics, ...change }), run, time);
  });
  mkdirSync(join(folder, "gph"));
  writeFileSync(join(folder, "gph", "fig10.csv"), header() + csvText(rows));
  return folder;
}

/** A store whose device had 24 runs: 6 % slower from the 13th day on, another driver from the 7th. */
async function filled(): Promise<string> {
  const store = join(temporaryFolder(), "history");
  for (let day = 1; day <= 24; day++) {
    const info = { commit: `commit${day}`, driver: day < 7 ? "1.0" : "2.0" };
    addToHistory(write(day, day < 13 ? 1 : 0.94, info), store);
  }
  return join(store, "example-64-gb.history");
}

async function complaint(action: () => unknown): Promise<string> {
  try {
    await action();
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError);
    expect((error as Error).message).not.toContain("\n");
    return (error as Error).message;
  }
  return "";
}

const isKept = ({ metric }: ResultRow) => metric === "mops" || metric === "probes";

test("a run adds a row a cell and gated metric, and adds nothing when it is added again", async () => {
  const store = join(temporaryFolder(), "history");
  const from = write(1, 1 / 3);
  expect(addToHistory(from, store)).toMatchObject([{ file: join(store, "example-64-gb.history"), lines: 6 }]);
  const file = join(store, "example-64-gb.history");
  const before = await readResults(file);
  const wanted = (await readResults(from)).filter(isKept);
  expect(before).toHaveLength(wanted.length);
  expect(before).toEqual(expect.arrayContaining(wanted));
  expect(addToHistory(from, store)).toMatchObject([{ lines: 0 }]);
  expect(await readResults(file)).toEqual(before);
  addToHistory(write(2), store);
  const after = await readResults(file);
  expect(after).toEqual(expect.arrayContaining(before));
  expect(after).toHaveLength(12);
});

test("a file that was a history before is read, and becomes the folder where a run is added", async () => {
  const store = temporaryFolder();
  const columns = [
    ..."time run commit dawn driver toggles device experiment bench table variant op dataset n".split(" "),
    ..."load_factor positive_ratio seed params metric unit value lo hi".split(" "),
  ] as (keyof ResultRow)[];
  const rows = [...(await readResults(write(1))), ...(await readResults(write(2, 1, { commit: "later" })))];
  const old = join(store, "example-64-gb.csv");
  writeFileSync(old, header(columns) + csvText(rows.filter(isKept), columns));
  expect(historyFiles(store)).toEqual([old]);
  const before = deviceHistory(old, 0.025);
  expect(before).toMatchObject({ device: runInfo.device, runs: [{}, { commit: "later" }] });
  expect(addToHistory(write(1), store)).toMatchObject([{ lines: 0 }]);
  expect(addToHistory(write(3), store)).toMatchObject([{ lines: 6 }]);
  const [file = "", ...others] = historyFiles(store);
  expect(others).toEqual([]);
  const after = deviceHistory(file, 0.025);
  expect(after.runs.slice(0, 2)).toEqual(before.runs);
  expect(after.trends.map(({ points }) => points.slice(0, 2))).toEqual(before.trends.map(({ points }) => points));
});

test("runs of one id by two commits stay two runs, also where one is added again", () => {
  const store = temporaryFolder();
  const [one, other] = [write(1), write(1, 2, { commit: "other" })];
  for (const lines of [6, 0]) {
    expect(addToHistory(one, store)).toMatchObject([{ lines }]);
    expect(addToHistory(other, store)).toMatchObject([{ lines }]);
  }
  const commits = deviceHistory(join(store, "example-64-gb.history"), 0.025).runs.map(({ commit }) => commit);
  expect(commits.toSorted()).toEqual([runInfo.commit, "other"]);
});

test("two machines' runs of one second are both added", async () => {
  const store = temporaryFolder();
  addToHistory(write(1), store);
  const other = write(1, 1, {});
  const csv = join(other, "gph", "fig10.csv");
  writeFileSync(csv, readFileSync(csv, "utf8").replaceAll("03:04:05.000Z", "03:04:05.001Z"));
  expect(addToHistory(other, store)).toMatchObject([{ lines: 6 }]);
});

test("a store among results is no result", async () => {
  const from = write(1);
  addToHistory(from, join(from, "trend"));
  expect(await readResults(from)).toHaveLength(12);
});

test("what is not ok is not added, and two devices of one file name are not mixed", async () => {
  const store = temporaryFolder();
  const failed = write(1, 1, {}, { status: "failed", reason: "lost key", metrics: [] });
  expect(await complaint(() => addToHistory(failed, store))).toMatch(/no cell that is ok/);
  addToHistory(write(1), store);
  const other = write(2, 1, { device: "Example (64 GB)" });
  expect(await complaint(() => addToHistory(other, store))).toMatch(
    /is the history of Example, 64 GB, not of Example \(64/,
  );
});

test("a broken history is named by file and line, and not added to", async () => {
  const store = temporaryFolder();
  addToHistory(write(1), store);
  const file = join(store, "example-64-gb.history", "gph", "fig10.csv");
  const text = readFileSync(file, "utf8").replace(/,1000,/, ",many,");
  writeFileSync(file, text);
  const says = /fig10\.csv:2: column n is "many"/;
  expect(await complaint(() => deviceHistory(join(store, "example-64-gb.history"), 0.025))).toMatch(says);
  expect(await complaint(() => addToHistory(write(2), store))).toMatch(says);
  expect(readFileSync(file, "utf8")).toBe(text);
});

test("a change of all cells is found with the commits on its two sides", async () => {
  const file = await filled();
  const changes = changesOf(deviceHistory(file, 0.025));
  expect(changes).toHaveLength(3);
  for (const change of changes) {
    expect(change).toMatchObject({ metric: "mops", from: { commit: "commit12" }, to: { commit: "commit13" } });
    expect(change.change).toBeCloseTo(-0.06, 2);
  }
  expect(changesOf(deviceHistory(file, 0.1))).toEqual([]);
});

test("the page stands alone: table of changes, rules at the new driver, a figure with every run, no address", async () => {
  const history = deviceHistory(await filled(), 0.025);
  const page = await trendPage(history);
  expect(page.includes("commit12 → commit13"), "page").toBe(true);
  expect(page.includes("−6.0 %"), "page").toBe(true);
  expect(page.includes("driver 1.0 → 2.0"), "page").toBe(true);
  expect(page.includes("default-src 'none'"), "page").toBe(true);
  expect(page.includes("@media (prefers-color-scheme:dark)"), "page").toBe(true);
  expect(page.match(/<figure id=/g)).toHaveLength(1);
  expect(/(?:src|href)="?https?:/.test(page)).toBe(false);
  expect((await trendPage(history)) === page).toBe(true);
});

test("texts from results cannot become markup or end the script", async () => {
  const store = temporaryFolder();
  const evil = "</script><img src=x>";
  for (let day = 1; day <= 8; day++)
    addToHistory(write(day, day < 5 ? 1 : 0.5, { commit: evil, driver: evil + day }), store);
  const page = await trendPage(deviceHistory(join(store, "example-64-gb.history"), 0.025));
  expect(page.match(/<\/script>/g)).toHaveLength(2);
  expect(page.slice(0, page.indexOf("<script>")).includes("<img")).toBe(false);
});
