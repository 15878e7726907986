/** merge, baseline and history as commands: what they print, and bad command lines. */
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { cell, result, runInfo } from "../results/testing.js";
import { openResults } from "../results/write.js";
import { main } from "./program.js";
import { noteOutput, stderr, stdout } from "./testing.js";

const folder = mkdtempSync(join(tmpdir(), "hashbench-regression-"));
const at = (...names: string[]): string => join(folder, ...names);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const { device, driver, toggles } = runInfo;

async function write(name: string, n: number, driver = runInfo.driver): Promise<void> {
  const configuration = { seed: 1, shard: { index: n, count: 3 }, device, driver, toggles };
  const writer = await openResults(at(name), configuration, { resume: false, force: false });
  const run = { ...runInfo, driver };
  await writer.writeEnvironment({ run: run.run, date: name });
  await writer.append(cell({ n }), result({ samples: [n] }), run);
  await writer.close();
}

beforeAll(async () => {
  await write("a", 1);
  await write("b", 2);
  await write("again", 1);
  await write("driver", 3, "other");
  cpSync(at("a"), at("parent", "a"), { recursive: true });
  mkdirSync(at("full"));
  writeFileSync(at("full", "notes.txt"), "mine");
  writeFileSync(at("file"), "");
  mkdirSync(at("bare"));
  mkdirSync(at("broken"));
  writeFileSync(at("broken", "gpu.csv"), "time,run\n1,2\n");
  vi.spyOn(console, "log").mockImplementation(() => {});
  await main(["baseline", "save", at("a"), "--store", at("store")]);
  await main(["history", "add", at("a"), "--store", at("trends")]);
});

noteOutput();

const store = ["--store", at("store")];
const trends = ["--store", at("trends")];
/** The command line, and what its one line has to contain. */
const bad: readonly (readonly [args: readonly string[], says: RegExp])[] = [
  [["merge", "--out", at("c")], /missing required argument 'results'/],
  [["merge", at("a")], /required option '-o, --out <folder>' not specified/],
  [["merge", at("none"), "--out", at("c")], /none: no such folder/],
  [["merge", at("bare"), "--out", at("c")], /bare: no results folder \(there is no run\.json/],
  [["merge", at("a"), at("b"), "--out", at("b")], /--out .*b is one of the inputs/],
  [["merge", at("a"), "--out", at("a", "c")], /--out .*c lies in the input .*a/],
  [["merge", at("parent", "a"), "--out", at("parent"), "--force"], /the input .*a lies in --out .*parent/],
  [["merge", at("a"), "--out", at("full")], /full is not empty; give --force/],
  [["merge", at("a"), "--out", at("file"), "--force"], /file is a file, not a folder/],
  [
    ["merge", at("a"), at("again"), "--out", at("c")],
    /a.gph.fig10\.csv and .*again.gph.fig10\.csv hold different results/,
  ],
  [["merge", at("a"), at("driver"), "--out", at("c")], /not measured alike \(driver: .*; --allow driver accepts that/],
  [
    ["merge", at("a"), "--out", at("c"), "--allow", "drivr"],
    /--allow drivr: one of device, driver, dawn, toggles, commit/,
  ],
  [["baseline", "sav"], /unknown command 'sav' \(did you mean save\?\)/],
  [["baseline", "save", at("none"), ...store], /none: no such folder/],
  [["baseline", "save", at("a"), ...store, "--name", "../x"], /baseline "\.\.\/x": a name of letters/],
  [["baseline", "save", at("a"), ...store, "--keep", "0"], /--keep 0: a whole number from 1/],
  [["baseline", "save", at("driver"), ...store], /differ in their environment \(driver .*--replace/],
  [["baseline", "show"], /missing required argument 'name'/],
  [["baseline", "show", "mian", ...store], /no baseline mian in .*; did you mean main\?/],
  [["baseline", "show", "main", ...store, "--of-device", "h200"], /no baseline main of a device h200/],
  [["history", "add", at("none"), ...trends], /none: no such folder/],
  [["history", "list", "--store", at("nowhere")], /no history in .*nowhere \(hashbench history add\)/],
  [["history", "page", ...trends, "--of-device", "h200"], /no history of a device h200 .*there are Example, 64 GB/],
  [["history", "page", ...trends, "--min-effect", "2"], /--min-effect 2: a number from 0 to 1/],
  [
    ["history", "page", ...trends, "--out", at("none", "x.html")],
    /--out .*x\.html cannot be written: the folder .*none does not exist/,
  ],
  [["history", "list", "--store", at("broken")], /gpu\.csv:1: column experiment is missing/],
];

test.each(bad.map(([args, says]) => ({ args, says, name: args.join(" ").replaceAll(`${folder}/`, "") })))(
  "hashbench $name",
  async ({ args, says }) => {
    expect(await main(args)).toBe(2);
    expect(stderr).toHaveLength(1);
    expect(stderr[0]).toMatch(says);
    expect(stderr[0]).toMatch(/^hashbench: /);
    expect(stdout).toEqual([]);
    expect(existsSync(at("c"))).toBe(false);
  },
);

test.each([
  "merge",
  "baseline",
  "baseline save",
  "baseline list",
  "baseline show",
  "history",
  "history add",
  "history list",
  "history page",
])("%s --help shows an example", async (command) => {
  expect(await main([...command.split(" "), "--help"])).toBe(0);
  expect(stdout.join("\n")).toMatch(new RegExp(`^Example: hashbench ${command}`, "m"));
});

test("merge --force replaces the results in a folder, and says what it wrote as JSON", async () => {
  const out = at("full");
  expect(await main(["merge", at("a"), "--out", out, "--force", "--partial"])).toBe(0);
  stdout.length = 0;
  expect(await main(["merge", at("b"), at("a"), "--out", out, "--force", "--partial", "--json"])).toBe(0);
  expect(JSON.parse(stdout.join("\n"))).toMatchObject({ out, cells: 2, runs: 2, experiments: 1, devices: [device] });
  expect(readdirSync(out).toSorted()).toEqual(["environment.json", "gph", "notes.txt", "run.json"]);
  const { configuration } = JSON.parse(readFileSync(join(out, "run.json"), "utf8")) as { configuration: object };
  expect(configuration).toEqual({ seed: 1, shard: null, device, driver, toggles });
});

test("merge of a sweep that lacks a shard is an answer no in one line that names it, and writes nothing", async () => {
  expect(await main(["merge", at("a"), at("b"), "--out", at("c")])).toBe(1);
  expect(stderr).toEqual(["hashbench: shard 3 of 3 is missing; --partial merges the others"]);
  expect(existsSync(at("c"))).toBe(false);
});

test("merge names the shards that did not come to their end", async () => {
  expect(await main(["merge", at("a"), at("b"), "--out", at("some"), "--partial"])).toBe(0);
  expect(stderr).toEqual(
    ["1/3", "2/3"].map((shard, i) =>
      expect.stringContaining(`shard ${shard} in ${at(["a", "b"][i] ?? "")}: its run was`),
    ),
  );
});

test("baseline list and show, for readers and machines", async () => {
  expect(await main(["baseline", "list", ...store, "--json"])).toBe(0);
  expect(JSON.parse(stdout.join("\n"))).toMatchObject([{ device, name: "main", cells: 1, commits: [runInfo.commit] }]);
  stdout.length = 0;
  expect(await main(["baseline", "show", "main", ...store])).toBe(0);
  expect(stdout.join("\n")).toMatch(/^gph\/fig10 bucketed find random n=1 .* 1 +123\.46/m);
});

test("history page writes one page", async () => {
  const out = at("trend.html");
  expect(await main(["history", "page", ...trends, "--out", out, "--json"])).toBe(0);
  expect(JSON.parse(stdout.join("\n"))).toEqual([{ device, file: out, changes: 0 }]);
  expect(readFileSync(out, "utf8").startsWith("<!DOCTYPE html>")).toBe(true);
});
