/** Output that cannot be written: needs the built program, and Linux's /dev/full, but no adapter. */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { cell, result, runInfo } from "../../results/testing.js";
import { openResults } from "../../results/write.js";
import { hashbench, inShell, temporary } from "./testing.js";

const full = existsSync("/dev/full");
const folder = temporary();
const results = join(folder, "results");

beforeAll(async () => {
  const { device, driver, toggles } = runInfo;
  const writer = await openResults(results, { device, driver, toggles }, { resume: false, force: false });
  await writer.append(cell(), result(), runInfo);
  await writer.close();
});

/** Commands that print: in commander, in one piece, piece by piece, beside a file, and with an exit code of their own. */
const printing: Readonly<Record<string, () => string[]>> = {
  "--help": () => ["--help"],
  list: () => ["list", "tables"],
  data: () => ["data", "random", "--n", "10"],
  compare: () => ["compare", results, results, "--gate", "counters"],
  "report --json": () => ["report", results, "--out", join(folder, "report"), "--json"],
};

test.runIf(full).each(Object.entries(printing))("%s to a full device is no success", async (_, args) => {
  const { code, lines } = await inShell('"$@" > /dev/full', ...args());
  expect(lines.filter((line) => line.startsWith("hashbench: "))).toEqual([
    "hashbench: standard output cannot be written: no space left on the device",
  ]);
  expect(code).toBe(4);
});

test("a process that may open too few files says so, in one line", async () => {
  const { code, lines } = await inShell('ulimit -n 40; "$@"', "list", "tables");
  expect(lines).toEqual(["hashbench: this process may not open enough files; raise its limit (ulimit -n 1024)"]);
  expect(code).toBe(2);
});

test.runIf(full)("a message that cannot be written makes a success one no longer, and stops nothing", async () => {
  const out = join(folder, "keys.csv");
  expect((await inShell('"$@" 2> /dev/full', "data", "random", "--n", "2", "--out", out)).code).toBe(4);
  expect(readFileSync(out, "utf8").split("\n")).toHaveLength(4);
  expect((await inShell('"$@" 2> /dev/full', "lst")).code).toBe(2);
});

// A limit on the size of files takes a part of a write, as a disk does that becomes full.
const LIMITED = 'ulimit -f 8; "$@"';

test("a file that takes a part of the output is no success", async () => {
  const out = join(folder, "part.csv");
  const { code, lines } = await inShell(`${LIMITED} > ${out}`, "data", "random", "--n", "10000");
  expect(statSync(out).size).toBeGreaterThan(0);
  expect(lines).toEqual(["hashbench: standard output cannot be written: file too large"]);
  expect(code).toBe(4);
});

test("a file that cannot be written whole stays what it was, with nothing beside it", async () => {
  const place = temporary();
  const at = (name: string) => join(place, name);
  writeFileSync(at("report.html"), "old");
  const lines = async (...args: string[]) => {
    const ended = await inShell(LIMITED, ...args);
    expect(ended.code).toBe(4);
    return ended.lines;
  };
  const data = await lines("data", "random", "--n", "10000", "--out", at("data.csv"));
  expect(data).toEqual([`hashbench: --out ${at("data.csv")} cannot be written: file too large`]);
  const report = await lines("report", results, "--out", place);
  expect(report).toEqual([`hashbench: --out ${at("report.html")} cannot be written: file too large`]);
  expect(readFileSync(at("report.html"), "utf8")).toBe("old");
  expect(readdirSync(place)).toEqual(["report.html"]);
});

test("a report is written through a link, which stays one", async () => {
  const place = temporary();
  mkdirSync(join(place, "report"));
  writeFileSync(join(place, "page.html"), "old");
  symlinkSync("../page.html", join(place, "report", "report.html"));
  expect((await hashbench("report", results, "--out", join(place, "report"))).code).toBe(0);
  expect(readFileSync(join(place, "page.html"), "utf8")).toMatch(/^<!doctype html>/i);
});

test("a reader that goes away ends the command quietly, and is no success", async () => {
  const ended = await inShell('{ "$@"; echo "code $?" >&2; } | head -n 1', "data", "random", "--n", "1000000");
  expect(ended.stdout).toBe("key,value\n");
  expect(ended.lines).toEqual(["code 141"]);
});
