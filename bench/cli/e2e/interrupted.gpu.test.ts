import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { LOCK_FILE } from "../../results/lock.js";
import { ENVIRONMENT_FILE } from "../../results/names.js";
import { readResults } from "../../results/read.js";
import { samplesByCell } from "../../results/testing.js";
import { cellNames, device, hashbench, type Running, rowNames, slow, start, temporary } from "./testing.js";

const options = [
  ...["run", "tables/load-factor", "--device", device, "--n", slow ? "1024" : "5000", "--max-noise", "0.9"],
  ...["--tables", "double-hashing,js-map", "--load-factor", "0.7,0.8", "--no-plots", "--no-count"],
];
let undisturbed: string;

beforeAll(async () => {
  undisturbed = temporary();
  expect((await hashbench(...options, "--out", undisturbed)).code).toBe(0);
});

/** A process that has been killed closes its files before it is gone: on a busy machine some time before. */
const gone = (run: Running) => expect.poll(() => run.groupLives(), { timeout: 60_000 }).toBe(false);

/** A run in the folder that has stopped at that line. */
async function stoppedAt(out: string, line: RegExp, ...more: string[]): Promise<Running> {
  const run = start([...options, "--out", out, ...more], { stopAt: line });
  await run.line(line);
  await expect.poll(() => run.stopped(), { timeout: 60_000 }).toBe(true);
  return run;
}

/** Runs in the folder until that line, then kills everything. */
async function killedAt(out: string, line: RegExp, ...more: string[]): Promise<void> {
  const run = await stoppedAt(out, line, ...more);
  run.killGroup();
  const { signal } = await run.ended;
  expect(signal).toBe("SIGKILL");
  await gone(run);
}

test("a run that is killed, before its first result too, and resumed has every cell once, like one that was left alone", async () => {
  const out = temporary();
  await killedAt(out, /^results go to/);
  await killedAt(out, /^\[2\//, "--resume");
  expect(existsSync(join(out, LOCK_FILE))).toBe(true);
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
  expect(existsSync(join(out, LOCK_FILE))).toBe(false);
});

test("nobody else writes into the folder of a run that goes on", async () => {
  const out = temporary();
  const run = await stoppedAt(out, /^\[1\//);
  const others = [
    [...options, "--out", out, "--resume"],
    [...options, "--out", out, "--force"],
    ["merge", undisturbed, "--out", out, "--force"],
    ["tune", "bucketed", "--device", device, "--out", out, "--force"],
  ];
  const refused = await Promise.all(others.map((args) => hashbench(...args)));
  for (const { code, lines } of refused) {
    expect(lines).toEqual([`hashbench: --out ${out}: in use by process ${run.pid}`]);
    expect(code).toBe(2);
  }
  run.goOn();
  expect((await run.ended).code).toBe(0);
  expect(rowNames(await readResults(out))).toEqual(rowNames(await readResults(undisturbed)));
});

test("a run whose disk becomes full keeps its finished cells, says so in one line, and is resumed", async () => {
  const out = temporary();
  /** The command's files, not its worker's, are limited: a part of the last write is taken, as by a disk that becomes full. */
  const limited = async (...more: string[]) => {
    const run = await stoppedAt(out, /^results go to/, ...more);
    execFileSync("prlimit", ["--pid", String(run.pid), `--fsize=${6 * 1024}`]);
    run.goOn();
    return run.ended;
  };
  const { code, lines } = await limited();
  expect(lines.filter((line) => /^hashbench:|Error:|^ +at /.test(line))).toEqual([
    `hashbench: --out ${out}: ${join(out, "tables", "load-factor.csv")} cannot be written: file too large`,
  ]);
  expect(code).toBe(4);
  // Whole as it is, for every command that reads it.
  const kept = cellNames(await readResults(out));
  expect(kept.length).toBeGreaterThan(0);
  expect([...(await samplesByCell(out)).keys()].sort()).toEqual(kept);

  // Cells of fewer rows may still find room.
  expect((await limited("--resume")).code).toBe(4);
  expect(cellNames(await readResults(out))).toEqual(expect.arrayContaining(kept));
  expect((await hashbench(...options, "--out", out, "--resume")).code).toBe(0);
  expect(rowNames(await readResults(out))).toEqual(rowNames(await readResults(undisturbed)));
});

test("Ctrl-C says how to go on, and leaves no crash among the rows", async () => {
  const out = temporary();
  const run = await stoppedAt(out, /^\[1\//);
  run.interrupt();
  run.goOn();
  const { code, signal, lines } = await run.ended;
  expect([code, signal]).toEqual([130, null]);
  expect(lines.at(-1)).toMatch(
    /^hashbench: interrupted at [1-9]\d* of \d+ cells; the same command with --resume goes on$/,
  );
  await gone(run);
  expect((await readResults(out)).filter(({ status }) => status !== "ok")).toEqual([]);
  const [noted] = Object.values(JSON.parse(readFileSync(join(out, ENVIRONMENT_FILE), "utf8")));
  expect(noted).toMatchObject({ unfinished: true, seconds: { all: expect.any(Number) } });
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
