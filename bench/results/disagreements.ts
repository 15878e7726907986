/**
 * Times of one configuration that were measured for two figures and do not agree, although the interval of each is narrow: clocks had
 * fallen, or a machine was slower than others of its kind. Only configurations that two experiments share can be compared.
 */
import { groupBy } from "./group.js";
import { configurationKey, rowWords } from "./key.js";
import { metricTypes } from "./metrics.js";
import { sharedNewestRuns } from "./newest.js";
import type { ResultRow } from "./record.js";

/** Hosts of one GPU differ by less than this, relative to the smaller value. */
export const TOLERANCE = 0.1;

/** Quantities that are timed. Rates are times turned over. */
const TIMED = metricTypes.filter(({ timed }) => timed).map(({ name }) => name);

/** One of several measurements of a configuration. */
export interface Measurement {
  /** The row that it was taken from. */
  readonly row: ResultRow;
  /** What was measured, without the experiment's name. */
  readonly as: ResultRow;
  readonly value: number;
  /** Ends of the interval; the value itself where there is none. */
  readonly lo: number;
  readonly hi: number;
}

export interface Disagreement {
  /** The configuration in words. */
  readonly cell: string;
  readonly metric: string;
  readonly unit: string;
  readonly smaller: Measurement;
  readonly larger: Measurement;
  /** larger / smaller. */
  readonly quotient: number;
}

/**
 * Measurements of one configuration in two experiments whose intervals are apart and that differ by more than
 * {@link TOLERANCE}, largest difference first.
 * @param rows of one environment
 */
export function disagreements(rows: readonly ResultRow[]): Disagreement[] {
  const measured = sharedNewestRuns(rows).filter(({ status }) => status === "ok");
  const timed = measured.filter(({ metric }) => TIMED.includes(metric)).flatMap((row) => measurement(row, row, 0));
  const groups = groupBy([...timed, ...builds(measured)], ({ as }) => `${configurationKey(as)} ${as.metric}`);
  return [...groups.values()].flatMap(conflict).sort((a, b) => b.quotient - a.quotient);
}

function conflict(all: readonly Measurement[]): Disagreement[] {
  const [smaller, ...others] = all.toSorted((a, b) => a.value - b.value);
  const larger = others.at(-1);
  if (!smaller || !larger || smaller.row.experiment === larger.row.experiment) return [];
  const quotient = larger.value / smaller.value;
  if (smaller.hi >= larger.lo || quotient <= 1 + TOLERANCE) return [];
  const { metric, unit } = smaller.as;
  return [{ cell: rowWords({ ...smaller.as, experiment: "", variant: "" }), metric, unit, smaller, larger, quotient }];
}

/** The time of the build inside each build_find_time, which is that time + the one of the retrieval. */
function builds(rows: readonly ResultRow[]): Measurement[] {
  const cell = (row: ResultRow): string => `${row.experiment} ${configurationKey(row)}`;
  const finds = new Map(rows.filter(({ metric }) => metric === "time").map((row) => [cell(row), row]));
  return rows.flatMap((row) => {
    if (row.metric !== "build_find_time") return [];
    const find = finds.get(cell(row));
    const build = { ...row, metric: "time", op: "insert", positive_ratio: null };
    return find?.value == null ? [] : measurement(row, build, find.value);
  });
}

/** A row's value less a part of it that is known. */
function measurement(row: ResultRow, as: ResultRow, part: number): Measurement[] {
  const { value, lo, hi } = row;
  if (value === null || value <= part) return [];
  return [{ row, as, value: value - part, lo: (lo ?? value) - part, hi: (hi ?? value) - part }];
}
