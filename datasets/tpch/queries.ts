/** Rows of `lineitem` as queries group them: a key and columns of values. */
import { columnDate, type LineitemColumn, rowBlock } from "./rows.js";

interface Query {
  readonly columns: readonly LineitemColumn[];
  /** Numbers of groups are below this, of rows whose last one has that key. */
  groups(last: number): number;
}

/** Q1: by return flag and line status, of lines shipped up to 1998-09-02. Q18: by order. */
export const QUERIES = {
  q1: {
    columns: ["quantity", "extendedprice", "discount", "tax"],
    groups: () => 6,
  },
  q18: {
    columns: ["quantity"],
    groups: (last) => ((last >>> 5) << 3) + (last & 7),
  },
} as const satisfies Record<string, Query>;

export type QueryName = keyof typeof QUERIES;
export const QUERY_NAMES = Object.keys(QUERIES) as readonly QueryName[];

const LAST_SHIPPED = (Date.UTC(1998, 8, 2) - columnDate(0).getTime()) / 86_400_000;

/** A run of orders whose rows are wanted. Plain data, as it is sent to worker threads. */
export interface QueryBlock {
  readonly query: QueryName;
  /** 0-based number of the first order. */
  readonly first: number;
  readonly orders: number;
  readonly sf: number;
}

/** The keys of the block's rows, then each of their columns. */
export function queryBlock({ query, first, orders, sf }: QueryBlock): Uint32Array {
  const { rows, columns } = rowBlock(first, orders, sf);
  const { returnflag, linestatus, shipdate, orderkey } = columns;
  const names = QUERIES[query].columns;
  const every = Uint32Array.from({ length: rows }, (_, row) => row);
  const kept = query === "q1" ? every.filter((row) => (shipdate[row] ?? 0) <= LAST_SHIPPED) : every;
  const words = new Uint32Array(kept.length * (1 + names.length));
  const keyOf = (row: number) =>
    (query === "q1" ? 2 * (returnflag[row] ?? 0) + (linestatus[row] ?? 0) : orderkey[row]) ?? 0;
  for (const [i, row] of kept.entries()) {
    words[i] = keyOf(row);
    for (const [c, name] of names.entries()) words[(1 + c) * kept.length + i] = columns[name][row] ?? 0;
  }
  return words;
}
