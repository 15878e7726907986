import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { replaceFile } from "../../datasets/files/paths.js";
import { packageRoot } from "../base/paths.js";
import { csvText, header, parseRows } from "./csv.js";
import { resultFiles } from "./read.js";
import { COLUMNS, STATUSES } from "./record.js";
import { rowsOf } from "./rows.js";
import { cell, keptRows, metric, result, runInfo, temporaryFolder } from "./testing.js";

/** The name of every column and metric stands in the README between backquotes. */
const readme = readFileSync(join(packageRoot, "results", "README.md"), "utf8");
const named = new Set([...readme.matchAll(/`([^`\n]+)`/g)].map((match) => match[1]));
/** Folders of rows: of devices, and of baselines. */
const folders = readdirSync(join(packageRoot, "results"), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && resultFiles(join(entry.parentPath, entry.name)).length > 0)
  .map(({ name }) => name);

test("the header and a row are written in this form, which only another schema may change", () => {
  const spec = cell({ dataset: "file:a.csv?columns=a,b" });
  const one = result({ metrics: [{ ...metric("mops", 2), lo: null, hi: 2.5 }] });
  expect(header() + csvText(rowsOf(spec, one, runInfo, new Date(0)))).toBe(
    [
      "run,time,commit,device,driver,dawn,toggles,api,system,experiment,bench,table,variant,op,dataset,n,load_factor,positive_ratio," +
        "seed,params,data_hash,metric,unit,value,lo,hi,samples,repetitions,stopped,status,reason",
      '20260102T030405Z,1970-01-01T00:00:00.000Z,0123456789ab,"Example, 64 GB","driver ""1.0""",webgpu 0.6.2,' +
        'disable_robustness,webgpu,{},gph/fig10,table,bucketed,,find,"file:a.csv?columns=a,b",1000,0.8,0.5,1,' +
        '"{""lookups"":2000,""layout"":""a,b""}",00ff,mops,M op/s,2,,2.5,3,4,quiet,ok,',
      "",
    ].join("\n"),
  );
});

test.each(["a,b", 'the "best"', '"', " a ", "ø 統 🎛", "=1+1", ""])("the text %j comes back as it was", (text) => {
  const spec = cell({ variant: text, dataset: text, params: { text } });
  const rows = rowsOf(spec, result(), runInfo, new Date(0));
  expect(parseRows(header() + csvText(rows), "a.csv")).toEqual(rows);
});

test("a reason of several lines is one line, in the file too", () => {
  const reason = 'kernels/x.wgsl:3:1 wrong, "very"\n\n  note:\r\n\tsee there\n';
  const text = csvText(rowsOf(cell(), result({ status: "failed", reason, metrics: [] }), runInfo, new Date(0)));
  expect(text.trimEnd().split("\n")).toHaveLength(1);
  expect(parseRows(header() + text, "a.csv")[0]?.reason).toBe('kernels/x.wgsl:3:1 wrong, "very" note: see there');
});

test("a failed cell has no number between its commas", () => {
  const text = csvText(rowsOf(cell(), result({ status: "failed", reason: "lost key" }), runInfo, new Date(0)));
  expect(text).toMatch(/,mops,M op\/s,,,,3,4,quiet,failed,lost key\n$/);
});

test("a file that is replaced leaves nothing beside it", () => {
  const file = join(temporaryFolder(), "a");
  writeFileSync(file, "old");
  replaceFile(file, "new");
  expect(readFileSync(file, "utf8")).toBe("new");
  expect(() => readFileSync(`${file}.tmp`)).toThrow("ENOENT");
});

test("results/README.md names every column and every status", () => {
  for (const name of [...COLUMNS, ...STATUSES]) expect(named, name).toContain(name);
});

test("the results that are kept are valid, and results/README.md names all their metrics and units", async () => {
  expect(folders).toContain("nvidia-h200");
  const rows = (await Promise.all(folders.map(keptRows))).flat();
  // Those of one kernel, or of a region, have its name behind them; requests have the bytes of the memory that they go to.
  const ofPart = /^(?:(?:warp_efficiency|warp_efficiency_instructions|operations)_[\w-]+|requests_in_\d+)$/;
  const metrics = [...new Set(rows.map(({ metric: name }) => name))].filter((name) => !ofPart.test(name));
  expect(metrics.filter((name) => !named.has(name))).toEqual([]);
  const units = [...new Set(rows.map(({ unit }) => unit))];
  expect(units.filter((unit) => !readme.includes(`| ${unit} |`))).toEqual([]);
});

test("the figures that the kept report shows are there", () => {
  const reports = join(packageRoot, "reports");
  const pages = readdirSync(reports).filter((name) => name.endsWith(".md") && name !== "README.md");
  const text = pages.map((name) => readFileSync(join(reports, name), "utf8")).join("\n");
  const shown = [...text.matchAll(/!\[[^\]]*\]\(([^)]+)\)/g)].map(([, path = ""]) => path);
  expect(shown.length).toBeGreaterThan(10);
  expect(shown.filter((path) => !existsSync(join(reports, path)))).toEqual([]);
});
