/** What can be exported: any data set as keys and values, and `lineitem` as the table that it is. */
import { UsageError } from "../../kernels/device/errors.js";
import { openDataset } from "../index.js";
import { checkScaleFactor, lineitemKeys, lineitemTableKeys, scaleFactorFor } from "../lineitem.js";
import { didYouMean } from "../nearest.js";
import {
  type ColumnKind,
  LINEITEM_COLUMN_NAMES,
  LINEITEM_COLUMNS,
  type LineitemColumn,
  lineitemRows,
} from "../tpch/rows.js";

/** Columns of integers (see `ColumnKind` for how they are to be read), in batches of consecutive rows. */
export interface ExportTable {
  readonly columns: readonly { readonly name: string; readonly kind: ColumnKind }[];
  readonly batches: AsyncIterable<readonly Uint32Array[]> | Iterable<readonly Uint32Array[]>;
  /** Whether it is `lineitem`'s rows, whose text format is dbgen's. */
  readonly raw: boolean;
}

export interface TableOptions {
  /** The data set as `--datasets` spells it. */
  readonly name: string;
  readonly n?: number | undefined;
  /** Scale factor, for lineitem only. */
  readonly sf?: number | undefined;
  readonly seed: number;
  /** Default: key and value. For lineitem, columns of its own can be named instead. */
  readonly columns?: readonly string[] | undefined;
}

/** Rows per batch, so that text and row groups stay small. */
const BATCH = 1 << 16;
const KEY_COLUMNS = ["key", "value"] as const;

/** Throws a UsageError for unknown columns, a scale factor where there is none, and whatever `openDataset` throws. */
export async function exportTable(options: TableOptions): Promise<ExportTable> {
  const { name, n, sf, seed, columns = KEY_COLUMNS } = options;
  if (sf !== undefined && name !== "lineitem") throw new UsageError(`${name} has no scale factor; give n`);
  if (columns.length === 0) throw new UsageError("no columns named");
  if (name === "lineitem" && !columns.every(isKeyColumn)) return lineitemTable(columns, n, sf);
  for (const column of columns) if (!isKeyColumn(column)) throw unknownColumn(name, column, KEY_COLUMNS);
  return {
    columns: columns.map((column) => ({ name: column, kind: "integer" })),
    batches: keyBatches(await openKeys(name, n, sf, seed), columns),
    raw: false,
  };
}

async function openKeys(
  name: string,
  n: number | undefined,
  sf: number | undefined,
  seed: number,
): Promise<AsyncIterable<Uint32Array>> {
  if (sf === undefined) return (await openDataset(name, { n, seed })).chunks();
  checkScaleFactor(sf);
  return n === undefined ? lineitemTableKeys(sf, seed) : lineitemKeys({ n, sf, seed }).chunks();
}

/** Keys, and as their values the number of the row. */
async function* keyBatches(
  chunks: AsyncIterable<Uint32Array>,
  columns: readonly string[],
): AsyncGenerator<readonly Uint32Array[]> {
  let row = 0;
  for await (const chunk of chunks) {
    for (let from = 0; from < chunk.length; from += BATCH) {
      const key = chunk.subarray(from, from + BATCH);
      const value = key.map((_, i) => row + i);
      yield columns.map((column) => (column === "key" ? key : value));
      row += key.length;
    }
  }
}

function lineitemTable(columns: readonly string[], n: number | undefined, sf: number | undefined): ExportTable {
  if (n === undefined && sf === undefined)
    throw new UsageError("lineitem needs the number of rows, n, or a scale factor");
  const names = columns.map((column) => {
    const name = LINEITEM_COLUMN_NAMES.find((each) => each === column);
    if (name === undefined) throw unknownColumn("lineitem", column, LINEITEM_COLUMN_NAMES);
    return name;
  });
  const scaleFactor = sf ?? scaleFactorFor(n!);
  checkScaleFactor(scaleFactor);
  return {
    columns: names.map((name) => ({ name, kind: LINEITEM_COLUMNS[name] })),
    batches: rowBatches(names, scaleFactor, n),
    raw: true,
  };
}

function* rowBatches(names: readonly LineitemColumn[], sf: number, n?: number): Generator<readonly Uint32Array[]> {
  for (const block of lineitemRows(sf, n)) yield names.map(block.column);
}

function isKeyColumn(column: string): boolean {
  return column === "key" || column === "value";
}

function unknownColumn(name: string, column: string, known: readonly string[]): UsageError {
  return new UsageError(
    `${name} has no column "${column}"${didYouMean(column, known) || "."} There are: ${known.join(", ")}`,
  );
}
