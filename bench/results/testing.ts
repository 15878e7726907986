/** Cells, results and folders for the tests beside. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { CellSpec } from "../base/experiment.js";
import { packageRoot } from "../base/paths.js";
import type { Metric } from "./metrics.js";
import { readResults, readSampleLines } from "./read.js";
import type { CellResult, ResultRow, RunInfo } from "./record.js";
import { rowsOf } from "./rows.js";

export const runInfo: RunInfo = {
  run: "20260102T030405Z",
  commit: "0123456789ab",
  device: "Example, 64 GB",
  driver: 'driver "1.0"',
  dawn: "webgpu 0.6.2",
  toggles: "disable_robustness",
};

export function cell(change: Partial<CellSpec> = {}): CellSpec {
  return {
    experiment: "gph/fig10",
    bench: "table",
    table: "bucketed",
    variant: "",
    op: "find",
    dataset: "random",
    n: 1000,
    loadFactor: 0.8,
    positiveRatio: 0.5,
    seed: 1,
    params: { lookups: 2000, layout: "a,b" },
    ...change,
  };
}

export function metric(name: string, value: number): Metric {
  return { metric: name, unit: "M op/s", value, lo: value - 0.1, hi: value + 0.1 };
}

export function result(change: Partial<CellResult> = {}): CellResult {
  const metrics = [metric("mops", 123.456), metric("time", 1e-7), metric("probes", 1.5)];
  const sampling = { samples: [11, 12.5, 10], repetitions: 4, stopped: "quiet" } as const;
  return { status: "ok", reason: "", dataHash: "00ff", metrics, ...sampling, ...change };
}

/** Raw samples of a folder with one run of each cell: nanoseconds in time order, by cell key. */
export async function samplesByCell(folder: string): Promise<Map<string, number[]>> {
  return new Map((await readSampleLines(folder)).map(({ key, samples }) => [key, samples]));
}

const kept = new Map<string, Promise<ResultRow[]>>();

/** Rows of a folder of results/, read once for all test files of a process: validating them takes seconds. */
export function keptRows(folder: string): Promise<ResultRow[]> {
  const rows = kept.get(folder) ?? readResults(join(packageRoot, "results", folder));
  kept.set(folder, rows);
  return rows;
}

/** A new folder that is deleted with the test. */
export function temporaryFolder(parent = tmpdir()): string {
  const folder = mkdtempSync(join(parent, "hashbench-results-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A row of a retrieval from gph, of the experiment `gph/test`. */
export function row(changes: Partial<ResultRow> = {}): ResultRow {
  const own = cell({ experiment: "gph/test", table: "gph", positiveRatio: 1, params: {} });
  const mops = { metric: "mops", unit: "M op/s", value: 100, lo: null, hi: null };
  const measured = result({ dataHash: "", metrics: [mops], samples: new Array(10).fill(1), repetitions: 1 });
  const names = { commit: "0123456789", device: "Test device", driver: "1.0", dawn: "2.0", toggles: "" };
  const [usual] = rowsOf(own, measured, { run: "run", ...names }, new Date());
  return { ...(usual as ResultRow), time: "2026-01-02T03:04:05Z", ...changes };
}
