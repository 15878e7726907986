import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { readResults } from "../results/read.js";
import { samplesByCell } from "../results/testing.js";
import { cellNames, device, hashbench, rowNames, slow, start, temporary } from "./command.js";

const options = [
  ...["run", "tables/load-factor", "--device", device, "--n", slow ? "1024" : "20000", "--max-noise", "0.9"],
  ...["--tables", "bucketed,double-hashing,js-map", "--load-factor", "0.8", "--no-plots"],
];
let undisturbed: string;

beforeAll(async () => {
  undisturbed = temporary();
  expect((await hashbench(...options, "--out", undisturbed)).code).toBe(0);
});

/** Runs in the folder until that line, then kills everything. */
async function killedAt(out: string, line: RegExp, ...more: string[]): Promise<void> {
  const run = start([...options, "--out", out, ...more]);
  await run.line(line);
  run.killGroup();
  const { signal } = await run.ended;
  expect(signal).toBe("SIGKILL");
  expect(run.groupLives()).toBe(false);
}

test("a run that is killed twice and resumed has every cell once, like one that was left alone", async () => {
  const out = temporary();
  await killedAt(out, /^\[2\//);
  const first = cellNames(await readResults(out));
  expect(first.length).toBeGreaterThanOrEqual(2);
  await killedAt(out, /^\[5\//, "--resume");
  const { code, lines } = await hashbench(...options, "--out", out, "--resume");
  expect(code).toBe(0);

  const rows = await readResults(out);
  const wanted = await readResults(undisturbed);
  expect(rowNames(rows)).toEqual(rowNames(wanted));
  expect([...(await samplesByCell(out)).keys()].sort()).toEqual(cellNames(wanted));
  // Cells that were there have not been measured again.
  const left = lines.filter((line) => line.startsWith("[")).length;
  expect(left).toBeLessThanOrEqual(cellNames(wanted).length - first.length - 3);
});

test("a run killed before its first result is resumed as if it had not been there", async () => {
  const out = temporary();
  await killedAt(out, /^results go to/);
  expect((await hashbench(...options, "--out", out, "--resume")).code).toBe(0);
  expect(rowNames(await readResults(out))).toEqual(rowNames(await readResults(undisturbed)));
});

test("Ctrl-C says how to go on, and leaves no crash among the rows", async () => {
  const out = temporary();
  const run = start([...options, "--out", out]);
  await run.line(/^\[2\//);
  run.interrupt();
  const { code, signal, lines } = await run.ended;
  expect([code, signal]).toEqual([130, null]);
  expect(lines.at(-1)).toBe("hashbench: interrupted; the same command with --resume goes on");
  expect(run.groupLives()).toBe(false);
  expect((await readResults(out)).filter(({ status }) => status !== "ok")).toEqual([]);
  expect((await hashbench(...options, "--out", out, "--resume")).code).toBe(0);
  expect(rowNames(await readResults(out))).toEqual(rowNames(await readResults(undisturbed)));
});

test("a complete run that is resumed measures nothing and changes no result", async () => {
  const csv = readdirSync(join(undisturbed, "tables")).find((name) => name.endsWith(".csv")) ?? "";
  const before = readFileSync(join(undisturbed, "tables", csv), "utf8");
  const { code, lines } = await hashbench(...options, "--out", undisturbed, "--resume");
  expect(code).toBe(0);
  expect(lines.filter((line) => line.startsWith("["))).toEqual([]);
  expect(readFileSync(join(undisturbed, "tables", csv), "utf8")).toBe(before);
});
