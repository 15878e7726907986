/** Rows as the text of a CSV file, and such a text as rows: validated, with errors that name file, line and column. */
import { CsvError, parse } from "csv-parse/sync";
import { stringify } from "csv-stringify/sync";
import { didYouMean } from "../../datasets/nearest.js";
import { UsageError } from "../../kernels/device/errors.js";
import { type Environments, OURS, sharedOf } from "./environments.js";
import { oneLine } from "./line.js";
import { ENVIRONMENT_FILE } from "./names.js";
import {
  ADDED_COLUMNS,
  COLUMNS,
  CPU_BENCH,
  FILE_COLUMNS,
  isQuantity,
  isRunColumn,
  JSON_COLUMNS,
  type ResultRow,
  type RunColumn,
  rowSchema,
  STATUSES,
} from "./record.js";
import { parseJson } from "./validate.js";

/** Longest row, in characters: a file without line ends is not a result file. */
const RECORD = 1 << 20;

/** Columns that hold numbers or nothing. */
const NUMBERS = new Set("n load_factor positive_ratio seed value lo hi samples repetitions".split(" "));

/** Of these, the columns that have another number in nearly every row. */
const MEASURED: ReadonlySet<string> = new Set(["value", "lo", "hi"]);

/** First line of a result file, line end included: by default of one that needs no environment.json beside it. */
export function header(columns: readonly ColumnName[] = COLUMNS): string {
  return `${columns.join(",")}\n`;
}

const isJson = (column: string) => JSON_COLUMNS.some((one) => one === column);

/** Rows as lines of CSV: params and system as JSON, null as an empty field. */
export function csvText(rows: readonly Partial<ResultRow>[], columns: readonly ColumnName[] = COLUMNS): string {
  return stringify(
    rows.map((row) => columns.map((column) => (isJson(column) ? JSON.stringify(row[column]) : row[column]))),
  );
}

/** The text of a results folder's file: what its environment.json has is left out. */
export function fileText(rows: readonly ResultRow[]): string {
  return header(FILE_COLUMNS) + csvText(rows, FILE_COLUMNS);
}

/**
 * Rows of one CSV text. Equal fields of its rows are one value each, validated once: there are few of them, and many rows.
 * @param beside what the environment.json of the file's folder says, which rows without these columns are joined with
 */
export function parseRows(text: string, file: string, beside: () => Environments = () => new Map()): ResultRow[] {
  let columns: readonly Column[] | undefined;
  let shared: Shared | null = null;
  let rows: ResultRow[] = [];
  parseCsv(text, file, () => {
    columns = undefined;
    rows = [];
    const above: Above = { fields: [], row: { ...EMPTY_ROW } };
    return (fields, line) => {
      if (columns) {
        parseRow(columns, fields, above, shared, `${file}:${line}`);
        rows.push({ ...above.row } as ResultRow);
        return;
      }
      checkHeader(fields, `${file}:1`);
      columns = fields.map((name) => ({ name: name as ColumnName, known: MEASURED.has(name) ? null : new Map() }));
      shared = fields.some(isRunColumn) ? null : sharedFrom(beside());
    };
  });
  if (!columns) throw new UsageError(`${file}: empty; its first line should be ${FILE_COLUMNS.join(",")}`);
  return rows;
}

/** The columns that the rows of a file leave out. Throws a UsageError that begins with `where`. */
type Shared = (row: Pick<ResultRow, "run" | "bench" | "table">, where: string) => Pick<ResultRow, RunColumn>;

function sharedFrom(environments: Environments): Shared {
  return (row, where) => {
    const shared = sharedOf(environments, row);
    if (shared) return shared;
    throw new UsageError(
      `${where}: the ${ENVIRONMENT_FILE} of its folder, which has device and commit of rows, says nothing of run ${row.run}`,
    );
  };
}

type ColumnName = (typeof COLUMNS)[number];

/** The last line that was read, and its row. Each row is a copy of this one object: copies of copies take the engine three times as long. */
interface Above {
  fields: readonly string[];
  readonly row: Partial<ResultRow>;
}

/** What takes the records of a text, one by one. */
type Take = (record: string[], line: number) => void;

/** A column of a file, and the values of its fields so far; null of one whose fields are mostly different. */
interface Column {
  readonly name: ColumnName;
  readonly known: Map<string, unknown> | null;
}

/**
 * Fields of a line without its end, as RFC 4180 has them; null of one that is not so, or whose last field goes on in the next line.
 * Result files are mostly such lines, which csv-parse reads in four times as long.
 */
function fieldsOf(line: string): string[] | null {
  if (!line.includes('"')) return line.split(",");
  const fields: string[] = [];
  for (let at = 0; ; ) {
    if (line[at] !== '"') {
      const comma = line.indexOf(",", at);
      const text = comma < 0 ? line.slice(at) : line.slice(at, comma);
      if (text.includes('"')) return null;
      fields.push(text);
      if (comma < 0) return fields;
      at = comma + 1;
      continue;
    }
    let end = line.indexOf('"', at + 1);
    while (end >= 0 && line[end + 1] === '"') end = line.indexOf('"', end + 2);
    if (end < 0) return null;
    fields.push(line.slice(at + 1, end).replaceAll('""', '"'));
    if (end + 1 === line.length) return fields;
    if (line[end + 1] !== ",") return null;
    at = end + 2;
  }
}

/** Of a text in which each line is a record; false at the first line of any other that is none: such a text is csv-parse's. */
function parseLines(text: string, take: Take): boolean {
  if (text.includes("\r")) return false;
  const lines = text.replace(/^\uFEFF/, "").split("\n");
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] as string;
    const fields = line.length < RECORD ? fieldsOf(line) : null;
    if (!fields) return false;
    if (line !== "") take(fields, i + 1);
  }
  return true;
}

/**
 * Throws a UsageError that names the file and the line of a record that is broken.
 * @param start what takes the records; asked for again, for all of them from the first one on, where a line turns out to be no record
 */
function parseCsv(text: string, file: string, start: () => Take): void {
  if (parseLines(text, start())) return;
  const take = start();
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
  const known: readonly string[] = names.some(isRunColumn) ? COLUMNS : FILE_COLUMNS;
  // A file of an older version has none of the columns that were added since, not just some.
  const version = Math.max(0, ...addedIn((columns) => columns.some((column) => names.includes(column))));
  const later = addedIn((_, since) => since > version).flatMap((since) => Object.keys(ADDED_COLUMNS[since] ?? {}));
  const missing = known.find((column) => !names.includes(column) && !later.includes(column));
  const unknown = names.find((name) => !known.includes(name));
  const hint = unknown === undefined ? "" : `unknown column ${JSON.stringify(unknown)}`;
  if (missing) throw new UsageError(`${where}: column ${missing} is missing${hint && `, ${hint}`}: not a result file?`);
  if (unknown !== undefined) throw new UsageError(`${where}: ${hint}${didYouMean(unknown, COLUMNS, "; ")}`);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) throw new UsageError(`${where}: column ${twice} is there twice`);
}

/** Throws a UsageError for a line that has not as many fields as the header. */
function checkCount(fields: readonly string[], columns: readonly unknown[], where: string): void {
  if (fields.length !== columns.length)
    throw new UsageError(`${where}: ${fields.length} fields where the header has ${columns.length}: a truncated line?`);
}

/** What decides the columns that a row leaves out. */
const PLACE: ReadonlySet<ColumnName> = new Set(["run", "bench", "table"]);

/** Makes the line the last one. Most of its fields are those of the line above, and are not parsed again. */
function parseRow(
  columns: readonly Column[],
  fields: readonly string[],
  above: Above,
  shared: Shared | null,
  where: string,
): void {
  checkCount(fields, columns, where);
  const row: Record<string, unknown> = above.row;
  let api = false;
  let moved = false;
  for (let i = 0; i < columns.length; i++) {
    const { name, known } = columns[i] as Column;
    api ||= name === "api";
    const text = fields[i] ?? "";
    if (text === above.fields[i]) continue;
    moved ||= PLACE.has(name);
    let value = known?.get(text);
    if (value === undefined) {
      value = parseField(name, text, where);
      known?.set(text, value);
    }
    row[name] = value;
  }
  above.fields = fields;
  const read = row as unknown as ResultRow;
  if (shared) {
    if (moved) Object.assign(read, shared(read, where));
  } else if (!api) {
    // In files that are older than the column.
    read.api = read.bench === CPU_BENCH ? "cpu" : OURS.api;
  }
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
  const value = content(column, text, where);
  // The schema's own rule, called for most of a file's fields.
  if (MEASURED.has(column) && (value === null || (typeof value === "number" && isQuantity(value)))) return value;
  const result = rowSchema.shape[column].safeParse(value);
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
  if (isJson(column)) return parseJson(text, `${where}: column ${column}`);
  if (!NUMBERS.has(column)) return text;
  if (text === "") return null;
  const value = text.trim() === "" ? Number.NaN : Number(text);
  if (!Number.isFinite(value)) throw new UsageError(`${where}: column ${column} is "${text}", not a number`);
  return value;
}
