import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { PLAIN } from "../benchmarks/allocation.js";
import { limitCell } from "../benchmarks/limit.js";
import type { CellSpec } from "../experiment.js";
import { metric } from "../results/testing.js";
import { LimitsStore } from "./limits-store.js";
import { type MeasuredDevice, Measuring } from "./measuring.js";
import type { Pool } from "./pool.js";
import { noResult } from "./reporter.js";

const folder = mkdtempSync(join(tmpdir(), "hashbench-measuring-"));
afterAll(() => rmSync(folder, { recursive: true }));

const cell = (n: number): CellSpec => ({
  experiment: "limit/table",
  bench: "table",
  table: "quotient",
  variant: "",
  op: "find",
  dataset: "random",
  n,
  loadFactor: 0.8,
  positiveRatio: 1,
  seed: 1,
  params: { lookups: 1000 },
});

const GPU: MeasuredDevice = { software: false, runs: () => true };

/** MiB of the tables of the limits that are measured before the cells, on a GPU or not. */
async function limitsBefore(cells: readonly CellSpec[], limits: LimitsStore, device = GPU): Promise<unknown[]> {
  const asked: CellSpec[][] = [];
  const measure = async (specs: readonly CellSpec[]) => {
    asked.push([...specs]);
  };
  const measuring = new Measuring({ measure } as unknown as Pool, device, limits, () => undefined);
  await measuring.cells(cells, {
    deadline: null,
    place: () => "",
    onPhase: () => undefined,
    onResult: async () => undefined,
  });
  return asked.slice(0, -1).flatMap((specs) => specs.map(({ params }) => params.tableMiB));
}

const SHORT = [1, 16, 64, 256, 1024, 2048];
const LARGE = [2560, 3072, 4032, 5120, 10240];

test("limits that are not known are measured first, on large tables only where cells have such", async () => {
  const limits = new LimitsStore(["gpu"], folder);
  expect(await limitsBefore([cell(1000)], limits)).toEqual(SHORT);
  expect(await limitsBefore([cell(1000), cell(2 ** 28)], limits)).toEqual([...SHORT, 2560, 3072, 4032]);
  expect(await limitsBefore([cell(2 ** 28), cell(2 ** 29)], limits)).toEqual([...SHORT, ...LARGE]);
  for (const mib of [1, 3073]) limits.set({ pattern: "lookup32", tableBytes: mib * 2 ** 20 }, 100);
  expect(await limitsBefore([cell(1000), cell(2 ** 28)], limits)).toEqual([]);
  expect(await limitsBefore([cell(2 ** 29)], limits)).toEqual(LARGE);
  const beyond = new LimitsStore(["after device/large"], folder);
  for (const mib of [2048, 10240]) beyond.set({ pattern: "lookup32", tableBytes: mib * 2 ** 20 }, 100);
  expect(await limitsBefore([cell(1000), cell(2 ** 29)], beyond)).toEqual(SHORT);
  const small = new LimitsStore(["other"], folder);
  small.set({ pattern: "lookup32", tableBytes: 2 ** 30 }, 100);
  expect(await limitsBefore([cell(2 ** 28)], small)).toEqual([2560, 3072, 4032]);
});

test("a software adapter has no limits: none is measured before the cells, kept, or a share's base", async () => {
  const limits = new LimitsStore(["software"], folder);
  expect(await limitsBefore([cell(1000)], limits, { ...GPU, software: true })).toEqual([]);
  limits.set({ pattern: "lookup32", tableBytes: 2 ** 20 }, 100);
  const access = { pattern: "lookup32", tableBytes: 2 ** 20 };
  const metricsOn = async (software: boolean): Promise<string[]> => {
    const measure: Pool["measure"] = async (_, { onResult }) => {
      await onResult(0, { ...noResult("ok", ""), access, metrics: [metric("mops", 50)] });
    };
    const found: string[] = [];
    await new Measuring({ measure } as Pool, { ...GPU, software }, limits, () => undefined).cells([cell(1000)], {
      deadline: null,
      place: () => "",
      onPhase: () => undefined,
      onResult: async (_, { metrics }) => void found.push(...metrics.map((one) => one.metric)),
    });
    return found;
  };
  expect(await metricsOn(false)).toEqual(["mops", "limit_mops", "limit_share"]);
  expect(await metricsOn(true)).toEqual(["mops"]);
});

test("limits are learnt from cells of device/large, but not from those of plain allocations", async () => {
  const access = { pattern: "lookup32", tableBytes: 4096 * 2 ** 20 };
  const learnt = async (params: CellSpec["params"]): Promise<boolean> => {
    const limits = new LimitsStore([JSON.stringify(params)], folder);
    const measure: Pool["measure"] = async (_, { onResult }) => {
      await onResult(0, { ...noResult("ok", ""), access, metrics: [metric("mops", 50)] });
    };
    const large = { ...limitCell("lookup32", 4096, 2 ** 26), experiment: "device/large" };
    await new Measuring({ measure } as Pool, GPU, limits, () => undefined).cells([{ ...large, params }], {
      deadline: null,
      place: () => "",
      onPhase: () => undefined,
      onResult: async () => undefined,
    });
    return limits.has("lookup32");
  };
  expect(await learnt({ tableMiB: 4096 })).toBe(true);
  expect(await learnt({ tableMiB: 4096, ...PLAIN })).toBe(false);
});

test("limits are of tables that run on the device", async () => {
  const elsewhere = { ...GPU, runs: () => false };
  expect(await limitsBefore([cell(1000)], new LimitsStore(["elsewhere"], folder), elsewhere)).toEqual([]);
  const limits = new LimitsStore(["known"], folder);
  for (const mib of [1, 2048]) limits.set({ pattern: "lookup32", tableBytes: mib * 2 ** 20 }, 100);
  const shares: string[][] = [];
  for (const device of [elsewhere, GPU]) {
    const access = { pattern: "lookup32", tableBytes: 2 ** 20 };
    const measure: Pool["measure"] = async (_, { onResult }) => {
      await onResult(0, { ...noResult("ok", ""), access, metrics: [metric("mops", 50)] });
    };
    await new Measuring({ measure } as Pool, device, limits, () => undefined).cells([cell(1000)], {
      deadline: null,
      place: () => "",
      onPhase: () => undefined,
      onResult: async (_, { metrics }) => void shares.push(metrics.map(({ metric }) => metric)),
    });
  }
  expect(shares).toEqual([["mops"], ["mops", "limit_mops", "limit_share"]]);
});
