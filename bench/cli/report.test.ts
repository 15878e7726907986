import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { packageRoot } from "../base/paths.js";
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

test.each([
  [[], ["report.html"]],
  [
    ["--formats", "html,markdown"],
    ["gph", "gph.md", "gph/fig10.svg", "model.svg", "report.html", "report.md"],
  ],
])(
  "a results folder becomes a page, with Markdown and figures on demand, and --json names them",
  async (options, expected) => {
    const rows = join(RESULTS, "gph", "fig10.csv");
    const out = join(folder, "out");
    expect(
      await main(["report", rows, join(RESULTS, "device"), "--ids", "gph/fig10", ...options, "--out", out, "--json"]),
    ).toBe(0);
    expect(JSON.parse(said)).toMatchObject({ devices: [{ label: "nvidia-h200" }] });
    expect((await readdir(out, { recursive: true })).toSorted()).toEqual(expected);
  },
  120_000,
);

test("an unknown format of a report is one line and exit code 2", async () => {
  expect(await main(["report", RESULTS, "--formats", "pdf", "--out", folder])).toBe(2);
  expect(said).toMatch(/--formats.*pdf.*html, markdown/);
});

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
