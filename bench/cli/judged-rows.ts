/** Rows as reports and claims take them. */
import { withIntervals } from "../measure/intervals.js";
import { readResults, readSampleLines } from "../results/read.js";
import type { ResultRow } from "../results/record.js";

/** The rows of a results folder, those by a clock with 95 % intervals in place of the ranges of their samples. */
export async function readJudgedRows(path: string): Promise<ResultRow[]> {
  return withIntervals(await readResults(path), await readSampleLines(path));
}
