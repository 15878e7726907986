import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  keptVerified,
  readVerified,
  secondsPerCase,
  VERIFIED_FILE,
  type VerifiedVariant,
  verifiedOf,
  writeVerified,
} from "./verified.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "hashbench-verified-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const head = { schema: 1, device: "GPU", driver: "1.2", dawn: "webgpu 0" } as const;
const variant = (given: Partial<VerifiedVariant> = {}): VerifiedVariant => ({
  table: "stash",
  host: false,
  params: {},
  commit: "abc",
  time: "2026-01-02T03:04:05.000Z",
  toggles: "",
  ok: 3,
  failed: 0,
  skipped: 1,
  operations: 1000,
  reason: "",
  ...given,
});
const file = () => join(folder, VERIFIED_FILE);

test("what is verified later replaces the same variant, and leaves the others", () => {
  writeVerified(folder, { ...head, variants: [variant(), variant({ params: { ticket: 4 }, failed: 1 })] });
  writeVerified(folder, {
    ...head,
    variants: [variant({ params: { ticket: 4 }, commit: "def" }), variant({ host: true })],
  });
  const read = readVerified(folder);
  expect(read?.variants.map(({ params, host, failed, commit }) => [params, host, failed, commit])).toEqual([
    [{}, false, 0, "abc"],
    [{ ticket: 4 }, false, 0, "def"],
    [{}, true, 0, "abc"],
  ]);
  // One line a variant: a change of one is a change of one line.
  expect(readFileSync(file(), "utf8").trim().split("\n")).toHaveLength(5);
});

test("a file of another device, driver or Dawn is not written to", () => {
  writeVerified(folder, { ...head, variants: [variant()] });
  const before = readFileSync(file(), "utf8");
  for (const name of ["device", "driver", "dawn"] as const) {
    expect(() => writeVerified(folder, { ...head, [name]: "other", variants: [] })).toThrow(
      /is of .+, and this is other/,
    );
  }
  expect(readFileSync(file(), "utf8")).toBe(before);
});

test("a folder without the file says nothing; a broken one is refused in one line", () => {
  expect(readVerified(folder)).toBeNull();
  for (const text of ["{", "{}", JSON.stringify({ ...head, variants: [variant({ ok: -1 })] })]) {
    writeFileSync(file(), text);
    expect(() => readVerified(folder)).toThrow(/^[^\n]*verified\.json[^\n]*$/);
  }
  writeFileSync(file(), JSON.stringify({ ...head, variants: [variant({ table: "a\u001b[2J" })] }));
  expect(() => readVerified(folder)).toThrow(/control character/);
});

test("of a table: variants that passed, failed, and of which nothing was verified", () => {
  const variants = [
    variant(),
    variant({ params: { ticket: 1 }, failed: 2, commit: "def" }),
    variant({ params: { ticket: 2 }, ok: 0, operations: 0, reason: "no subgroups" }),
    variant({ table: "gph" }),
  ];
  expect(verifiedOf({ ...head, variants }, "stash")).toEqual({
    variants: 1,
    values: "defaults",
    failed: 1,
    skipped: 1,
    operations: 2000,
    commits: ["abc", "def"],
  });
});

test("the values of parameters in variants that passed are named, and host memory", () => {
  const some = [{}, { ticket: 1 }, { ticket: 2, keyBytes: 8 }].map((params) => variant({ params }));
  const variants = [...some, variant({ host: true }), variant({ params: { ticket: 4 }, failed: 1 })];
  expect(verifiedOf({ ...head, variants }, "stash").values).toBe("defaults ticket=1,2 keyBytes=8 memory=host");
});

test("of the kept files none has a variant that failed, and the GPU's has every table", () => {
  const kept = keptVerified();
  expect(kept.length).toBeGreaterThan(1);
  for (const { device, variants } of kept) {
    const failed = variants.filter((one) => one.failed > 0).map(({ table, params }) => ({ device, table, params }));
    expect(failed).toEqual([]);
  }
  const ofGpu = kept.find(({ device }) => device === "nvidia-h200");
  if (!ofGpu) throw new Error("no file of a GPU");
  const tables = new Set(ofGpu.variants.filter(({ ok }) => ok > 0).map(({ table }) => table));
  expect(tables.size).toBeGreaterThanOrEqual(25);
});

test("seconds per case are those between the ends of variants, without the pause between two commands", () => {
  const ends = ["03:00:00", "03:00:20", "03:00:10", "09:30:00", "09:30:10"];
  const variants = ends.map((end) => variant({ time: `2026-01-02T${end}.000Z`, ok: 3, failed: 1 }));
  expect(secondsPerCase({ ...head, variants })).toBe(30 / 20);
  for (const kept of keptVerified()) expect(secondsPerCase(kept)).toBeGreaterThan(0.01);
});
