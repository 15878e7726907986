/** Scores of claims from the rows of one environment. */
import { allSeries } from "../benchmarks/index.js";
import type { Claim } from "../claims/claim.js";
import { evaluate } from "../claims/evaluate.js";
import type { Score } from "../claims/score.js";
import { newestRuns } from "../results/newest.js";
import type { ResultRow } from "../results/record.js";
import { experiments } from "./index.js";

/** One score a claim, in the claims' order. Of several runs of a cell the newest counts. */
export function scorecard(claims: readonly Claim[], rows: readonly ResultRow[]): Score[] {
  const newest = newestRuns(rows);
  const known = {
    experiments: new Set(experiments.map(({ id }) => id)),
    tables: new Set(allSeries().map(({ id }) => id)),
  };
  const bandwidth = copyBandwidth(newest);
  return claims.map((claim) => evaluate(claim, newest, bandwidth, known));
}

/** GB/s of the fastest coalesced copy of device/limits that is larger than any cache; null if there is none. */
export function copyBandwidth(rows: readonly ResultRow[]): number | null {
  const LARGE_MIB = 512;
  const copies = rows.filter(
    ({ experiment, table, metric, params, status }) =>
      experiment === "device/limits" &&
      table === "copy" &&
      metric === "bandwidth" &&
      status === "ok" &&
      Number(params.tableMiB) >= LARGE_MIB,
  );
  const rates = copies.map(({ value }) => value).filter((value) => value !== null);
  return rates.length > 0 ? Math.max(...rates) : null;
}
