/** All rows of a report as one result file, and where in it each row stands. */
import { COLUMNS, type ResultRow } from "../../bench/results/record.js";

export interface RawData {
  /** The fields of each column as the result file has them, a line each: packed, they take two thirds of what its lines take. */
  columns(): Readonly<Record<string, string>>;
  /** Line of the row in the file, where the header is line 1; 0 for a row that is not there. */
  line(row: ResultRow): number;
}

export function rawData(rows: readonly ResultRow[]): RawData {
  const lines = new Map(rows.map((row, i) => [row, i + 2]));
  // The scorer may have copied the rows.
  const equal = new Map<string, number>();
  const lineOfCopy = (row: ResultRow): number => {
    if (equal.size === 0) for (const [known, line] of lines) equal.set(JSON.stringify(known), line);
    return equal.get(JSON.stringify(row)) ?? 0;
  };
  const field = (row: ResultRow, column: keyof ResultRow): string => {
    const value = row[column];
    return typeof value === "object" && value !== null ? JSON.stringify(value) : String(value ?? "");
  };
  const columns = () =>
    Object.fromEntries(COLUMNS.map((column) => [column, rows.map((row) => field(row, column)).join("\n")]));
  return { columns, line: (row) => lines.get(row) ?? lineOfCopy(row) };
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
