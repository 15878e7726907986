/** The rows of `lineitem`, column by column, exactly as dbgen makes them (TPC-H specification 4.2.3), comments excepted. */
import {
  drawn,
  FIRST_DAY,
  LINE_SEEDS,
  MAX_LINES,
  ORDER_DAYS,
  ORDER_SEEDS,
  orderKey,
  ordersAt,
  partsAt,
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
  /** One integer a row. It is made when it is first asked for. */
  column(name: LineitemColumn): Uint32Array;
}

/** The lines of `orders` orders from order `first` (0-based) on, at a scale factor. */
export function rowBlock(first: number, orders: number, sf: number): RowBlock {
  const parts = partsAt(sf);
  const once = { first, used: new Uint32Array(orders).fill(1), each: 1 };
  const lines = drawn(ORDER_SEEDS.lines, once, 1, MAX_LINES);
  const rows = lines.reduce((sum, count) => sum + count, 0);
  const draw = (name: keyof typeof LINE_SEEDS, low: number, high: number, used = lines) =>
    drawn(LINE_SEEDS[name], { first, used, each: MAX_LINES }, low, high);
  /** Calls for each row. */
  const forRows = (visit: (row: number, order: number, line: number) => void) => {
    let row = 0;
    for (let order = 0; order < orders; order++)
      for (let line = 1; line <= lines[order]!; line++) visit(row++, order, line);
  };
  const ofRows = (of: (row: number, order: number, line: number) => number) => {
    const words = new Uint32Array(rows);
    forRows((row, order, line) => {
      words[row] = of(row, order, line);
    });
    return words;
  };
  const makers: Record<LineitemColumn | "orderdate", () => Uint32Array> = {
    orderdate() {
      const dates = drawn(ORDER_SEEDS.orderDate, once, 0, ORDER_DAYS - 1);
      return ofRows((_, order) => dates[order]!);
    },
    orderkey: () => ofRows((_, order) => orderKey(first + order)),
    partkey: () => draw("partkey", 1, parts),
    suppkey() {
      const partkey = column("partkey");
      return draw("suppkey", 0, 3).map((i, row) => supplierOf(partkey[row]!, i, parts / 20));
    },
    linenumber: () => ofRows((_row, _order, line) => line),
    quantity: () => draw("quantity", 1, 50),
    extendedprice() {
      const partkey = column("partkey");
      return column("quantity").map((quantity, row) => quantity * retailPrice(partkey[row]!));
    },
    discount: () => draw("discount", 0, 10),
    tax: () => draw("tax", 0, 8),
    returnflag() {
      const received = column("receiptdate").map((day) => Number(day <= TODAY));
      // Only what has been received draws a flag.
      const used = new Uint32Array(orders);
      forRows((row, order) => {
        used[order]! += received[row]!;
      });
      const flags = draw("returnflag", 0, 1, used);
      let next = 0;
      return received.map((is) => (is ? flags[next++]! : 2));
    },
    linestatus: () => column("shipdate").map((day) => (day <= TODAY ? 0 : 1)),
    shipdate: () => sum(column("orderdate"), draw("shipdate", 1, 121)),
    commitdate: () => sum(column("orderdate"), draw("commitdate", 30, 90)),
    receiptdate: () => sum(column("shipdate"), draw("receiptdate", 1, 30)),
    shipinstruct: () => draw("shipinstruct", 0, INSTRUCTIONS.length - 1),
    shipmode: () => draw("shipmode", 0, MODES.length - 1),
  };
  const made: Partial<Record<keyof typeof makers, Uint32Array>> = {};
  const column = (name: keyof typeof makers) => (made[name] ??= makers[name]());
  return { rows, column };
}

function sum(one: Uint32Array, other: Uint32Array): Uint32Array {
  return one.map((value, row) => value + other[row]!);
}

const BLOCK_ORDERS = 1 << 14;

/** All lines of a scale factor, or the first `n` (then past the scale factor's last order, if need be), in blocks. */
export function* lineitemRows(sf: number, n?: number): Generator<RowBlock> {
  const orders = n === undefined ? ordersAt(sf) : Number.POSITIVE_INFINITY;
  let left = n ?? Number.POSITIVE_INFINITY;
  for (let first = 0; first < orders && left > 0; first += BLOCK_ORDERS) {
    const block = rowBlock(first, Math.min(BLOCK_ORDERS, orders - first), sf);
    const rows = Math.min(block.rows, left);
    yield { rows, column: (name) => block.column(name).subarray(0, rows) };
    left -= block.rows;
  }
}

/** Price of a part in cents (specification 4.2.3, P_RETAILPRICE). */
function retailPrice(part: number): number {
  return 90_000 + (Math.floor(part / 10) % 20_001) + 100 * (part % 1000);
}

/** The i-th (0 … 3) of a part's four suppliers (specification 4.2.3, PS_SUPPKEY). */
function supplierOf(part: number, i: number, suppliers: number): number {
  return ((part + i * (Math.floor(suppliers / 4) + Math.floor((part - 1) / suppliers))) % suppliers) + 1;
}
