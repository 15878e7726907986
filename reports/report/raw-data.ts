/** All rows of a report as one result file, and where in it each row stands. */
import { COLUMNS, type ResultRow } from "../../bench/results/record.js";

export interface RawData {
  /**
   * The fields of each column as the result file has them, a line each: packed, they take two thirds of what its lines take. {@link DITTO}
   * and a number stand for so many fields equal to the one above; a field that begins with DITTO has another before it. Measured numbers
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
const rounded = (value: number): number => (Number.isInteger(value) ? value : Number(value.toPrecision(DIGITS)));

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
    if (column === "value" || column === "lo" || column === "hi")
      return row[column] === null ? "" : `${rounded(row[column])}`;
    return typeof value === "object" && value !== null ? JSON.stringify(value) : String(value ?? "");
  };
  const columnText = (column: keyof ResultRow): string => {
    const texts: string[] = [];
    let above: { readonly value: ResultRow[typeof column]; readonly text: string } | undefined;
    let repeated = 0;
    const ditto = (): void => {
      if (repeated > 0) texts.push(`${DITTO}${repeated}`);
      repeated = 0;
    };
    for (const row of rows) {
      const value = row[column];
      // Most are, and need not be written to be compared.
      const text: string = above && value === above.value ? above.text : field(row, column);
      if (above && text === above.text) {
        repeated++;
        continue;
      }
      ditto();
      above = { value, text };
      texts.push(text.startsWith(DITTO) ? `${DITTO}${text}` : text);
    }
    ditto();
    return texts.join("\n");
  };
  const columns = () => Object.fromEntries(COLUMNS.map((column) => [column, columnText(column)]));
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
