/** Which of several runs of a cell is the newest: one rule for all that show, score or keep one of them. */
import { onceEach } from "../base/once.js";
import { groupBy } from "./group.js";
import { rowKey } from "./key.js";
import type { ResultRow } from "./record.js";

/** Equal for rows that are answers to one question. */
type CellOf = (row: ResultRow) => string;
type Recorded = Pick<ResultRow, "run" | "time">;

/**
 * Older first: by when the cell was recorded, since a long sweep may reach a cell after a run that began later. In the same
 * millisecond by the run's id, for an order that does not depend on that of the rows.
 */
export function byAge(a: Recorded, b: Recorded): number {
  const order = a.time === b.time ? 0 : Date.parse(a.time) - Date.parse(b.time);
  return order || (a.run < b.run ? -1 : a.run > b.run ? 1 : 0);
}

/** The last of them by age; null of none. */
export function newestOf<T extends Recorded>(rows: readonly T[]): T | null {
  return rows.reduce<T | null>((last, row) => (last && byAge(last, row) > 0 ? last : row), null);
}

/** By cell the rows of its newest run, whether that ended well or not, in the order given. */
export function newestByCell(rows: readonly ResultRow[], cell: CellOf = rowKey): Map<string, ResultRow[]> {
  const newest = ([key, own]: [string, ResultRow[]]): [string, ResultRow[]] => {
    if (own.every(({ run }) => run === own[0]?.run)) return [key, own];
    const run = newestOf(own)?.run;
    return [key, own.filter((row) => row.run === run)];
  };
  return new Map([...groupBy(rows, cell)].map(newest));
}

/** Of each cell the rows of its newest run, whether that ended well or not, in the order given. */
export function newestRuns(rows: readonly ResultRow[], cell: CellOf = rowKey): ResultRow[] {
  const runs = [...newestByCell(rows, cell).values()];
  if (runs.reduce((sum, { length }) => sum + length, 0) === rows.length) return [...rows];
  const newest = new Set(runs.flat());
  return rows.filter((row) => newest.has(row));
}

/** The same, worked out once for all callers: an array of rows must not change after it was asked for. */
export const sharedNewestRuns = onceEach((rows: readonly ResultRow[]): readonly ResultRow[] => newestRuns(rows));
