/** Rows of `lineitem` as queries group them: a key and columns of values. */
import { columnDate, type LineitemColumn, type RowBlock, rowBlock } from "./rows.js";

interface Query {
  readonly columns: readonly LineitemColumn[];
  keys(column: RowBlock["column"]): Uint32Array;
  /** Numbers of groups are below this, of rows whose last one has that key. */
  groups(last: number): number;
}

/** Q1: by return flag and line status, of lines shipped up to 1998-09-02. Q18: by order. */
export const QUERIES = {
  q1: {
    columns: ["quantity", "extendedprice", "discount", "tax"],
    keys(column) {
      const status = column("linestatus");
      return column("returnflag").map((flag, row) => 2 * flag + (status[row] ?? 0));
    },
    groups: () => 6,
  },
  q18: {
    columns: ["quantity"],
    keys: (column) => column("orderkey"),
    groups: (last) => ((last >>> 5) << 3) + (last & 7),
  },
} as const satisfies Record<string, Query>;

export type QueryName = keyof typeof QUERIES;
export const QUERY_NAMES = Object.keys(QUERIES) as readonly QueryName[];

const LAST_SHIPPED = (Date.UTC(1998, 8, 2) - columnDate(0).getTime()) / 86_400_000;

/** A run of orders whose rows are wanted. Plain data, as it is sent to worker threads. */
export interface QueryBlock {
  readonly query: QueryName;
  /** Columns that are wanted, the first ones. */
  readonly columns: number;
  /** 0-based number of the first order. */
  readonly first: number;
  readonly orders: number;
  readonly sf: number;
}

/** The keys of the block's rows, then each of their columns. */
export function queryBlock({ query, columns, first, orders, sf }: QueryBlock): Uint32Array {
  const { rows, column } = rowBlock(first, orders, sf);
  const { keys, columns: names } = QUERIES[query];
  const parts = [keys(column), ...names.slice(0, columns).map(column)];
  let kept = rows;
  if (query === "q1") {
    const shipped = column("shipdate");
    kept = 0;
    for (let row = 0; row < rows; row++) {
      if ((shipped[row] ?? 0) > LAST_SHIPPED) continue;
      for (const part of parts) part[kept] = part[row] ?? 0;
      kept++;
    }
  }
  const words = new Uint32Array(kept * parts.length);
  for (const [i, part] of parts.entries()) words.set(part.subarray(0, kept), i * kept);
  return words;
}
