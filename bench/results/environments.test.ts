import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { UsageError } from "../../kernels/device/errors.js";
import { csvText, header } from "./csv.js";
import { readFolders, replaceFolder } from "./folder.js";
import { merge } from "./merge.js";
import { readResults } from "./read.js";
import { type ResultRow, RUN_COLUMNS, type RunInfo } from "./record.js";
import { rowsOf } from "./rows.js";
import { cell, result, runInfo, temporaryFolder } from "./testing.js";
import { openResults } from "./write.js";

const configuration = { experiments: ["gph/fig10"] };
const [begin, resume] = [
  { resume: false, force: false },
  { resume: true, force: false },
];
const CSV = "gph/fig10.csv";
const native = { api: "cuda", system: { title: "A map", driver: "1, 2", clock: "CUDA events" } } as const;
const measured: readonly (readonly [ReturnType<typeof cell>, Partial<RunInfo>])[] = [
  [cell(), {}],
  [cell({ table: "a-map" }), native],
  [cell({ bench: "cpu", table: "js-map" }), { api: "cpu" }],
  [cell({ op: "insert" }), { run: "20260203T030405Z", commit: "later", driver: "2" }],
];

async function written(cells = measured, change: Partial<RunInfo> = {}): Promise<string> {
  const folder = temporaryFolder();
  const writer = await openResults(folder, configuration, begin);
  for (const [spec, info] of cells) await writer.append(spec, result(), { ...runInfo, ...info, ...change });
  await writer.close();
  return folder;
}

const text = (folder: string, name = CSV): string => readFileSync(join(folder, name), "utf8");
const environmentsIn = (folder: string) => JSON.parse(text(folder, "environment.json")) as Record<string, object>;

/** The same rows in a file of version 3, which has all columns. */
async function asBefore(folder: string): Promise<ResultRow[]> {
  const rows = await readResults(folder);
  writeFileSync(join(folder, CSV), header() + csvText(rows));
  return rows;
}

/** Merges folders into a new one. */
function merged(...folders: string[]): string {
  const out = join(temporaryFolder(), "merged");
  replaceFolder(out, merge(folders.flatMap(readFolders)), "--out");
  return out;
}

test("rows leave out what their run has, and are read back with it, each with that of its own run and table", async () => {
  const folder = await written();
  for (const column of RUN_COLUMNS) expect(text(folder).split("\n")[0]?.split(",")).not.toContain(column);
  const wanted = measured.flatMap(([spec, info]) => rowsOf(spec, result(), { ...runInfo, ...info }, new Date(0)));
  const undated = ({ time: _, ...row }: ResultRow) => row;
  for (const path of [folder, join(folder, CSV)])
    expect((await readResults(path)).map(undated)).toEqual(wanted.map(undated));
});

test("without environment.json, or without the run in it, reading and resuming end with one line and change nothing", async () => {
  for (const spoil of [
    (file: string) => rmSync(file),
    (file: string) => writeFileSync(file, '{"another":{"date":"2026-01-02"}}'),
  ]) {
    const folder = await written();
    spoil(join(folder, "environment.json"));
    const before = text(folder);
    const attempts = [
      () => readResults(folder),
      async () => readFolders(folder),
      () => openResults(folder, configuration, resume),
    ];
    for (const attempt of attempts) {
      const error = await attempt().then(
        () => null,
        (thrown: unknown) => thrown,
      );
      expect(error).toBeInstanceOf(UsageError);
      expect((error as Error).message).toMatch(/^\S+fig10\.csv:2: the environment\.json .* nothing of run 2026\w+$/);
    }
    expect(text(folder)).toBe(before);
  }
});

test.each([
  ["with its environment.json", () => undefined],
  ["without one", (folder: string) => rmSync(join(folder, "environment.json"))],
])("a folder of version 3 %s is read, merged and resumed as one of this version", async (_, spoil) => {
  const folder = await written();
  const small = text(folder);
  const rows = await asBefore(folder);
  spoil(folder);
  expect(await readResults(folder)).toEqual(rows);
  const out = merged(folder);
  expect(text(out).length).toBe(small.length);
  expect(new Set((await readResults(out)).map((row) => JSON.stringify(row)))).toEqual(
    new Set(rows.map((row) => JSON.stringify(row))),
  );
  await (await openResults(folder, configuration, resume)).close();
  expect(text(folder)).toBe(small);
  expect(await readResults(folder)).toEqual(rows);
});

test("runs of one id on two devices are told apart in a merged folder, whether or not their files are of this version", async () => {
  const one = await written(measured.slice(0, 3));
  const other = await written(measured.slice(0, 3), { device: "Another", commit: "other" });
  const rows = [...(await readResults(one)), ...(await asBefore(other))];
  rmSync(join(other, "environment.json"));
  const out = merged(one, other);
  expect(Object.keys(environmentsIn(out))).toHaveLength(2);
  const said = (some: readonly ResultRow[]) =>
    some.map(({ run: _, ...row }) => JSON.stringify(row)).sort((a, b) => (a < b ? -1 : 1));
  expect(said(await readResults(out))).toEqual(said(rows));
});

test("a copy of a run that was made while the run went on is of the same run", async () => {
  const folder = await written();
  const copy = join(temporaryFolder(), "copy");
  cpSync(folder, copy, { recursive: true });
  const writer = await openResults(folder, configuration, resume);
  await writer.append(cell({ table: "another-map" }), result(), { ...runInfo, ...native });
  await writer.writeEnvironment({ run: runInfo.run, seconds: { all: 1 } });
  await writer.close();
  const out = merged(copy, folder);
  expect(environmentsIn(out)).toEqual(environmentsIn(folder));
  expect(await readResults(out)).toHaveLength((await readResults(folder)).length);
});

test("rows of one run that name two devices are not written", async () => {
  const writer = await openResults(temporaryFolder(), configuration, begin);
  await writer.append(cell(), result(), runInfo);
  const append = (spec: ReturnType<typeof cell>, info: Partial<RunInfo>) =>
    writer.append(spec, result(), { ...runInfo, ...info });
  await expect(append(cell({ op: "insert" }), { device: "B" })).rejects.toThrow("has two values of device (B)");
  await append(cell({ table: "a-map" }), native);
  const hip = { ...native, api: "hip" } as const;
  await expect(append(cell({ table: "a-map", op: "erase" }), hip)).rejects.toThrow("has two values of api (hip)");
});
