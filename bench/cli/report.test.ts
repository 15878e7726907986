import { cp, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { packageRoot } from "../paths.js";
import { main } from "./program.js";

const RESULTS = join(packageRoot, "results", "nvidia-h200");

let folder = "";
let said = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "hashbench-report-"));
  said = "";
  for (const stream of ["log", "error"] as const) {
    vi.spyOn(console, stream).mockImplementation((text) => {
      said += `${text}\n`;
    });
  }
});
afterEach(async () => {
  vi.restoreAllMocks();
  await rm(folder, { recursive: true });
});

test("a results folder becomes a page, a Markdown file and figures, and --json names them", async () => {
  // The whole folder is drawn by the browser tests.
  const results = join(folder, "nvidia-h200");
  for (const group of ["gph", "device"]) await cp(join(RESULTS, group), join(results, group), { recursive: true });
  const code = await main(["report", results, "--ids", "gph/fig10", "--out", join(folder, "out"), "--json"]);
  expect(code).toBe(0);
  expect(JSON.parse(said)).toMatchObject({ devices: [{ label: "nvidia-h200" }] });
  const files = await readdir(join(folder, "out"), { recursive: true });
  expect(files.toSorted()).toEqual(["gph", "gph/fig10.svg", "model.svg", "report.html", "report.md"]);
}, 120_000);

test.each([
  ["an empty folder", [], /no results in .*no \.csv file/],
  ["a CSV file of something else", ["x,y\n1,2\n"], /a\.csv:1: column run is missing/],
])("%s is one line and exit code 2", async (_, files, message) => {
  for (const content of files) await writeFile(join(folder, "a.csv"), content);
  expect(await main(["report", folder, "--out", join(folder, "out")])).toBe(2);
  expect(said.trim()).toMatch(message);
  expect(said.trim()).not.toContain("\n");
});

test("a folder that is named twice is refused, as its rows would count twice", async () => {
  expect(await main(["report", RESULTS, `${RESULTS}/`, "--out", folder])).toBe(2);
  expect(said).toContain("named twice");
});

test("plot draws what a group of experiments has rows of; one that has none is refused by its own id alone", async () => {
  const rows = join(RESULTS, "stadium", "table1.csv");
  const plot = (ids: string) => main(["plot", rows, "--ids", ids, "--formats", "svg", "--out", join(folder, "out")]);
  expect(await plot("stadium")).toBe(0);
  expect(await readdir(join(folder, "out"), { recursive: true })).toEqual(["stadium", "stadium/table1.svg"]);
  expect(await plot("stadium/full")).toBe(2);
  expect(said).toContain("no rows of stadium/full");
});
