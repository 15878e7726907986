/** Reads results back, validated; every error names file, line and column. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { CsvError, parse } from "csv-parse/sync";
import { UsageError } from "../errors.js";
import { COLUMNS, type ResultRow, rowSchema, SCHEMA_VERSION } from "./record.js";

export interface CsvFile {
  readonly path: string;
}

/** Columns that hold numbers or nothing. */
const NUMBERS = new Set(["n", "load_factor", "positive_ratio", "seed", "value", "lo", "hi", "samples"]);

/** All .csv files below a folder, in order. */
export function findCsv(folder: string): CsvFile[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".csv"))
    .map((entry) => ({ path: join(entry.parentPath, entry.name) }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** The rows of a results folder or of one CSV file. Throws a UsageError of one line. */
export async function readResults(path: string): Promise<ResultRow[]> {
  const files = filesAt(path);
  if (files.length === 0) throw new UsageError(`${path}: no results in it (no .csv file)`);
  return files.flatMap(({ path: file }) => parseRows(readText(file), file));
}

function filesAt(path: string): CsvFile[] {
  try {
    if (!statSync(path).isDirectory()) return [{ path }];
    checkSchema(join(path, "run.json"));
    return findCsv(path);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${path}: cannot be read (${(error as NodeJS.ErrnoException).code ?? error})`);
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new UsageError(`${file}: cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

/** A folder written by another version of the schema is refused; one without run.json is judged by its header. */
function checkSchema(file: string): void {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    return;
  }
  let schema: unknown;
  try {
    schema = (JSON.parse(text) as { schema?: unknown }).schema;
  } catch {
    throw new UsageError(`${file}: not JSON`);
  }
  if (schema !== SCHEMA_VERSION) {
    throw new UsageError(`${file}: schema ${schema}; this version of hashbench reads schema ${SCHEMA_VERSION}`);
  }
}

/** Rows of one CSV text. */
export function parseRows(text: string, file: string): ResultRow[] {
  let records: string[][];
  try {
    records = parse(text, { relax_column_count: true });
  } catch (error) {
    const line = error instanceof CsvError ? `:${(error as { lines?: number }).lines ?? "?"}` : "";
    throw new UsageError(`${file}${line}: broken CSV: ${error instanceof Error ? error.message : error}`);
  }
  const [names, ...lines] = records;
  if (!names) throw new UsageError(`${file}: empty; a header with the columns ${COLUMNS.join(",")} is wanted`);
  const missing = COLUMNS.filter((column) => !names.includes(column));
  const unknown = names.filter((name) => !COLUMNS.some((column) => column === name));
  if (missing.length > 0)
    throw new UsageError(`${file}:1: column ${missing[0]} is missing: no result file of hashbench`);
  if (unknown.length > 0) throw new UsageError(`${file}:1: unknown column ${unknown[0]}`);
  return lines.map((fields, i) => parseRow(names, fields, `${file}:${i + 2}`));
}

function parseRow(names: readonly string[], fields: readonly string[], where: string): ResultRow {
  if (fields.length !== names.length) {
    throw new UsageError(`${where}: ${fields.length} fields where the header has ${names.length}: a truncated line?`);
  }
  const record: Record<string, unknown> = {};
  for (const [i, name] of names.entries()) {
    const text = fields[i] ?? "";
    if (NUMBERS.has(name)) record[name] = text === "" ? null : Number(text);
    else if (name === "params") record[name] = parseJson(text, where);
    else record[name] = text;
  }
  const result = rowSchema.safeParse(record);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const column = String(issue?.path[0] ?? "?");
  throw new UsageError(`${where}: column ${column} is "${fields[names.indexOf(column)] ?? ""}": ${issue?.message}`);
}

function parseJson(text: string, where: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(`${where}: column params is not JSON`);
  }
}

/** Raw samples by cell key, nanoseconds in time order; of several runs of a cell, the latest. */
export async function readSamples(path: string): Promise<Map<string, readonly number[]>> {
  const samples = new Map<string, readonly number[]>();
  for (const { path: csv } of filesAt(path)) {
    let text: string;
    try {
      text = readFileSync(csv.replace(/\.csv$/, ".samples.jsonl"), "utf8");
    } catch {
      continue;
    }
    for (const line of text.split("\n")) {
      if (!line) continue;
      try {
        const entry = JSON.parse(line) as { key: string; samples: number[] };
        samples.set(entry.key, entry.samples);
      } catch {
        // A run that was killed tore its last line; the cell has no rows either.
      }
    }
  }
  return samples;
}
