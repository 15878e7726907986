import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { UsageError } from "../../kernels/device/errors.js";
import { csvText, header } from "./csv.js";
import { cellKey, rowKey } from "./key.js";
import { readResults } from "./read.js";
import { rowsOf } from "./rows.js";
import { cell, metric, result, runInfo, samplesByCell, temporaryFolder } from "./testing.js";
import { finishedIn, openResults } from "./write.js";

const configuration = { experiments: ["gph/fig10"], seed: 1, shard: undefined };
const start = { resume: false, force: false };
const resume = { resume: true, force: false };
const force = { resume: false, force: true };
const one = cell();
const two = cell({ op: "insert" });
const CSV = join("gph", "fig10.csv");

async function measured(folder = temporaryFolder()): Promise<string> {
  const writer = await openResults(folder, configuration, start);
  await writer.append(one, result(), runInfo);
  await writer.append(two, result(), runInfo);
  await writer.close();
  return folder;
}

async function complaint(opening: Promise<unknown>): Promise<string> {
  const error = await opening.then(() => null).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(UsageError);
  expect((error as Error).message).not.toContain("\n");
  return (error as Error).message;
}

test("a cell has a row a metric", () => {
  const rows = rowsOf(one, result(), runInfo, new Date(0));
  expect(rows.map((row) => [row.metric, row.value, row.samples])).toEqual([
    ["mops", 123.456, 3],
    ["time", 1e-7, 3],
    ["probes", 1.5, 3],
  ]);
});

test("a failed cell is one row with its reason in one line, and never a number", () => {
  const rows = rowsOf(one, result({ status: "failed", reason: "lost\n  key " }), runInfo, new Date(0));
  expect(rows).toMatchObject([{ metric: "mops", value: null, lo: null, status: "failed", reason: "lost key" }]);
});

test.each([Number.NaN, Number.POSITIVE_INFINITY, 1e308, 1e-320, -1])("a cell with the value %d has failed", (value) => {
  const metrics = [metric("mops", 1), metric("x", value)];
  const rows = rowsOf(one, result({ metrics }), runInfo, new Date(0));
  expect(rows).toMatchObject([{ value: null, status: "failed", reason: `x is ${value}` }]);
});

test("an end of an interval that is not finite is left out", () => {
  const odd = { metric: "mops", unit: "M op/s", value: 1, lo: 0.5, hi: 1 / 0 };
  expect(rowsOf(one, result({ metrics: [odd] }), runInfo, new Date(0))).toMatchObject([
    { value: 1, lo: 0.5, hi: null },
  ]);
});

test("results lie in a folder a paper, samples beside them", async () => {
  const folder = await measured();
  expect(readFileSync(join(folder, CSV), "utf8").split("\n")).toHaveLength(8);
  expect(await readResults(folder)).toHaveLength(6);
  expect([...(await samplesByCell(folder)).keys()]).toEqual([cellKey(one), cellKey(two)]);
});

test("a folder tells which cells are finished, and stays as it is", async () => {
  const folder = await measured();
  const text = readFileSync(join(folder, CSV), "utf8");
  writeFileSync(join(folder, CSV), `${text}half a row`);
  expect(finishedIn(folder, configuration, resume)).toEqual([cellKey(one), cellKey(two)]);
  expect(readFileSync(join(folder, CSV), "utf8")).toBe(`${text}half a row`);
});

test("a folder that does not exist has no finished cells, and is not made", () => {
  const folder = join(temporaryFolder(), "none");
  expect(finishedIn(folder, configuration, start)).toEqual([]);
  expect(existsSync(folder)).toBe(false);
});

test("a resumed run knows which cells are finished, time-outs and crashes are not", async () => {
  const folder = temporaryFolder();
  const writer = await openResults(folder, configuration, start);
  const statuses = ["ok", "failed", "skipped", "timeout", "crash"] as const;
  for (const [seed, status] of statuses.entries()) await writer.append(cell({ seed }), result({ status }), runInfo);
  const finished = new Set([0, 1, 2].map((seed) => cellKey(cell({ seed }))));
  expect(writer.finished()).toEqual(finished);
  await writer.close();
  expect((await openResults(folder, configuration, resume)).finished()).toEqual(finished);
  expect(new Set((await readResults(folder)).map(({ status }) => status))).toEqual(
    new Set(["ok", "failed", "skipped"]),
  );
});

test("a cell written again replaces its rows and samples", async () => {
  const folder = await measured();
  const writer = await openResults(folder, configuration, resume);
  await writer.append(one, result({ samples: [9] }), { ...runInfo, run: "20270101T000000Z" });
  await writer.append(one, result({ samples: [8] }), { ...runInfo, run: "20270101T000000Z" });
  expect(await readResults(folder)).toHaveLength(6);
  expect((await samplesByCell(folder)).get(cellKey(one))).toEqual([8]);
});

test("samples of a run that was killed before it wrote a row are no obstacle", async () => {
  const folder = temporaryFolder();
  await (await openResults(folder, configuration, start)).close();
  mkdirSync(join(folder, "gph"));
  writeFileSync(join(folder, "gph", "fig10.samples.jsonl"), '{"key":"[tor');
  const writer = await openResults(folder, configuration, resume);
  await writer.append(one, result(), runInfo);
  expect((await samplesByCell(folder)).size).toBe(1);
});

/** Memory where the system has a folder there: hundreds of writes that wait for a disk take a minute on a busy one. */
const IN_MEMORY = existsSync("/dev/shm") ? "/dev/shm" : undefined;

test("a CSV cut off after any byte is completed to the same rows", async () => {
  const folder = temporaryFolder(IN_MEMORY);
  const info = { run: "1", commit: "", device: "d", driver: "", dawn: "", toggles: "" };
  const cells = [cell({ params: {} }), cell({ params: {}, op: "insert" })];
  const short = [result({ metrics: [metric("mops", 1)] }), result({ metrics: [metric("mops", 1), metric("time", 2)] })];
  const complete = async (options: typeof start): Promise<void> => {
    const writer = await openResults(folder, configuration, options);
    for (const [i, spec] of cells.entries())
      if (!writer.finished().has(cellKey(spec))) await writer.append(spec, short[i] ?? result(), info);
    await writer.close();
  };
  const rows = async () => (await readResults(folder)).map((row) => ({ ...row, time: "" }));
  await complete(start);
  const [csv, jsonl] = [join(folder, CSV), join(folder, "gph", "fig10.samples.jsonl")];
  const [whole, samples, wanted] = [readFileSync(csv), readFileSync(jsonl), await rows()];
  for (let size = 0; size <= whole.length; size++) {
    writeFileSync(csv, whole.subarray(0, size));
    writeFileSync(jsonl, samples);
    await complete(resume);
    expect(await rows(), `cut after ${size} bytes`).toEqual(wanted);
    expect((await samplesByCell(folder)).size, `cut after ${size} bytes`).toBe(2);
  }
});

test("samples cut off after any byte, before their rows were written, are completed to the same rows", async () => {
  const folder = await measured(temporaryFolder(IN_MEMORY));
  const [csv, jsonl] = [join(folder, CSV), join(folder, "gph", "fig10.samples.jsonl")];
  const lines = readFileSync(jsonl, "utf8");
  const rows = readFileSync(csv, "utf8").split("\n").slice(0, 4).join("\n");
  for (let size = lines.indexOf("\n") + 1; size <= lines.length; size++) {
    writeFileSync(csv, `${rows}\n`);
    writeFileSync(jsonl, lines.slice(0, size));
    const writer = await openResults(folder, configuration, resume);
    expect([...writer.finished()]).toEqual([cellKey(one)]);
    await writer.append(two, result(), runInfo);
    await writer.close();
    expect(await readResults(folder), `cut after ${size} bytes`).toHaveLength(6);
    expect((await samplesByCell(folder)).size, `cut after ${size} bytes`).toBe(2);
  }
});

test("a folder with results asks for --resume or --force", async () => {
  const folder = await measured();
  expect(await complaint(openResults(folder, configuration, start))).toMatch(/holds results already; give --resume/);
});

test("a folder above other runs is refused: its readers would take their rows", async () => {
  const folder = temporaryFolder();
  for (const name of ["wgpu", "dawn"]) await (await openResults(join(folder, name), configuration, start)).close();
  const refused = await complaint(openResults(folder, configuration, { resume: true, force: false }));
  expect(refused).toMatch(/holds other runs, a folder each \(dawn, wgpu\); give another --out$/);
  await (await openResults(join(folder, "dawn"), configuration, resume)).close();
});

test("a run that ended before its first cell leaves nothing that another one may not replace", async () => {
  const folder = join(temporaryFolder(), "empty");
  await (await openResults(folder, { ...configuration, seed: 2 }, start)).close();
  const writer = await openResults(folder, configuration, start);
  await writer.append(one, result(), runInfo);
  await writer.close();
  expect(await complaint(openResults(folder, configuration, start))).toMatch(/holds results already/);
});

test("a folder with results of another configuration is refused, with the difference", async () => {
  const folder = await measured();
  for (const options of [start, resume]) {
    const message = await complaint(openResults(folder, { ...configuration, seed: 2 }, options));
    expect(message).toMatch(/another configuration \(seed: 1 there, 2 now\); give --force/);
  }
});

test("the order of a configuration's fields does not matter", async () => {
  const folder = await measured();
  const writer = await openResults(folder, { shard: undefined, seed: 1, experiments: ["gph/fig10"] }, resume);
  expect(writer.finished().size).toBeGreaterThan(0);
  await writer.close();
});

test("a folder with results of another schema is refused", async () => {
  const folder = await measured();
  writeFileSync(join(folder, "run.json"), JSON.stringify({ schema: 99, configuration }));
  expect(await complaint(openResults(folder, configuration, resume))).toMatch(/results of schema 99, not 4/);
});

test("a run of version 1 of the schema goes on as one of this version", async () => {
  const folder = await measured();
  const csv = join(folder, "gph/fig10.csv");
  const before = await readResults(folder);
  writeFileSync(join(folder, "run.json"), JSON.stringify({ schema: 1, configuration }));
  const removed = [",repetitions,stopped", ",api,system"].reduce(
    (text, names) => text.replace(names, ""),
    header() + csvText(before),
  );
  rmSync(join(folder, "environment.json"));
  writeFileSync(csv, removed.replaceAll(",4,quiet,", ",").replaceAll(",webgpu,{},", ","));
  const writer = await openResults(folder, configuration, resume);
  expect(writer.finished().size).toBe(new Set(before.map(rowKey)).size);
  await writer.append(cell({ table: "double-hashing" }), result(), runInfo);
  expect(await readResults(folder)).toMatchObject([
    ...before.map((row) => ({ ...row, repetitions: 1, stopped: "" })),
    ...rowsOf(cell({ table: "double-hashing" }), result(), runInfo, new Date(0)).map(({ time: _, ...row }) => row),
  ]);
});

test("results without run.json are refused", async () => {
  const folder = await measured();
  const bare = temporaryFolder();
  mkdirSync(join(bare, "gph"));
  writeFileSync(join(bare, CSV), readFileSync(join(folder, CSV)));
  expect(await complaint(openResults(bare, configuration, resume))).toMatch(/without their run\.json/);
});

test("force deletes what the earlier run wrote and nothing else", async () => {
  const folder = await measured();
  mkdirSync(join(folder, "inner"));
  await measured(join(folder, "inner"));
  const others = ["notes.txt", "keys.csv", join("gph", "own.csv")];
  for (const name of others) writeFileSync(join(folder, name), "key,value\n1,2\n");
  const writer = await openResults(folder, { ...configuration, seed: 2 }, force);
  expect(writer.finished().size).toBe(0);
  expect(existsSync(join(folder, CSV))).toBe(false);
  expect(existsSync(join(folder, "gph", "fig10.samples.jsonl"))).toBe(false);
  for (const name of others) expect(readFileSync(join(folder, name), "utf8")).toBe("key,value\n1,2\n");
  expect(await readResults(join(folder, "inner"))).toHaveLength(6);
});

test("other people's files are no results, and never written into", async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "gph"));
  writeFileSync(join(folder, CSV), "key,value\n1,2\n");
  for (const options of [start, resume, force]) {
    const writer = await openResults(temporaryFolder(), configuration, options);
    expect(writer.finished().size).toBe(0);
  }
  const writer = await openResults(folder, configuration, start);
  expect(await complaint(writer.append(one, result(), runInfo))).toMatch(
    /fig10\.csv is not a result file of hashbench/,
  );
  expect(readFileSync(join(folder, CSV), "utf8")).toBe("key,value\n1,2\n");
});

test("a run.json of somebody else is never overwritten", async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "run.json"), '{"distance":10}');
  expect(await complaint(openResults(folder, configuration, force))).toMatch(/run\.json was not written by hashbench/);
});

test("a file, and a folder inside a file, are no folders", async () => {
  const file = join(temporaryFolder(), "a");
  writeFileSync(file, "");
  expect(await complaint(openResults(file, configuration, force))).toMatch(/is a file, not a folder/);
  expect(await complaint(openResults(join(file, "b"), configuration, start))).toMatch(/: .* is a file, not a folder/);
});

test("the environment of every run is kept", async () => {
  const folder = temporaryFolder();
  for (const [options, environment] of [
    [start, { run: "1", cores: 2 }],
    [resume, { run: "2", cores: 4 }],
  ] as const) {
    const writer = await openResults(folder, configuration, options);
    await writer.writeEnvironment(environment);
    await writer.close();
  }
  expect(JSON.parse(readFileSync(join(folder, "environment.json"), "utf8"))).toEqual({
    "1": { run: "1", cores: 2 },
    "2": { run: "2", cores: 4 },
  });
});
