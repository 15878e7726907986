/** The rows of `lineitem`, column by column, exactly as dbgen makes them (TPC-H specification 4.2.3), comments excepted. */
import {
  FIRST_DAY,
  LINE_SEEDS,
  MAX_LINES,
  ORDER_DAYS,
  ORDER_SEEDS,
  orderKey,
  ordersAt,
  partsAt,
  Stream,
  TODAY,
} from "./streams.js";

/** How the integers of a column are to be read. Money is in cents, shares in per cent, dates in days since 1992-01-01. */
export type ColumnKind = "integer" | "money" | "date" | readonly string[];

const INSTRUCTIONS = ["DELIVER IN PERSON", "COLLECT COD", "TAKE BACK RETURN", "NONE"] as const;
const MODES = ["REG AIR", "AIR", "RAIL", "TRUCK", "MAIL", "FOB", "SHIP"] as const;
/** N: not yet received. */
const RETURN_FLAGS = ["R", "A", "N"] as const;
const LINE_STATUSES = ["F", "O"] as const;

/** The columns in the table's order. For a list of words, the integer is an index into it. */
export const LINEITEM_COLUMNS = {
  orderkey: "integer",
  partkey: "integer",
  suppkey: "integer",
  linenumber: "integer",
  quantity: "integer",
  extendedprice: "money",
  discount: "money",
  tax: "money",
  returnflag: RETURN_FLAGS,
  linestatus: LINE_STATUSES,
  shipdate: "date",
  commitdate: "date",
  receiptdate: "date",
  shipinstruct: INSTRUCTIONS,
  shipmode: MODES,
} as const satisfies Record<string, ColumnKind>;

export type LineitemColumn = keyof typeof LINEITEM_COLUMNS;
export const LINEITEM_COLUMN_NAMES = Object.keys(LINEITEM_COLUMNS) as readonly LineitemColumn[];

/** The text that dbgen prints for an integer of a column. */
export function kindText(kind: ColumnKind, value: number): string {
  if (kind === "integer") return String(value);
  if (kind === "money") return `${Math.trunc(value / 100)}.${String(value % 100).padStart(2, "0")}`;
  if (kind === "date") return columnDate(value).toISOString().slice(0, 10);
  return kind[value]!;
}

/** The day of a date column's integer. */
export function columnDate(value: number): Date {
  return new Date(FIRST_DAY + value * 86_400_000);
}

export interface RowBlock {
  readonly rows: number;
  /** One integer a row in every column. */
  readonly columns: Readonly<Record<LineitemColumn, Uint32Array>>;
}

/** The lines of `orders` orders from order `first` (0-based) on, at a scale factor. */
export function rowBlock(first: number, orders: number, sf: number): RowBlock {
  const streams = { ...openStreams(ORDER_SEEDS, first, 1), ...openStreams(LINE_SEEDS, first, MAX_LINES) };
  const parts = partsAt(sf);
  const suppliers = parts / 20;
  const columns = Object.fromEntries(
    LINEITEM_COLUMN_NAMES.map((name) => [name, new Uint32Array(orders * MAX_LINES)]),
  ) as Record<LineitemColumn, Uint32Array>;
  let row = 0;
  for (let order = first; order < first + orders; order++) {
    const ordered = streams.orderDate.next(0, ORDER_DAYS - 1);
    const lines = streams.lines.next(1, MAX_LINES);
    for (let line = 1; line <= lines; line++, row++) {
      const part = streams.partkey.next(1, parts);
      const quantity = streams.quantity.next(1, 50);
      const shipped = ordered + streams.shipdate.next(1, 121);
      const received = shipped + streams.receiptdate.next(1, 30);
      columns.orderkey[row] = orderKey(order);
      columns.partkey[row] = part;
      columns.suppkey[row] = supplierOf(part, streams.suppkey.next(0, 3), suppliers);
      columns.linenumber[row] = line;
      columns.quantity[row] = quantity;
      columns.extendedprice[row] = quantity * retailPrice(part);
      columns.discount[row] = streams.discount.next(0, 10);
      columns.tax[row] = streams.tax.next(0, 8);
      // Only what has been received draws a flag.
      columns.returnflag[row] = received <= TODAY ? streams.returnflag.next(0, 1) : 2;
      columns.linestatus[row] = shipped <= TODAY ? 0 : 1;
      columns.shipdate[row] = shipped;
      columns.commitdate[row] = ordered + streams.commitdate.next(30, 90);
      columns.receiptdate[row] = received;
      columns.shipinstruct[row] = streams.shipinstruct.next(0, INSTRUCTIONS.length - 1);
      columns.shipmode[row] = streams.shipmode.next(0, MODES.length - 1);
    }
    for (const stream of Object.values(streams)) stream.endOrder();
  }
  for (const name of LINEITEM_COLUMN_NAMES) columns[name] = columns[name].subarray(0, row);
  return { rows: row, columns };
}

const BLOCK_ORDERS = 1 << 14;

/** All lines of a scale factor, or the first `n` (then past the scale factor's last order, if need be), in blocks. */
export function* lineitemRows(sf: number, n?: number): Generator<RowBlock> {
  const orders = n === undefined ? ordersAt(sf) : Number.POSITIVE_INFINITY;
  let left = n ?? Number.POSITIVE_INFINITY;
  for (let first = 0; first < orders && left > 0; first += BLOCK_ORDERS) {
    const block = rowBlock(first, Math.min(BLOCK_ORDERS, orders - first), sf);
    yield block.rows <= left ? block : head(block, left);
    left -= block.rows;
  }
}

function head({ columns }: RowBlock, rows: number): RowBlock {
  const cut = LINEITEM_COLUMN_NAMES.map((name) => [name, columns[name].subarray(0, rows)] as const);
  return { rows, columns: Object.fromEntries(cut) as Record<LineitemColumn, Uint32Array> };
}

function openStreams<Name extends string>(seeds: Readonly<Record<Name, number>>, order: number, draws: number) {
  const streams = Object.entries<number>(seeds).map(([name, seed]) => [name, new Stream(seed, order, draws)]);
  return Object.fromEntries(streams) as Record<Name, Stream>;
}

/** Price of a part in cents (specification 4.2.3, P_RETAILPRICE). */
function retailPrice(part: number): number {
  return 90_000 + (Math.floor(part / 10) % 20_001) + 100 * (part % 1000);
}

/** The i-th (0 … 3) of a part's four suppliers (specification 4.2.3, PS_SUPPKEY). */
function supplierOf(part: number, i: number, suppliers: number): number {
  return ((part + i * (Math.floor(suppliers / 4) + Math.floor((part - 1) / suppliers))) % suppliers) + 1;
}
