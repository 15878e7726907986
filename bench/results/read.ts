/** Reads results back, validated; every error names file, line and column. */

import { existsSync } from "node:fs";
import { basename, dirname, join, resolve, sep } from "node:path";
import { gunzipSync } from "node:zlib";
import { CsvError, parse } from "csv-parse/sync";
import type { z } from "zod";
import { kindOf, readBytes, saying } from "../../datasets/files/paths.js";
import { didYouMean } from "../../datasets/nearest.js";
import { UsageError } from "../../kernels/device/errors.js";
import { isOtherCsv, presentSamplesFile, RUN_FILE, walk } from "./files.js";
import { oneLine } from "./line.js";
import {
  ADDED_COLUMNS,
  COLUMNS,
  CPU_BENCH,
  JSON_COLUMNS,
  READABLE_VERSIONS,
  type ResultRow,
  rowSchema,
  SCHEMA_VERSION,
  STATUSES,
} from "./record.js";
import { parseSamples, type SamplesLine } from "./samples.js";

/** Longest row, in characters: a file without line ends is not a result file. */
const RECORD = 1 << 20;

/** Columns that hold numbers or nothing. */
const NUMBERS = new Set("n load_factor positive_ratio seed value lo hi samples repetitions".split(" "));

/** The rows of a results folder, all .csv files below it, or of one CSV file. Throws a UsageError of one line. */
export async function readResults(path: string): Promise<ResultRow[]> {
  const files = resultFiles(path);
  const rows = files.flatMap((file) => parseRows(readText(file), file));
  if (rows.length === 0) throw new UsageError(`no results in ${path} (no ${files.length > 0 ? "row" : ".csv file"})`);
  return rows;
}

/** Lines of every samples file of a results folder (or beside one CSV file), compressed ones included. */
export async function readSampleLines(path: string): Promise<SamplesLine[]> {
  return resultFiles(path).flatMap(samplesBeside);
}

/** Lines of the samples file beside a CSV, plain or compressed; none if there is no such file. */
export function samplesBeside(csv: string): SamplesLine[] {
  const file = presentSamplesFile(csv);
  return file ? parseSamples(readText(file), file) : [];
}

/**
 * The CSV files of results at a path (`history` and the references are files of another kind); in the folder of a run, whose `run.json` says so, only those that the run may have written. A
 * folder, or a file's, written by another version of the schema is refused.
 */
export function resultFiles(path: string): string[] {
  const kind = kindOf(path);
  if (kind === "nothing") throw new UsageError(`${path}: no such folder or file`);
  if (kind === "file") {
    for (const folder of [dirname(path), dirname(dirname(path))]) checkSchema(join(folder, RUN_FILE), false);
    return [path];
  }
  const files = saying(`${path} cannot be read`, () => walk(path));
  const runs = files.filter((file) => basename(file) === RUN_FILE);
  for (const file of runs) checkSchema(file, true);
  const folders = runs.map((file) => resolve(dirname(file)) + sep);
  const csv = files.filter((file) => file.endsWith(".csv") && !isOther(file));
  return csv.filter((file) => !folders.some((folder) => resolve(file).startsWith(folder)) || !isForeign(file));
}

/**
 * Whether somebody else's CSV lies in the folder of a run, as where `--out` named a folder in use. A result file whose header
 * was damaged is none: its samples lie beside it, or it still has most of the columns.
 */
function isForeign(file: string): boolean {
  if (presentSamplesFile(file)) return false;
  const names = new Set((readText(file).split(/\r?\n/, 1)[0] ?? "").split(","));
  return COLUMNS.filter((column) => names.has(column)).length < COLUMNS.length / 2;
}

function isOther(file: string): boolean {
  return saying(`${file} cannot be read`, () => isOtherCsv(file));
}

/** The text of a file, decompressed if its name ends in .gz. Throws a UsageError if it cannot be read. */
export function readText(file: string): string {
  const bytes = readBytes(file);
  return saying(`${file} cannot be read`, () => (file.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8"));
}

/** The content of a JSON file. Throws a UsageError of one line for one that is not as the schema says. */
export function readJson<T>(file: string, schema: z.ZodType<T>): T {
  return validated(parseJson(readText(file), file), schema, file);
}

/** What was read, as the schema says; else throws a UsageError that begins with `where`. */
export function validated<T>(content: unknown, schema: z.ZodType<T>, where: string): T {
  const parsed = schema.safeParse(content);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new UsageError(`${where}: ${issue?.path.join(".") || "its content"}: ${issue?.message}`);
}

/** @param strict whether the file must be ours; above a single CSV there may be anybody's run.json */
function checkSchema(file: string, strict: boolean): void {
  if (!existsSync(file)) return;
  let schema: unknown;
  try {
    schema = (JSON.parse(readText(file)) as { schema?: unknown } | null)?.schema;
  } catch (error) {
    if (strict) throw error instanceof UsageError ? error : new UsageError(`${file}: not JSON`);
  }
  if (typeof schema !== "number") {
    if (strict) throw new UsageError(`${file}: it does not say which schema the results have`);
  } else if (!READABLE_VERSIONS.includes(schema)) {
    const remedy = schema > SCHEMA_VERSION ? "a newer hashbench reads it" : "measure again, or use an older hashbench";
    const known = READABLE_VERSIONS.join(", ");
    throw new UsageError(`${file}: schema ${schema}, but this hashbench reads ${known}; ${remedy}`);
  }
}

/** Rows of one CSV text. Equal fields of its rows are one value each, validated once: there are few of them, and many rows. */
export function parseRows(text: string, file: string): ResultRow[] {
  let columns: readonly Column[] | undefined;
  const rows: ResultRow[] = [];
  parseCsv(text, file, (record, line) => {
    if (columns) return rows.push(parseRow(columns, record, `${file}:${line}`));
    checkHeader(record, `${file}:1`);
    columns = record.map((name) => ({ name: name as ColumnName, known: new Map() }));
  });
  if (!columns) throw new UsageError(`${file}: empty; its first line should be ${COLUMNS.join(",")}`);
  return rows;
}

type ColumnName = (typeof COLUMNS)[number];

/** A column of a file, and the values of its fields so far. */
interface Column {
  readonly name: ColumnName;
  readonly known: Map<string, unknown>;
}

function parseCsv(text: string, file: string, take: (record: string[], line: number) => void): void {
  try {
    parse(text, {
      bom: true,
      relax_column_count: true,
      skip_empty_lines: true,
      max_record_size: RECORD,
      on_record: (record: string[], { lines }) => {
        take(record, lines);
        return null;
      },
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new UsageError(`${file}:${String(error.lines ?? "?")}: broken CSV: ${error.message}`);
  }
}

/** Versions whose added columns are such. */
function addedIn(are: (columns: readonly string[], version: number) => boolean): number[] {
  const versions = Object.entries(ADDED_COLUMNS).map(([version, columns]) => [Number(version), columns] as const);
  return versions.filter(([version, columns]) => are(Object.keys(columns), version)).map(([version]) => version);
}

function checkHeader(names: readonly string[], where: string): void {
  const known: readonly string[] = COLUMNS;
  // A file of an older version has none of the columns that were added since, not just some.
  const version = Math.max(1, ...addedIn((columns) => columns.some((column) => names.includes(column))));
  const later = addedIn((_, since) => since > version).flatMap((since) => Object.keys(ADDED_COLUMNS[since] ?? {}));
  const missing = known.find((column) => !names.includes(column) && !later.includes(column));
  const unknown = names.find((name) => !known.includes(name));
  const hint = unknown === undefined ? "" : `unknown column ${JSON.stringify(unknown)}`;
  if (missing) throw new UsageError(`${where}: column ${missing} is missing${hint && `, ${hint}`}: not a result file?`);
  if (unknown !== undefined) throw new UsageError(`${where}: ${hint}${didYouMean(unknown, known, "; ")}`);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) throw new UsageError(`${where}: column ${twice} is there twice`);
}

function parseRow(columns: readonly Column[], fields: readonly string[], where: string): ResultRow {
  if (fields.length !== columns.length) {
    throw new UsageError(`${where}: ${fields.length} fields where the header has ${columns.length}: a truncated line?`);
  }
  const row: Record<string, unknown> = { ...EMPTY_ROW };
  let api = false;
  for (const [i, { name, known }] of columns.entries()) {
    const text = fields[i] ?? "";
    let value = known.get(text);
    if (value === undefined) {
      value = parseField(name, text, where);
      known.set(text, value);
    }
    row[name] = value;
    api ||= name === "api";
  }
  if (!api && row.bench === CPU_BENCH) row.api = "cpu";
  return row as unknown as ResultRow;
}

/**
 * Every column, and what those are that a file does not have. Parsed, for then the engine knows its shape: rows that get their columns one
 * by one are hash tables, twice as large.
 */
const EMPTY_ROW: Partial<ResultRow> = JSON.parse(
  JSON.stringify(
    Object.assign(Object.fromEntries(COLUMNS.map((column) => [column, null])), ...Object.values(ADDED_COLUMNS)),
  ),
);

/** The value of a field, as the schema has it. Throws a UsageError that begins with `where`. */
function parseField(column: ColumnName, text: string, where: string): unknown {
  const result = rowSchema.shape[column].safeParse(content(column, text, where));
  if (result.success) return result.data;
  if (column === "status") {
    throw new UsageError(
      `${where}: column status is "${oneLine(text)}", not one of ${STATUSES.join(", ")}${didYouMean(text, STATUSES, "; ")}`,
    );
  }
  const [issue] = result.error.issues;
  throw new UsageError(
    `${where}: column ${column} is ${text === "" ? "empty" : `"${oneLine(text)}"`}: ${issue?.message}`,
  );
}

function content(column: ColumnName, text: string, where: string): unknown {
  if (NUMBERS.has(column)) return parseNumber(text, column, where);
  if (JSON_COLUMNS.some((one) => one === column)) return parseJson(text, `${where}: column ${column}`);
  return text;
}

function parseNumber(text: string, column: string, where: string): number | null {
  if (text === "") return null;
  const value = text.trim() === "" ? Number.NaN : Number(text);
  if (!Number.isFinite(value)) throw new UsageError(`${where}: column ${column} is "${text}", not a number`);
  return value;
}

function parseJson(text: string, where: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(`${where}: not JSON`);
  }
}
