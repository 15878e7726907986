import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { UsageError } from "../../kernels/device/errors.js";
import type { CellSpec } from "../base/experiment.js";
import { experiments } from "../experiments/index.js";
import { plan } from "../run/plan.js";
import type { Configuration } from "./configuration.js";
import { walk } from "./files.js";
import { readFolders, replaceFolder } from "./folder.js";
import { cellKey, rowKey, rowWords } from "./key.js";
import { merge } from "./merge.js";
import { readResults, readSampleLines } from "./read.js";
import type { CellResult, RunInfo } from "./record.js";
import { cell, metric, result, runInfo, samplesByCell, temporaryFolder } from "./testing.js";
import { openResults } from "./write.js";

const fig10 = experiments.filter(({ id }) => id === "gph/fig10");
const device = { software: false, name: runInfo.device };

function configuration(change: Configuration = {}): Configuration {
  const { device, driver, toggles } = runInfo;
  return {
    experiments: [{ id: "gph/fig10", scale: 1 }],
    seed: 1,
    quick: false,
    tables: null,
    datasets: null,
    shard: null,
    device,
    driver,
    toggles,
    ...change,
  };
}

interface Written {
  readonly cells: readonly CellSpec[];
  readonly info?: Partial<RunInfo>;
  readonly of?: Configuration;
  readonly result?: (cell: CellSpec) => CellResult;
  /** To the millisecond, unlike the run's id. */
  readonly date?: string;
}

async function write(folder: string, { cells, info, of, result: given, date }: Written): Promise<string> {
  const run = { ...runInfo, ...info };
  const writer = await openResults(folder, configuration(of), { resume: false, force: false });
  await writer.writeEnvironment({ date: date ?? `${folder} ${run.run}`, run: run.run });
  for (const one of cells) await writer.append(one, (given ?? measured)(one), run);
  await writer.close();
  return folder;
}

/** A value of its own for every cell. */
function measured(spec: CellSpec): CellResult {
  const value = cellKey(spec).length + spec.n / 1e9 + (spec.positiveRatio ?? 0);
  return result({ metrics: [metric("mops", value), metric("time", 2 * value)], samples: [value, value + 1] });
}

/** Merges folders into a new one. */
function merged(...folders: string[]): string {
  const out = join(temporaryFolder(), "merged");
  replaceFolder(out, merge(folders.flatMap(readFolders)), "--out");
  return out;
}

/** All files of a folder, relative, with their bytes. */
function bytes(folder: string): Record<string, string> {
  return Object.fromEntries(walk(folder).map((file) => [file.slice(folder.length), readFileSync(file, "base64")]));
}

function complaint(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError);
    expect((error as Error).message).not.toContain("\n");
    return (error as Error).message;
  }
  return "";
}

/** Shards of gph/fig10 and the whole of it, all with one run id. */
async function sweep(count: number): Promise<{ shards: string[]; whole: CellSpec[] }> {
  const cells = (shard?: { index: number; count: number }) =>
    plan(fig10, { quick: false, seed: 1, ...(shard ? { shard } : {}) }, device).flatMap((planned) => planned.cells);
  const folder = temporaryFolder();
  const shards: string[] = [];
  for (let index = 1; index <= count; index++) {
    const shard = { index, count };
    shards.push(await write(join(folder, `shard${index}`), { cells: cells(shard), of: { shard } }));
  }
  return { shards, whole: cells() };
}

test("four shards of gph/fig10, begun in one second, give the cells of the unsharded run with all rows and samples", async () => {
  const { shards, whole } = await sweep(4);
  const out = merged(...shards);
  const rows = await readResults(out);
  expect([...new Set(rows.map(rowKey))].toSorted()).toEqual(whole.map(cellKey).toSorted());
  expect(rows).toHaveLength(2 * whole.length);
  const samples = await samplesByCell(out);
  for (const spec of whole) expect(samples.get(cellKey(spec))).toEqual(measured(spec).samples);
  const environments = JSON.parse(readFileSync(join(out, "environment.json"), "utf8")) as Record<string, object>;
  expect(new Set(rows.map(({ run }) => run))).toEqual(new Set(Object.keys(environments)));
  expect(Object.keys(environments)).toHaveLength(4);
});

test("whole sweeps of different experiments become one folder, in any order; two scales of one are refused", async () => {
  const one = (id: string, scale = 1) => ({ experiments: [{ id, scale }] });
  const sweepOf = (id: string, scale?: number) =>
    write(join(temporaryFolder(), "run"), { cells: [cell({ experiment: id })], of: one(id, scale) });
  const [a, b] = [await sweepOf("gph/fig10"), await sweepOf("stadium/fig13")];
  const again = await sweepOf("stadium/fig13", 0.5);
  expect(bytes(merged(a, b))).toEqual(bytes(merged(b, a)));
  expect(new Set((await readResults(merged(a, b))).map(({ experiment }) => experiment)).size).toBe(2);
  expect(complaint(() => merged(merged(a, b), again))).toMatch(/not measured alike \(experiments: /);
});

test("sweeps with different plug-ins become one folder, in any order; two versions of one are refused", async () => {
  const sweepOf = (id: string, plugins: Configuration) =>
    write(join(temporaryFolder(), "run"), {
      cells: [cell({ experiment: id })],
      of: { experiments: [{ id, scale: 1 }], plugins },
    });
  const [a, b] = [await sweepOf("gph/fig10", { mine: "1" }), await sweepOf("stadium/fig13", { other: "1" })];
  expect(bytes(merged(a, b))).toEqual(bytes(merged(b, a)));
  const [both] = readFolders(merged(a, b));
  expect(both?.configuration.plugins).toEqual({ mine: "1", other: "1" });
  const edited = await sweepOf("slab/fig4a", { mine: "2" });
  expect(complaint(() => merged(a, edited))).toMatch(
    /not measured alike \(plugins: {"mine":"1"} in .*, {"mine":"2"} in /,
  );
});

test("the order of the inputs, and merging in steps, make no difference to any byte", async () => {
  const { shards } = await sweep(3);
  const [a = "", b = "", c = ""] = shards;
  const expected = bytes(merged(a, b, c));
  expect(Object.keys(expected)).toEqual([
    "/environment.json",
    "/gph/fig10.csv",
    "/gph/fig10.samples.jsonl.gz",
    "/run.json",
  ]);
  expect(bytes(merged(c, a, b))).toEqual(expected);
  expect(bytes(merged(dirname(a)))).toEqual(expected);
  expect(bytes(merged(a, merged(b, c), a))).toEqual(expected);
  expect(bytes(merged(merged(a, b, c)))).toEqual(expected);
});

test("a merged folder is resumed like the unsharded run, its samples unpacked", async () => {
  const { shards, whole } = await sweep(4);
  const out = merged(...shards.slice(1));
  const before = await readSampleLines(out);
  const writer = await openResults(out, configuration(), { resume: true, force: false });
  const missing = whole.filter((spec) => !writer.finished().has(cellKey(spec)));
  expect(missing.length).toBe(whole.length - before.length);
  for (const spec of missing) await writer.append(spec, measured(spec), { ...runInfo, run: "20260103T000000Z" });
  expect(await readSampleLines(out)).toHaveLength(whole.length);
  expect((await readSampleLines(out)).slice(0, before.length)).toEqual(before);
  expect(readdirSync(join(out, "gph"))).toEqual(["fig10.csv", "fig10.samples.jsonl"]);
});

test("--force of a run removes compressed samples", async () => {
  const out = merged(await write(join(temporaryFolder(), "a"), { cells: [cell()] }));
  await openResults(out, configuration({ seed: 2 }), { resume: false, force: true });
  expect(readdirSync(join(out, "gph"))).toEqual([]);
});

test("samples both plain and compressed, as a kill while they were unpacked leaves them, are read once", async () => {
  const out = merged(await write(join(temporaryFolder(), "a"), { cells: [cell()] }));
  const packed = join(out, "gph", "fig10.samples.jsonl.gz");
  writeFileSync(packed.replace(/\.gz$/, ""), gunzipSync(readFileSync(packed)));
  expect(await readSampleLines(out)).toHaveLength(1);
  const writer = await openResults(out, configuration(), { resume: true, force: false });
  expect(writer.finished()).toEqual(new Set([cellKey(cell())]));
  expect(existsSync(packed)).toBe(false);
});

test("a cell that two folders hold alike is there once", async () => {
  const folder = temporaryFolder();
  const a = await write(join(folder, "a"), { cells: [cell(), cell({ n: 2 })] });
  cpSync(a, join(folder, "b"), { recursive: true });
  expect(await readResults(merged(a, join(folder, "b")))).toHaveLength(4);
});

test("a cell whose samples are gone in one folder has those of the other, in whatever order they come", async () => {
  const folder = temporaryFolder();
  const a = await write(join(folder, "a"), { cells: [cell(), cell({ n: 2 })] });
  const b = join(folder, "b");
  const c = join(folder, "c");
  for (const copy of [b, c]) cpSync(a, copy, { recursive: true });
  for (const gone of [a, c]) rmSync(join(gone, "gph", "fig10.samples.jsonl"));
  const orders = [
    [a, b],
    [b, a],
    [a, b, c],
    [c, a, b],
    [merged(a, c), b],
    [b, merged(a, c)],
  ];
  for (const order of orders) expect(bytes(merged(...order))).toEqual(bytes(merged(b)));
});

test("a folder of several runs of one cell takes in a folder that has one of them, in both orders", async () => {
  const folder = temporaryFolder();
  const later = { run: "20260102T030406Z" };
  const [one, other] = [
    await write(join(folder, "one"), { cells: [cell()] }),
    await write(join(folder, "other"), { cells: [cell()], info: later }),
  ];
  const both = join(folder, "both");
  cpSync(one, both, { recursive: true });
  const read = (of: string, name: string) => readFileSync(join(of, name), "utf8");
  const [csv, samples, environment] = ["gph/fig10.csv", "gph/fig10.samples.jsonl", "environment.json"] as const;
  appendFileSync(join(both, csv), read(other, csv).split("\n").slice(1).join("\n"));
  appendFileSync(join(both, samples), read(other, samples));
  const environments = [one, other].map((of) => JSON.parse(read(of, environment)) as object);
  writeFileSync(join(both, environment), JSON.stringify(Object.assign({}, ...environments)));
  const expected = bytes(merged(both));
  expect(await readResults(merged(both))).toHaveLength(4);
  for (const part of [one, other]) {
    expect(bytes(merged(both, part))).toEqual(expected);
    expect(bytes(merged(part, both))).toEqual(expected);
  }
  // No folder has these two.
  expect(complaint(() => merged(one, other))).toContain("hold different results of one cell");
  expect(complaint(() => merged(other, one))).toContain("hold different results of one cell");
});

test.each(["another value", "another run of equal values"])(
  "%s of one cell names both files and the cell",
  async (kind) => {
    const folder = temporaryFolder();
    const a = await write(join(folder, "a"), { cells: [cell()], date: "same" });
    const b = await write(join(folder, "b"), {
      cells: [cell()],
      date: "same",
      ...(kind === "another value" ? { result: () => result() } : { info: { run: "20260102T030406Z" } }),
    });
    for (const order of [
      [a, b],
      [b, a],
    ]) {
      const says = complaint(() => merged(...order));
      for (const part of [
        join(a, "gph", "fig10.csv"),
        join(b, "gph", "fig10.csv"),
        "gph/fig10 bucketed find random n=1000",
      ])
        expect(says).toContain(part);
    }
  },
);

test("the same cell on another version of Dawn or another device is no conflict", async () => {
  const folder = temporaryFolder();
  const a = await write(join(folder, "a"), { cells: [cell()] });
  const b = await write(join(folder, "b"), { cells: [cell()], info: { dawn: "webgpu 0.7.0" } });
  const c = await write(join(folder, "c"), { cells: [cell()], info: { device: "Other" }, of: { device: "Other" } });
  const out = merged(a, b, c);
  expect(await readResults(out)).toHaveLength(6);
  expect(bytes(merged(c, merged(b, a)))).toEqual(bytes(out));
  // No run equals several environments.
  await expect(openResults(out, configuration(), { resume: true, force: false })).rejects.toThrow(UsageError);
});

test.each(["timeout", "crash"] as const)(
  "a %s gives way to an end that is final, and to a later one",
  async (status) => {
    const folder = temporaryFolder();
    const lost = () => result({ status, reason: "no answer", metrics: [], samples: [] });
    const a = await write(join(folder, "a"), { cells: [cell(), cell({ n: 2 })], result: lost });
    const b = await write(join(folder, "b"), { cells: [cell()], info: { run: "20260102T030406Z" } });
    const c = await write(join(folder, "c"), {
      cells: [cell({ n: 2 })],
      result: lost,
      info: { run: "20260102T030407Z" },
    });
    for (const order of [
      [a, b, c],
      [c, b, a],
    ]) {
      const rows = await readResults(merged(...order));
      expect(rows.map(({ n, status, run }) => [n, status, run.slice(0, 16)])).toEqual([
        [2, status, "20260102T030407Z"],
        [1000, "ok", "20260102T030406Z"],
        [1000, "ok", "20260102T030406Z"],
      ]);
    }
  },
);

test.each<[string, Configuration, RegExp]>([
  ["seed", { seed: 2 }, /seed: 1 in .*a, 2 in .*b/],
  ["driver", { driver: "2.0" }, /driver: "driver \\"1.0\\"" in .*a, "2.0" in .*b/],
  ["an unknown entry", { later: true }, /later: none in .*a, true in .*b/],
  ["another device's seed", { device: "Other", seed: 2 }, /seed: 1 in/],
  ["another device's scale", { device: "Other", experiments: [{ id: "gph/fig10", scale: 2 }] }, /experiments: /],
])("folders that differ in %s are refused", async (_, of, says) => {
  const folder = temporaryFolder();
  const a = await write(join(folder, "a"), { cells: [cell()] });
  const b = await write(join(folder, "b"), { cells: [cell({ n: 2 })], of });
  expect(complaint(() => merged(a, b))).toMatch(says);
});

test("--quick chose another scale on another kind of device: no difference", async () => {
  const folder = temporaryFolder();
  const a = await write(join(folder, "a"), { cells: [cell()], of: { quick: true } });
  const of = { quick: true, device: "Other", experiments: [{ id: "gph/fig10", scale: 0.1 }] };
  const b = await write(join(folder, "b"), { cells: [cell()], info: { device: "Other" }, of });
  expect(await readResults(merged(a, b))).toHaveLength(4);
});

test("a folder stays what it is when it cannot be replaced, and keeps what others put into it", async () => {
  const folder = temporaryFolder();
  const a = await write(join(folder, "a"), { cells: [cell()] });
  const out = join(folder, "out");
  mkdirSync(join(out, "figures"), { recursive: true });
  writeFileSync(join(out, "figures", "notes.txt"), "mine");
  writeFileSync(join(out, "run.json"), readFileSync(join(a, "run.json")));
  writeFileSync(join(out, "old.csv"), readFileSync(join(a, "gph", "fig10.csv")));
  replaceFolder(out, merge(readFolders(a)), "--out");
  expect(Object.keys(bytes(out))).toEqual([
    "/environment.json",
    "/figures/notes.txt",
    "/gph/fig10.csv",
    "/gph/fig10.samples.jsonl.gz",
    "/run.json",
  ]);
  const before = bytes(out);
  const broken = { ...merge(readFolders(a)), environments: null as never };
  expect(() => replaceFolder(out, broken, "--out")).toThrow();
  expect(bytes(out)).toEqual(before);
  expect(readdirSync(folder).toSorted()).toEqual(["a", "out"]);
});

test("what is damaged is named by file, and a half written cell by its name", async () => {
  const a = await write(join(temporaryFolder(), "a"), { cells: [cell()] });
  const csv = join(a, "gph", "fig10.csv");
  const good = readFileSync(csv, "utf8");
  const says = (file: string, text: string | Uint8Array): string => {
    const before = existsSync(file) ? readFileSync(file) : null;
    writeFileSync(file, text);
    const message = complaint(() => merged(a));
    if (before) writeFileSync(file, before);
    else rmSync(file);
    return message;
  };
  expect(says(csv, good.slice(0, -20))).toMatch(/fig10\.csv:3: /);
  expect(says(csv, good.split("\n").slice(0, 2).join("\n"))).toMatch(
    /fig10\.csv: gph\/fig10 bucketed .* has 1 of its 2 rows/,
  );
  expect(says(csv, good.replaceAll("gph/fig10", "../../gph"))).toMatch(
    /fig10\.csv: "\.\.\/\.\.\/gph" is no experiment/,
  );
  expect(says(join(a, "run.json"), "{")).toMatch(/run\.json: not JSON/);
  expect(says(join(a, "run.json"), '{"schema":1}')).toMatch(/run\.json: configuration: /);
  expect(says(join(a, "environment.json"), "[1]")).toMatch(/environment\.json: its content: /);
  const plain = join(a, "gph", "fig10.samples.jsonl");
  const lines = readFileSync(plain);
  rmSync(plain);
  expect(says(`${plain}.gz`, gzipSync(lines).subarray(0, 40))).toMatch(
    /fig10\.samples\.jsonl\.gz cannot be read: its gzip is cut off/,
  );
  expect(says(`${plain}.gz`, gzipSync("{}\n"))).toMatch(/fig10\.samples\.jsonl\.gz:1: no \{key/);
  expect(complaint(() => merged(join(a, "gph")))).toMatch(/no results folder \(there is no run\.json/);
});

test("a cell in words says what its key holds", async () => {
  const [row] = await readResults(await write(join(temporaryFolder(), "a"), { cells: [cell()] }));
  expect(row && rowWords(row)).toBe(
    "gph/fig10 bucketed find random n=1000 load_factor=0.8 positive_ratio=0.5 lookups=2000 layout=a,b seed=1",
  );
});
