/** Which words a group has, as table.wgsl lays them out. */
import { UsageError } from "../device/errors.js";

/** `sum`: modulo 2^32. `sum64`: two words, the lower one first. `count`: the rows, once for all columns. */
export const AGGREGATES = ["sum", "sum64", "min", "max", "count"] as const;
export type Aggregate = (typeof AGGREGATES)[number];

export const MOST_COLUMNS = 4;

/** A word of a group: what it is of which column; `count` is of none. */
export interface GroupWord {
  readonly of: "sum" | "upper" | "min" | "max" | "count";
  readonly column: number;
}

/** The words of a group in their order. Throws a UsageError for aggregates or columns that there cannot be. */
export function wordsOf(aggregates: readonly Aggregate[], columns: number): GroupWord[] {
  if (!(Number.isInteger(columns) && columns >= 1 && columns <= MOST_COLUMNS))
    throw new UsageError(`group-by: ${columns} columns; 1 to ${MOST_COLUMNS}`);
  const has = (aggregate: Aggregate) => aggregates.includes(aggregate);
  if (aggregates.length === 0) throw new UsageError("group-by: no aggregate");
  if (has("sum") && has("sum64")) throw new UsageError("group-by: either sum or sum64");
  const ofColumn = [
    ...(has("sum") || has("sum64") ? ["sum" as const] : []),
    ...(has("sum64") ? ["upper" as const] : []),
    ...(has("min") ? ["min" as const] : []),
    ...(has("max") ? ["max" as const] : []),
  ];
  const words = Array.from({ length: columns }, (_, column) =>
    ofColumn.map((of): GroupWord => ({ of, column })),
  ).flat();
  return has("count") ? [...words, { of: "count", column: 0 }] : words;
}

/** How a kernel of group-by is made for these words. */
export function madeFor(words: readonly GroupWord[], columns: number) {
  const first = words.filter(({ of, column }) => of !== "count" && column === 0).map(({ of }) => of);
  const at = (of: GroupWord["of"]) => Math.max(0, first.indexOf(of as (typeof first)[number]));
  const has = (of: GroupWord["of"]) => words.some((word) => word.of === of);
  return {
    constants: {
      COLUMNS: columns,
      COLUMN_WORDS: first.length,
      LEAST_AT: at("min"),
      MOST_AT: at("max"),
      WORDS: words.length,
      // A slot lies within a sector where it can.
      STRIDE: 2 ** Math.ceil(Math.log2(1 + words.length)),
    },
    conditions: {
      SUM: has("sum"),
      SUM64: has("upper"),
      MIN: has("min"),
      MAX: has("max"),
      ROWS: has("count"),
      TWO: columns > 1,
      THREE: columns > 2,
      FOUR: columns > 3,
    },
  };
}
