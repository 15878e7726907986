import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { UsageError } from "../../kernels/device/errors.js";
import { readResults, readSampleLines } from "../results/read.js";
import type { CellResult, RunInfo } from "../results/record.js";
import { cell, metric, result, runInfo, temporaryFolder } from "../results/testing.js";
import { openResults } from "../results/write.js";
import { baselinePath, listBaselines, type SaveOptions, saveBaseline } from "./baselines.js";

const other = cell({ n: 2000 });

/** A run of two cells that began in the given second. */
async function write(second: number, info: Partial<RunInfo> = {}, measured: Partial<CellResult> = {}): Promise<string> {
  const folder = temporaryFolder();
  const run = { ...runInfo, run: `20260102T0304${String(second).padStart(2, "0")}Z`, ...info };
  const writer = await openResults(folder, { seed: 1 }, { resume: false, force: false });
  await writer.writeEnvironment({ date: folder, run: run.run });
  const metrics = [metric("mops", 1000 / (100 + second)), metric("time", 100 + second)];
  for (const one of [cell(), other]) await writer.append(one, result({ metrics, ...measured }), run);
  await writer.close();
  return folder;
}

function options(change: Partial<SaveOptions> = {}): SaveOptions {
  return { store: join(temporaryFolder(), "store"), name: "main", keep: 10, replace: false, ...change };
}

test("cells without samples are counted: compare has no times of them", async () => {
  const save = options();
  const from = await write(1);
  const file = join(from, "gph", "fig10.samples.jsonl");
  writeFileSync(file, readFileSync(file, "utf8").split("\n").slice(1).join("\n"));
  saveBaseline(from, save);
  expect(listBaselines(save.store)).toMatchObject([{ withoutSamples: 1 }]);
  saveBaseline(await write(2), save);
  expect(listBaselines(save.store)).toMatchObject([{ withoutSamples: 0 }]);
});

function complaint(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError);
    return (error as Error).message;
  }
  return "";
}

test("runs of one environment add up, with their samples; the newest are kept", async () => {
  const save = options({ keep: 3 });
  for (const second of [3, 1, 4, 2, 5]) saveBaseline(await write(second), save);
  const path = baselinePath(save.store, runInfo.device, "main");
  expect(path).toBe(join(save.store, "example-64-gb", "main"));
  expect(readdirSync(join(path, "gph"))).toEqual(["fig10.csv", "fig10.samples.jsonl.gz"]);
  const [baseline] = listBaselines(save.store);
  expect(baseline).toMatchObject({ name: "main", device: runInfo.device, commits: [runInfo.commit] });
  expect(baseline?.runs).toHaveLength(3);
  expect(baseline?.cells.map(({ runs, status }) => [runs, status])).toEqual([
    [3, "ok"],
    [3, "ok"],
  ]);
  expect(await readSampleLines(path)).toHaveLength(6);
  expect(Object.keys(JSON.parse(readFileSync(join(path, "environment.json"), "utf8")) as object)).toEqual(
    baseline?.runs,
  );
});

test("the spread is that of the runs' median times", async () => {
  const save = options();
  for (const second of [0, 10, 5]) saveBaseline(await write(second), save);
  const [first] = listBaselines(save.store)[0]?.cells ?? [];
  expect(first?.time).toBe(105);
  expect(first?.spread).toBeCloseTo(0.1, 12);
  expect(first?.cell).toContain("gph/fig10 bucketed find random");
});

test("a run that is saved twice is there once; another commit or Dawn is welcome", async () => {
  const save = options();
  const from = await write(1);
  saveBaseline(from, save);
  saveBaseline(from, save);
  saveBaseline(await write(2, { commit: "fedcba987654", dawn: "webgpu 0.7.0" }), save);
  const [baseline] = listBaselines(save.store);
  expect(baseline?.runs).toEqual(["20260102T030401Z", "20260102T030402Z"]);
  expect(baseline?.commits).toHaveLength(2);
});

test("two machines' runs of one second are two runs", async () => {
  const save = options();
  saveBaseline(await write(1), save);
  saveBaseline(await write(1, {}, { samples: [1] }), save);
  expect(listBaselines(save.store)[0]?.runs).toHaveLength(2);
});

test.each([{ driver: "2.0" }, { toggles: "" }])(
  "other %j is refused, and starts anew with --replace",
  async (change) => {
    const save = options();
    const [path = ""] = saveBaseline(await write(1), save);
    const before = readFileSync(join(path, "gph", "fig10.csv"), "utf8");
    const from = await write(2, change);
    expect(complaint(() => saveBaseline(from, save))).toMatch(
      /differ in their environment \((driver|toggles) .*--replace/,
    );
    expect(readFileSync(join(path, "gph", "fig10.csv"), "utf8")).toBe(before);
    saveBaseline(from, { ...save, replace: true });
    expect(listBaselines(save.store)[0]).toMatchObject({ runs: ["20260102T030402Z"], ...change });
  },
);

test("two devices whose names make one folder are not mixed", async () => {
  const save = options();
  saveBaseline(await write(1), save);
  const from = await write(2, { device: "Example (64 GB)" });
  expect(complaint(() => saveBaseline(from, save))).toMatch(/device Example, 64 GB and Example \(64 GB\)/);
});

test("hangs and crashes are not kept", async () => {
  const save = options();
  const lost = { status: "timeout", reason: "hang", metrics: [], samples: [] } as const;
  const from = await write(1, {}, lost);
  expect(complaint(() => saveBaseline(from, save))).toMatch(/every cell timed out or crashed/);
  expect(existsSync(save.store)).toBe(false);
});

test("a baseline is a results folder that no run goes on in", async () => {
  const save = options();
  const [path = ""] = saveBaseline(await write(1), save);
  expect(await readResults(path)).toHaveLength(4);
  await expect(openResults(path, { seed: 1 }, { resume: true, force: false })).rejects.toThrow(/another configuration/);
});
