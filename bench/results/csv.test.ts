import { expect, test } from "vitest";
import { csvText, header, parseRows } from "./csv.js";
import { row } from "./testing.js";

const text = (rows: Parameters<typeof csvText>[0]) => header() + csvText(rows);
const PLAIN = row();
const QUOTED = row({ reason: 'a "reason", quoted', params: { a: 'x,"y"', b: 1 } });

test("fields in quotes, with quotes and commas in them, are what was written", () => {
  expect(parseRows(text([PLAIN, QUOTED, PLAIN]), "x.csv")).toEqual([PLAIN, QUOTED, PLAIN]);
});

test("a row has nothing of the one above it that is not its own, in files older than a column too", () => {
  const rows = [row({ bench: "cpu", api: "cpu" }), row({ lo: 1, hi: 2 }), row({ params: { a: 1 } }), row()];
  expect(parseRows(text(rows), "x.csv")).toEqual(rows);
  const old = text(rows)
    .replace(",api,system", "")
    .replaceAll(/,(?:webgpu|cpu),\{\},/g, ",");
  expect(old).not.toBe(text(rows));
  expect(parseRows(old, "x.csv")).toEqual(rows);
});

test("lines may end as on Windows", () => {
  expect(parseRows(text([PLAIN, QUOTED]).replaceAll("\n", "\r\n"), "x.csv")).toEqual([PLAIN, QUOTED]);
});

test("a field that goes on in the next line is one field, which no column takes", () => {
  const broken = row({ reason: "one line\nand another" });
  expect(() => parseRows(text([PLAIN, broken]), "x.csv")).toThrow(
    /column reason is "one line.and another": a control/s,
  );
});

test("a byte order mark, empty lines and a missing end of the last line do no harm", () => {
  expect(parseRows(`\uFEFF${text([PLAIN])}\n\n${csvText([QUOTED]).trimEnd()}`, "x.csv")).toEqual([PLAIN, QUOTED]);
});

test("a quote inside of a field is an error of its line, and so is a field too few", () => {
  expect(() => parseRows(`${text([PLAIN])}a"b,c\n`, "x.csv")).toThrow(/^x\.csv:3: /);
  expect(() => parseRows(`${text([PLAIN])}\na,b\n`, "x.csv")).toThrow(/^x\.csv:4: 2 fields where the header has/);
});
