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
  const lines = new Map<ResultRow, number>();
  for (const [i, row] of rows.entries()) lines.set(row, i + 2);
  // The scorer may have copied the rows.
  const equal = new Map<string, number>();
  const lineOfCopy = (row: ResultRow): number => {
    if (equal.size === 0) for (const [known, line] of lines) equal.set(JSON.stringify(known), line);
    return equal.get(JSON.stringify(row)) ?? 0;
  };
  const columns = () => {
    const texts = COLUMNS.map((name) => new ColumnText(name));
    // Row by row: by column, each row would come from memory as often as there are columns.
    for (const row of rows) for (const text of texts) text.add(row);
    return Object.fromEntries(texts.map((text) => [text.name, text.end()]));
  };
  return { columns, line: (row) => lines.get(row) ?? lineOfCopy(row) };
}

/** The fields of one column, as {@link RawData} has them. */
class ColumnText {
  private readonly texts: string[] = [];
  private readonly write: (value: Field) => string;
  private value: Field | undefined;
  private text: string | undefined;
  /** Repetitions of the last text. */
  private repeated = 0;

  constructor(readonly name: keyof ResultRow) {
    this.write = MEASURED.has(name) ? measured : written;
  }

  add(row: ResultRow): void {
    const value = row[this.name];
    // Most are equal, and need not be written to be compared.
    if (value === this.value && this.text !== undefined) {
      this.repeated++;
      return;
    }
    this.value = value;
    const text = this.write(value);
    if (text === this.text) {
      this.repeated++;
      return;
    }
    this.tellRepeated();
    this.text = text;
    this.texts.push(text.startsWith(DITTO) ? `${DITTO}${text}` : text);
  }

  end(): string {
    this.tellRepeated();
    return this.texts.join("\n");
  }

  private tellRepeated(): void {
    if (this.repeated > 0) this.texts.push(`${DITTO}${this.repeated}`);
    this.repeated = 0;
  }
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
