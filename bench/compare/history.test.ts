import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { UsageError } from "../../kernels/device/errors.js";
import { trendPage } from "../../reports/report/trend.js";
import { csvText, header } from "../results/csv.js";
import { readResults } from "../results/read.js";
import type { CellResult, RunInfo } from "../results/record.js";
import { rowsOf } from "../results/rows.js";
import { cell, metric, result, runInfo, temporaryFolder } from "../results/testing.js";
import { addToHistory, changesOf, deviceHistory, readHistory } from "./history.js";

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
    await addToHistory(write(day, day < 13 ? 1 : 0.94, info), store);
  }
  return join(store, "example-64-gb.csv");
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

test("a run adds a line a cell and gated metric, and adds nothing when it is added again", async () => {
  const store = join(temporaryFolder(), "history");
  const from = write(1);
  expect(await addToHistory(from, store)).toMatchObject([{ device: runInfo.device, lines: 6 }]);
  const file = join(store, "example-64-gb.csv");
  const before = readFileSync(file, "utf8");
  expect(before.split("\n")[0]).toMatch(
    /^time,run,commit,dawn,driver,toggles,device,experiment,.*,metric,unit,value,lo,hi$/,
  );
  expect(
    readHistory(file)
      .map((line) => line.metric)
      .toSorted(),
  ).toEqual([...Array(3).fill("mops"), ...Array(3).fill("probes")]);
  expect(await addToHistory(from, store)).toMatchObject([{ lines: 0 }]);
  expect(readFileSync(file, "utf8")).toBe(before);
  await addToHistory(write(2), store);
  expect(readFileSync(file, "utf8").startsWith(before)).toBe(true);
  expect(readHistory(file)).toHaveLength(12);
});

test("what was read is what was in the rows", async () => {
  const store = temporaryFolder();
  const from = write(1, 1 / 3);
  await addToHistory(from, store);
  const rows = (await readResults(from)).filter((row) => row.metric === "mops" || row.metric === "probes");
  const lines = readHistory(join(store, "example-64-gb.csv"));
  for (const line of lines) expect(rows).toContainEqual(expect.objectContaining(line));
});

test("two machines' runs of one second are both added", async () => {
  const store = temporaryFolder();
  await addToHistory(write(1), store);
  const other = write(1, 1, {});
  const csv = join(other, "gph", "fig10.csv");
  writeFileSync(csv, readFileSync(csv, "utf8").replaceAll("03:04:05.000Z", "03:04:05.001Z"));
  expect(await addToHistory(other, store)).toMatchObject([{ lines: 6 }]);
});

test("a store among results is no result", async () => {
  const from = write(1);
  await addToHistory(from, join(from, "history"));
  expect(await readResults(from)).toHaveLength(12);
});

test("what is not ok is not added, and two devices of one file name are not mixed", async () => {
  const store = temporaryFolder();
  const failed = write(1, 1, {}, { status: "failed", reason: "lost key", metrics: [] });
  expect(await complaint(() => addToHistory(failed, store))).toMatch(/no cell that is ok/);
  await addToHistory(write(1), store);
  const other = write(2, 1, { device: "Example (64 GB)" });
  expect(await complaint(() => addToHistory(other, store))).toMatch(
    /is the history of Example, 64 GB, not of Example \(64/,
  );
});

test.each<[string, (text: string) => string, RegExp]>([
  ["another header", (text) => text.replace("run,", "ran,"), /gb\.csv:1: no history of a device/],
  ["a truncated line", (text) => text.slice(0, -30), /gb\.csv:7: \d+ fields/],
  ["text for a number", (text) => text.replace(/,1000,/, ",many,"), /gb\.csv:\d: column n is "many"/],
  ["no value", (text) => text.replace(/,1\.5,1\.4/, ",,1.4"), /gb\.csv:\d: value: /],
  ["a day for a time", (text) => text.replace("T03:04:05.000Z", ""), /gb\.csv:2: column time is "2026-01-01"/],
  ["an open quote", (text) => `${text}"a`, /gb\.csv:8: /],
])("%s is named by file and line", async (_, damage, says) => {
  const store = temporaryFolder();
  await addToHistory(write(1), store);
  const file = join(store, "example-64-gb.csv");
  writeFileSync(file, damage(readFileSync(file, "utf8")));
  expect(await complaint(() => readHistory(file))).toMatch(says);
  expect(await complaint(() => addToHistory(write(2), store))).toMatch(says);
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
    await addToHistory(write(day, day < 5 ? 1 : 0.5, { commit: evil, driver: evil + day }), store);
  const page = await trendPage(deviceHistory(join(store, "example-64-gb.csv"), 0.025));
  expect(page.match(/<\/script>/g)).toHaveLength(2);
  expect(page.slice(0, page.indexOf("<script>")).includes("<img")).toBe(false);
});
