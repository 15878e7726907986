import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { saveBaseline } from "../compare/baselines.js";
import { addToHistory } from "../compare/history.js";
import { LOCK_FILE, locked, lockFolder, requireUnlocked } from "./lock.js";
import { cell, result, runInfo, temporaryFolder } from "./testing.js";
import { openResults } from "./write.js";

const WHAT = "--out x";
const inUse = `${WHAT}: in use by process ${process.pid}`;

function held(folder: string): Record<string, unknown> {
  return JSON.parse(readFileSync(join(folder, LOCK_FILE), "utf8")) as Record<string, unknown>;
}

/** Leaves a lock as another process would; it was renewed so many seconds ago. */
function leave(folder: string, change: Record<string, unknown>, seconds = 0): void {
  const lock = lockFolder(folder, WHAT);
  const other = { ...held(folder), ...change };
  lock.release();
  write(folder, JSON.stringify(other), seconds);
}

function write(folder: string, text: string, seconds: number): void {
  const file = join(folder, LOCK_FILE);
  writeFileSync(file, text);
  const then = new Date(Date.now() - 1000 * seconds);
  utimesSync(file, then, then);
}

/** Number of a process that has ended. */
function ended(): Promise<number> {
  const child = spawn(process.execPath, ["-e", ""]);
  return new Promise((resolve) => child.once("exit", () => resolve(child.pid ?? 0)));
}

test("a folder has one writer at a time, and is free again after it", () => {
  const folder = temporaryFolder();
  const lock = lockFolder(folder, WHAT);
  expect(() => lockFolder(folder, WHAT)).toThrow(inUse);
  expect(() => requireUnlocked(folder, WHAT)).toThrow(inUse);
  lock.release();
  lock.release();
  requireUnlocked(folder, WHAT);
  expect(readdirSync(folder)).toEqual([]);
  expect(locked(folder, WHAT, () => held(folder).pid)).toBe(process.pid);
});

test("folders that were made for a lock alone go with it", () => {
  const folder = temporaryFolder();
  lockFolder(join(folder, "a", "b"), WHAT).release();
  expect(readdirSync(folder)).toEqual([]);
  locked(join(folder, "c"), WHAT, () => writeFileSync(join(folder, "c", "file"), ""));
  expect(readdirSync(join(folder, "c"))).toEqual(["file"]);
});

test("the lock of a process that has ended is taken over", async () => {
  const folder = temporaryFolder();
  leave(folder, { pid: await ended(), id: "dead" });
  lockFolder(folder, WHAT);
  expect(held(folder).pid).toBe(process.pid);
  expect(readdirSync(folder)).toEqual([LOCK_FILE]);
});

test.runIf(process.platform === "linux")(
  "another process with the number of one that has ended is not its holder",
  () => {
    const folder = temporaryFolder();
    leave(folder, { start: "1" });
    expect(locked(folder, WHAT, () => held(folder).start)).not.toBe("1");
  },
);

test.runIf(process.platform === "linux")("a lock of before the machine's last start is taken over", () => {
  const folder = temporaryFolder();
  leave(folder, { boot: "before" });
  expect(locked(folder, WHAT, () => held(folder).boot)).not.toBe("before");
});

test.each(["host", "namespace"])("of another %s the time since its last sign decides", (place) => {
  const folder = temporaryFolder();
  leave(folder, { [place]: "other", pid: 7 }, 100);
  expect(() => lockFolder(folder, WHAT)).toThrow(
    /^--out x: in use by process 7 of .* \(free 120 s after that one has died\)$/,
  );
  expect(held(folder)[place]).toBe("other");
  write(folder, readFileSync(join(folder, LOCK_FILE), "utf8"), 121);
  lockFolder(folder, WHAT).release();
});

test("a lock without its content is being made, or was left so", () => {
  const folder = temporaryFolder();
  write(folder, "", 0);
  expect(() => lockFolder(folder, WHAT)).toThrow("--out x: in use by another process");
  write(folder, "", 10);
  lockFolder(folder, WHAT).release();
});

test("a lock that another process took over is not let go", async () => {
  const folder = temporaryFolder();
  const lock = lockFolder(folder, WHAT);
  write(folder, JSON.stringify({ ...held(folder), id: "another" }), 0);
  lock.release();
  expect(existsSync(join(folder, LOCK_FILE))).toBe(true);
});

test("runs, baselines and histories keep others out, and change nothing where others are", async () => {
  const from = temporaryFolder();
  const configuration = { seed: 1 };
  const writer = await openResults(from, configuration, { resume: false, force: false });
  await writer.append(cell(), result(), runInfo);
  for (const options of [
    { resume: true, force: false },
    { resume: false, force: true },
  ])
    await expect(openResults(from, configuration, options)).rejects.toThrow(`--out ${from}: in use by process`);
  expect(readFileSync(join(from, "gph", "fig10.csv"), "utf8").split("\n")).toHaveLength(5);
  await writer.close();
  await expect(writer.append(cell(), result(), runInfo)).rejects.toThrow("no longer written to");

  const store = temporaryFolder();
  const save = { store, name: "main", keep: 10, replace: false };
  const [baseline = ""] = saveBaseline(from, save);
  const stored = lockFolder(baseline, WHAT);
  expect(() => saveBaseline(from, { ...save, replace: true })).toThrow(`${baseline}: in use by process`);
  stored.release();
  const trends = lockFolder(store, WHAT);
  expect(() => addToHistory(from, store)).toThrow(`--store ${store}: in use by process`);
  trends.release();
  expect(addToHistory(from, store)).toMatchObject([{ lines: 2 }]);
});
