/** All rows of a report as one result file, and where in it each row stands. */
import { rounded } from "../../bench/base/format.js";
import { COLUMNS, type ResultRow } from "../../bench/results/record.js";

export interface RawData {
  /**
   * The fields of each column as the result file has them, a line each. Packed, columns are smaller than lines. {@link DITTO} and a
   * number stand for that number of fields equal to the one above; a field that begins with DITTO has another before it. Measured numbers
   * have {@link DIGITS} digits.
   */
  columns(): Readonly<Record<string, string>>;
  /** Line of the row in the file, where the header is line 1; 0 for a row that is not there. */
  line(row: ResultRow): number;
}

/** As client/packed.js knows it. */
const DITTO = "~";
/** More than any clock or sampling tells; counts are whole numbers, which are kept. */
export const DIGITS = 5;
const MEASURED: ReadonlySet<keyof ResultRow> = new Set(["value", "lo", "hi"]);

type Field = ResultRow[keyof ResultRow];

function measured(value: Field): string {
  if (typeof value !== "number") return "";
  return `${Number.isInteger(value) ? value : rounded(value, DIGITS)}`;
}

function written(value: Field): string {
  return typeof value === "object" && value !== null ? JSON.stringify(value) : `${value ?? ""}`;
}

export function rawData(rows: readonly ResultRow[]): RawData {
  const lines = new Map(rows.map((row, i) => [row, i + 2]));
  const columns = () => Object.fromEntries(COLUMNS.map((name) => [name, columnText(rows, name)]));
  return { columns, line: (row) => lines.get(row) ?? 0 };
}

/** The fields of one column, as {@link RawData} has them. */
function columnText(rows: readonly ResultRow[], name: keyof ResultRow): string {
  const write = MEASURED.has(name) ? measured : written;
  const texts: string[] = [];
  let value: Field | undefined;
  let text: string | undefined;
  let repeated = 0;
  const tellRepeated = (): void => {
    if (repeated > 0) texts.push(`${DITTO}${repeated}`);
    repeated = 0;
  };
  for (const row of rows) {
    // Most are equal, and need not be written to be compared.
    const next: string = text !== undefined && row[name] === value ? text : write(row[name]);
    value = row[name];
    if (next === text) {
      repeated++;
      continue;
    }
    tellRepeated();
    texts.push(next.startsWith(DITTO) ? `${DITTO}${next}` : next);
    text = next;
  }
  tellRepeated();
  return texts.join("\n");
}

/** `12–15, 20` for 12, 13, 14, 15 and 20. */
export function lineRanges(lines: readonly number[]): string {
  const sorted = [...new Set(lines)].sort((a, b) => a - b);
  const ranges: [number, number][] = [];
  for (const line of sorted) {
    const last = ranges.at(-1);
    if (last && last[1] === line - 1) last[1] = line;
    else ranges.push([line, line]);
  }
  return ranges.map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`)).join(", ");
}
