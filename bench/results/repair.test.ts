import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { csvText, header } from "./csv.js";
import { withRows } from "./environments.js";
import { cellKey } from "./key.js";
import { FILE_COLUMNS } from "./record.js";
import { completeCells, repair } from "./repair.js";
import { rowsOf } from "./rows.js";
import { type SamplesLine, samplesText } from "./samples.js";
import { cell, result, runInfo, temporaryFolder } from "./testing.js";

const [one, two] = [cell(), cell({ op: "insert" })];
const rows = [one, two].map((spec) => rowsOf(spec, result(), runInfo, new Date(0)));
const lines = [one, two].map((spec, i): SamplesLine => {
  return { key: cellKey(spec), run: runInfo.run, rows: rows[i]?.length ?? 0, samples: [1] };
});
const [first, last] = rows.map((own) => csvText(own, FILE_COLUMNS)) as [string, string];
const head = header(FILE_COLUMNS);
const environments = JSON.stringify(Object.fromEntries(withRows(new Map(), rows.flat())));

/** A CSV of both cells with these samples; the cells that stay: 1 and 2. */
function kept(csv: string, samples: readonly SamplesLine[]): number[] {
  const file = join(temporaryFolder(), "x.csv");
  writeFileSync(file, head + csv);
  writeFileSync(join(dirname(file), "environment.json"), environments);
  writeFileSync(file.replace(".csv", ".samples.jsonl"), samples.map(samplesText).join(""));
  const complete = completeCells(file);
  expect(repair(file, () => undefined)).toEqual(complete);
  const left = complete.map((key) => [cellKey(one), cellKey(two)].indexOf(key) + 1);
  const whole = left.map((number) => (number === 1 ? first : last)).join("");
  if (left.length > 0) expect(readFileSync(file, "utf8")).toBe(head + whole);
  return left;
}

const changed = (change: Partial<SamplesLine>) => lines.map((line, i) => (i === 1 ? { ...line, ...change } : line));

test.each<[string, string, readonly SamplesLine[], number[]]>([
  ["whole", first + last, lines, [1, 2]],
  ["that lacks the last row's end", first + last.slice(0, -1), lines, [1]],
  ["that lacks the last row", first + last.replace(/[^\n]*\n$/, ""), lines, [1]],
  ["that lacks all rows", first, lines, [1]],
  ["that has more rows than its samples say", first + last, changed({ rows: 2 }), [1]],
  ["whose samples are of another run", first + last, changed({ run: "later" }), [1]],
  ["without samples, which is the last", first + last, lines.slice(0, 1), [1]],
  ["without samples, which is not the last", first + last, lines.slice(1), [1, 2]],
])("a cell %s", (_, csv, samples, expected) => {
  expect(kept(csv, samples)).toEqual(expected);
});
