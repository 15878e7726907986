import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { UsageError } from "../../kernels/device/errors.js";
import { csvText, header, parseRows } from "./csv.js";
import { readFolders } from "./folder.js";
import { cellKey } from "./key.js";
import { isLine } from "./line.js";
import { readResults, readSampleLines } from "./read.js";
import { COLUMNS, type ResultRow } from "./record.js";
import { rowsOf } from "./rows.js";
import { samplesText } from "./samples.js";
import { cell, result, runInfo, temporaryFolder } from "./testing.js";

const rows = rowsOf(cell(), result(), runInfo, new Date(0));
const good = header() + csvText(rows);

function put(folder: string, name: string, text: string): string {
  const file = join(folder, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

/** The good CSV with one field of line 3 replaced. */
function withField(column: keyof ResultRow, value: string): string {
  const lines = good.split("\n");
  const fields = (lines[2] ?? "").match(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g) ?? [];
  const at = COLUMNS.indexOf(column);
  fields[at] = `${value},`;
  lines[2] = fields.slice(0, COLUMNS.length).join("");
  if (at === COLUMNS.length - 1) lines[2] = lines[2].slice(0, -1);
  return lines.join("\n");
}

function complaint(text: string): string {
  try {
    parseRows(text, "a.csv");
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError);
    expect((error as Error).message).not.toContain("\n");
    return (error as Error).message;
  }
  return "";
}

test("what was written is read back", () => {
  expect(parseRows(good, "a.csv")).toEqual(rows);
});

test("a byte order mark, CRLF and empty lines are no error", () => {
  expect(parseRows(`\ufeff${good.replaceAll("\n", "\r\n")}\r\n`, "a.csv")).toEqual(rows);
});

test("columns may stand in another order", () => {
  const order = COLUMNS.toReversed();
  const some: Record<string, string> = { params: "{}", system: "{}", api: "cuda", time: "1970-01-01T00:00:00Z" };
  const line = order.map((name): string => some[name] ?? "1");
  line[order.indexOf("status")] = "ok";
  line[order.indexOf("stopped")] = "time";
  expect(parseRows(`${order.join()}\n${line.join()}\n`, "a.csv")).toMatchObject([{ value: 1, params: {} }]);
});

test.each([
  ["nothing at all", "", "a.csv: empty; its first line should be run,time,"],
  ["a missing column", good.replace(",lo,", ","), "a.csv:1: column lo is missing"],
  ["a renamed column", good.replace(",lo,", ",low,"), 'a.csv:1: column lo is missing, unknown column "low"'],
  ["an unknown column", good.replace(",lo,", ",lo,unitt,"), 'a.csv:1: unknown column "unitt"; did you mean unit?'],
  ["a doubled column", good.replace(",lo,", ",lo,lo,"), "a.csv:1: column lo is there twice"],
  ["a truncated line", good.slice(0, -40), "a.csv:4: "],
  ["text for a number", withField("value", "fast"), 'a.csv:3: column value is "fast", not a number'],
  ["a blank for a number", withField("value", " "), 'a.csv:3: column value is " ", not a number'],
  ["an infinite number", withField("value", "Infinity"), 'a.csv:3: column value is "Infinity", not a number'],
  [
    "a number that overflows",
    withField("value", "1e308"),
    'a.csv:3: column value is "1e308": neither 0 nor from 1e-100',
  ],
  ["a number that vanishes", withField("lo", "5e-324"), 'a.csv:3: column lo is "5e-324": neither 0 nor from 1e-100'],
  ["a negative quantity", withField("value", "-1"), 'a.csv:3: column value is "-1": neither 0 nor from 1e-100'],
  ["a parameter that overflows", withField("params", '"{""k"":-1e308}"'), "a.csv:3: column params is"],
  ["a number left out", withField("n", ""), "a.csv:3: column n is empty"],
  ["an impossible ratio", withField("positive_ratio", "1.5"), 'a.csv:3: column positive_ratio is "1.5"'],
  ["an unknown status", withField("status", "okay"), 'a.csv:3: column status is "okay", not one of ok, failed'],
  ["broken params", withField("params", "{"), "a.csv:3: column params: not JSON"],
  ["params that are a list", withField("params", "[]"), 'a.csv:3: column params is "[]"'],
  ["a time that is none", withField("time", "today"), 'a.csv:3: column time is "today"'],
  ["an open quote", `${good}"abc`, "a.csv:5: broken CSV"],
])("%s is named in one line", (_, text, message) => {
  expect(complaint(text)).toContain(message);
});

test.each([
  "run",
  "commit",
  "device",
  "driver",
  "dawn",
  "table",
  "variant",
  "op",
  "dataset",
  "unit",
  "reason",
] as const)(
  "a row whose %s would do something to a terminal is refused, and its complaint does nothing to it",
  (column) => {
    for (const odd of ["a\u001b[2Jb", '"a\nb"', '"a\r\nb"', "a\u0007b", "a\u009bb", "a\u2028b", "a\u202eb"]) {
      const said = complaint(withField(column, odd));
      expect(said).toMatch(new RegExp(`^a\\.csv:\\d+: column ${column} is "a.*b": a control character`));
      expect(isLine(said)).toBe(true);
    }
  },
);

test("so is one with such a parameter, or such a name of one", () => {
  for (const params of ['"{""k"":""a\\u001bb""}"', '"{""a\\nb"":1}"'])
    expect(complaint(withField("params", params))).toMatch(/^a\.csv:3: column params is /);
});

test("rows that are written can be read, whatever a device or an error says", () => {
  const odd = { ...runInfo, device: "GPU\u001b[31m\n2" };
  const failed = result({ status: "failed", reason: "no\u0007 \u202eluck\nat all" });
  const [row] = parseRows(header() + csvText(rowsOf(cell(), failed, odd, new Date(0))), "a.csv");
  expect(row).toMatchObject({ device: "GPU [31m 2", reason: "no luck at all" });
});

test("a folder is read with all folders in it, by path", async () => {
  const folder = temporaryFolder();
  put(folder, "run.json", '{"schema":1,"configuration":{}}');
  put(folder, "slab/fig4.csv", good.replaceAll("gph/fig10", "slab/fig4"));
  put(folder, "gph/fig10.csv", good);
  expect((await readResults(folder)).map(({ experiment }) => experiment)).toEqual([
    ...Array(3).fill("gph/fig10"),
    ...Array(3).fill("slab/fig4"),
  ]);
});

test("baselines below a folder are none of its results, unless they are asked for", async () => {
  const folder = temporaryFolder();
  put(folder, "gpu/run.json", '{"schema":1,"configuration":{}}');
  put(folder, "gpu/gph/fig10.csv", good);
  const planted = "baselines/gpu/slower";
  put(folder, `${planted}/run.json`, '{"schema":1,"configuration":{}}');
  put(folder, `${planted}/gph/fig10.csv`, good.replaceAll("bucketed", "cuckoo"));
  put(folder, `${planted}/environment.json`, "{}");
  expect(await readResults(folder)).toEqual(rows);
  expect(readFolders(folder).map(({ path }) => path)).toEqual([join(folder, "gpu")]);
  for (const path of [planted, "baselines"])
    expect((await readResults(join(folder, path))).every(({ table }) => table === "cuckoo")).toBe(true);
});

test("in the folder of a run other people's CSV files are passed over, damaged results are not", async () => {
  const folder = temporaryFolder();
  const keys = put(folder, "keys.csv", "key,value\n1,2\n");
  put(folder, "gph/fig10.csv", good);
  await expect(readResults(folder)).rejects.toThrow(/keys\.csv:1: column run is missing/);
  put(folder, "run.json", '{"schema":1,"configuration":{}}');
  expect(await readResults(folder)).toEqual(rows);
  await expect(readResults(keys)).rejects.toThrow(/keys\.csv:1: column run is missing/);
  put(folder, "gph/fig11.csv", good.replace("run,", "ran,"));
  await expect(readResults(folder)).rejects.toThrow(/fig11\.csv:1: column run is missing, unknown column "ran"/);
  put(folder, "gph/fig11.csv", "");
  put(folder, "gph/fig11.samples.jsonl", "");
  await expect(readResults(folder)).rejects.toThrow(/fig11\.csv: empty/);
});

test("the folder may be the working directory", async () => {
  const before = process.cwd();
  const folder = temporaryFolder();
  put(folder, "run.json", '{"schema":1,"configuration":{}}');
  put(folder, "keys.csv", "key,value\n1,2\n");
  put(folder, "gph/fig10.csv", good);
  process.chdir(folder);
  try {
    expect(await readResults(".")).toEqual(rows);
  } finally {
    process.chdir(before);
  }
});

test("one file is read by its name", async () => {
  expect(await readResults(put(temporaryFolder(), "a.csv", good))).toEqual(rows);
});

test("results of an unknown schema are refused, as a folder, inside one and as a file", async () => {
  const folder = temporaryFolder();
  put(folder, "a/run.json", '{"schema":5,"configuration":{}}');
  const file = put(folder, "a/gph/fig10.csv", good);
  for (const path of [folder, join(folder, "a"), file])
    await expect(readResults(path)).rejects.toThrow(
      /run\.json: schema 5, but this hashbench reads 1, 2, 3, 4; a newer/,
    );
});

/** The text in versions 2 and 1 of the schema. */
const secondVersion = good.replace(",api,system", "").replaceAll(",webgpu,{},", ",");
const firstVersion = secondVersion.replace(",repetitions,stopped", "").replaceAll(",4,quiet,", ",");

test("results of version 1 are read: nothing was repeated, and it is not known how sampling ended", async () => {
  const folder = temporaryFolder();
  put(folder, "run.json", '{"schema":1,"configuration":{}}');
  put(folder, "gph/fig10.csv", firstVersion);
  expect(await readResults(folder)).toEqual(rows.map((row) => ({ ...row, repetitions: 1, stopped: "" })));
});

test("results of version 2 are read: WebGPU ran all tables but those of the bench cpu", () => {
  expect(parseRows(secondVersion, "a.csv")).toEqual(rows);
  const cpu = parseRows(secondVersion.replaceAll(",table,bucketed,", ",cpu,js-map,"), "a.csv");
  expect(cpu.map(({ api }) => api)).toEqual(rows.map(() => "cpu"));
});

test("what a native table says of itself is read back", () => {
  const system = { device: "GPU", driver: "1.2", compiler: 'nvcc "12"', library: "lib, 0.1", clock: "CUDA events" };
  const native = rows.map((row) => ({ ...row, api: "cuda" as const, system }));
  expect(parseRows(header() + csvText(native), "a.csv")).toEqual(native);
});

test.each([
  ["version 2", secondVersion.replace(",repetitions,", ",").replaceAll(",4,quiet,", ",quiet,"), "repetitions"],
  ["version 2, where there are those of version 3", good.replace(",repetitions,", ","), "repetitions"],
  ["version 3", good.replace(",system,", ",").replaceAll(",{},", ","), "system"],
])("a column of %s that is missing beside others is an error", (_, torn, column) => {
  expect(() => parseRows(torn, "a.csv")).toThrow(`a.csv:1: column ${column} is missing: not a result file?`);
});

test("a run.json of somebody else above a single file is no error", async () => {
  const folder = temporaryFolder();
  put(folder, "run.json", "not JSON");
  expect(await readResults(put(folder, "a.csv", good))).toHaveLength(3);
});

test("a path that does not exist, an empty folder and a header alone are errors", async () => {
  const folder = temporaryFolder();
  await expect(readResults(join(folder, "none"))).rejects.toThrow(/none: no such folder or file/);
  await expect(readResults(folder)).rejects.toThrow(`no results in ${folder} (no .csv file)`);
  put(folder, "a.csv", header());
  await expect(readResults(folder)).rejects.toThrow(`no results in ${folder} (no row)`);
});

test.skipIf(process.getuid?.() === 0)("a file without the right to read it is an error", async () => {
  const file = put(temporaryFolder(), "a.csv", good);
  chmodSync(file, 0);
  await expect(readResults(file)).rejects.toThrow(/a\.csv cannot be read: permission denied/);
});

test("samples come line by line, without a torn last one", async () => {
  const folder = temporaryFolder();
  put(folder, "b.csv", good);
  const key = cellKey(cell());
  const line = (run: string, samples: number[]) => ({ key, run, rows: 3, samples });
  const [one, two, torn] = [line("2", [5, 4]), line("1", [7]), line("3", [8])];
  put(folder, "b.samples.jsonl", samplesText(one) + samplesText(two) + samplesText(torn).slice(0, 20));
  expect(await readSampleLines(folder)).toEqual([one, two]);
});

test("a broken samples line is named", async () => {
  const folder = temporaryFolder();
  put(folder, "b.csv", good);
  put(folder, "b.samples.jsonl", '{"key":1}\n');
  await expect(readSampleLines(folder)).rejects.toThrow(/b\.samples\.jsonl:1: no \{key/);
});
