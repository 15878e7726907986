/** Which table to take for which job on one device: from rows, by one rule for all jobs. */

import type { Experiment } from "../../bench/base/experiment.js";
import { formatNumber, joined, percent } from "../../bench/base/format.js";
import type { Select } from "../../bench/claims/claim.js";
import { select } from "../../bench/claims/select.js";
import { rowKey } from "../../bench/results/key.js";
import { sharedNewestRuns } from "../../bench/results/newest.js";
import type { ResultRow } from "../../bench/results/record.js";
import { accessName } from "../../bench/scenarios/access-name.js";
import { seriesName } from "../figures/rows.js";
import { displayUnit } from "../figures/units.js";

/** A table that is to be small still has to reach this share of the fastest's rate. */
const ENOUGH = 0.5;
export const JOBS_TEXT =
  "Each line names the setting of its job. The table to take has the highest median rate there, shown with its 95 % interval. The runner-up is the best of the other tables; " +
  `the two are level where their intervals overlap. The smallest table has the fewest bytes per pair of those that reach ${100 * ENOUGH} % of the fastest rate. ` +
  "The limit is the rate that device/limits measured on the same device for the access that the operation of that table cannot avoid, which stands behind the share.";

interface Job {
  readonly job: string;
  readonly setting: string;
  readonly of: Select & { readonly experiment: string };
  /** The quantity that orders the tables, where that is not the rate. */
  readonly by?: "bytes";
  /** What is taken, where its series does not say. */
  readonly take?: string;
}

const LOAD_FACTOR = { n: "last", load_factor: 0.8 } as const;
const lookups = (positive_ratio: number, where: Select["where"] = {}) => ({
  experiment: "tables/load-factor",
  where: { ...LOAD_FACTOR, op: "find", positive_ratio, ...where },
});

const groupJob = (job: string, setting: string, experiment: string, where: Select["where"]): Job => ({
  job,
  setting,
  of: { experiment, table: "group-by", variant: "", where: { n: "last", ...where } },
  take: "groupBy",
});

/** Jobs that a reader may need a table for, with data and quantities that stand in for nothing else. */
export const JOBS: readonly Job[] = [
  { job: "Lookups of present keys", setting: "load factor 0.8", of: lookups(1) },
  { job: "Lookups, half of the keys present", setting: "load factor 0.8", of: lookups(0.5) },
  { job: "Lookups of absent keys", setting: "load factor 0.8", of: lookups(0) },
  {
    job: "Lookups in a nearly full table",
    setting: "half of the keys present, load factor 0.95",
    of: lookups(0.5, { load_factor: 0.95 }),
  },
  {
    job: "Lookups in a table beyond the largest binding",
    setting: "half of the keys present, load factor 0.8, the largest size measured",
    of: { ...lookups(0.5, { n: { from: 2 ** 29 - 4 } }), experiment: "limit/table" },
  },
  {
    job: "Insertions, one by one",
    setting: "up to load factor 0.8",
    of: { experiment: "tables/load-factor", where: { ...LOAD_FACTOR, op: "insert" } },
  },
  {
    job: "A build from all pairs at once, or a sorted array of them",
    setting: "load factor 0.8, the largest size measured",
    of: { experiment: "limit/build", where: { n: "last", op: "insert" } },
  },
  {
    job: "Long use: searches, erasures and insertions in rounds",
    setting: "load factor 0.85, round 100",
    of: { experiment: "aging/rounds", where: { n: "last", round: 100 } },
  },
  {
    job: "Chains: updates and searches in one batch (a set has keys alone)",
    setting: "a fifth updates, 2^24 keys, 2^20 lists",
    of: { experiment: "limit/lists", where: { updates: 0.2, buckets: 2 ** 20 } },
  },
  {
    job: "A table that grows and shrinks by itself",
    setting: "DyCuckoo's dynamic workload of random keys, r = 0.2",
    of: { experiment: "dycuckoo/fig11", where: { dataset: "normal", r: 0.2 } },
  },
  groupJob("Group-by of few groups, an array of groups out", "sum of 100 M rows, 1,024 groups", "work/group-by", {
    groups: 1024,
  }),
  groupJob("Group-by of many groups", "sum of 100 M rows, 1,048,576 groups", "work/group-by", { groups: 2 ** 20 }),
  groupJob("Group-by of skewed rows", "sum of 100 M rows, a million groups, Zipf 1.25", "work/group-by-skew", {
    groups: 1_000_000,
    skew: 1.25,
  }),
  groupJob("Distinct: the first row of each key", "100 M rows, 1,048,576 keys", "work/distinct", { groups: 2 ** 20 }),
  {
    job: "Ids: a number for each different key",
    setting: "100 M rows, 1,048,576 keys, none there before",
    of: { experiment: "work/ids", where: { n: "last", groups: 2 ** 20, present: 0 } },
  },
  {
    job: "Upsert: sums in a table that stays",
    setting: "100 M rows, 10 M keys, all there before",
    of: { experiment: "work/upsert", where: { n: "last", skew: 0, present: 1 } },
  },
  {
    job: "Join of rows whose keys repeat",
    setting: "16 rows of 16 M for each key; an op is a pair out",
    of: { experiment: "work/join", where: { op: "inner", repeats: 16, present: 1 } },
  },
  {
    job: "The smallest table that is fast enough",
    setting: "lookups, half of the keys present, any load factor",
    of: lookups(0.5, { load_factor: { from: 0 } }),
    by: "bytes",
  },
];

/** A series in a job's setting. */
interface Candidate {
  readonly name: string;
  readonly table: string;
  readonly row: ResultRow;
  /** Share of the device's limit; null where that was not measured. */
  readonly share: number | null;
  /** Bytes that the table keeps for each pair; null where the rows do not say. */
  readonly bytes: number | null;
}

/** The choice for one job by the rows. */
export interface Choice extends Omit<Job, "of"> {
  readonly experiment: string;
  readonly best: Candidate;
  /** The best row of another table; null without one. */
  readonly next: Candidate | null;
  /** Whether the intervals of the two overlap. */
  readonly level: boolean;
}

/** The jobs that the rows of one device have at least one table for. */
export function choices(experiments: readonly Experiment[], rows: readonly ResultRow[]): Choice[] {
  const newest = sharedNewestRuns(rows);
  return JOBS.flatMap(({ of, ...job }) => {
    const experiment = experiments.find(({ id }) => id === of.experiment);
    const ordered = experiment ? ranked(candidates(experiment, newest, of), job.by) : [];
    const [best] = ordered;
    if (!best) return [];
    const next = ordered.find(({ table }) => table !== best.table) ?? null;
    const level = job.by === undefined && next !== null && (next.row.hi ?? Number.NaN) >= (best.row.lo ?? Number.NaN);
    return [{ ...job, experiment: of.experiment, best, next, level }];
  });
}

function candidates(experiment: Experiment, rows: readonly ResultRow[], of: Job["of"]): Candidate[] {
  const values = (metric: string) =>
    new Map(select(rows, { experiment: of.experiment }, { ...of, metric }).rows.map((row) => [rowKey(row), row.value]));
  const [shares, bytes] = [values("limit_share"), values("held_per_pair")];
  const own = select(rows, { experiment: of.experiment }, of).rows.filter(({ value }) => value !== null && value > 0);
  // If a job takes any size, the largest that was measured.
  const largest = Math.max(...own.map(({ n }) => n));
  return own
    .filter(({ n }) => n === largest)
    .map((row) => ({
      name: seriesName(experiment, row),
      table: row.table,
      row,
      share: shares.get(rowKey(row)) ?? null,
      bytes: bytes.get(rowKey(row)) ?? null,
    }));
}

function ranked(all: readonly Candidate[], by: Job["by"]): Candidate[] {
  const rate = ({ row }: Candidate): number => row.value ?? 0;
  const fastest = all.toSorted((a, b) => rate(b) - rate(a));
  if (by === undefined) return fastest;
  const [first] = fastest;
  const enough = fastest.filter((one) => first && one.bytes !== null && rate(one) >= ENOUGH * rate(first));
  return enough.toSorted((a, b) => (a.bytes ?? 0) - (b.bytes ?? 0) || rate(b) - rate(a));
}

/** A rate with its unit, and its interval. */
function rateOf({ row }: Candidate): { readonly rate: string; readonly interval: string } {
  const { factor, unit } = displayUnit(row.unit, row.value ?? 0);
  const number = (value: number): string => formatNumber(value * factor, 3);
  const { lo, hi } = row;
  return {
    rate: `${number(row.value ?? 0)} ${unit}`,
    interval: lo === null || hi === null ? "" : `${number(lo)} to ${number(hi)}`,
  };
}

/** Cells of the job's line, after its name. */
export function choiceCells(choice: Choice): string[] {
  const { by, best, next, level } = choice;
  const { rate, interval } = rateOf(best);
  const access = accessName(best.row);
  const loadFactor = (one: Candidate) =>
    by === "bytes" ? `, load factor ${formatNumber(one.row.load_factor ?? 0)}` : "";
  const bytes = (one: Candidate) => (one.bytes === null ? "" : formatNumber(one.bytes, 3));
  const second =
    next &&
    joined([
      `${next.name}${loadFactor(next)}: ${rateOf(next).rate}`,
      next.share !== null && `${percent(next.share)} of its limit`,
      by === "bytes" && `${bytes(next)} B`,
      level && "level with it",
    ]);
  return [
    choice.take ?? `${best.name}${loadFactor(best)}`,
    interval === "" ? rate : `${rate} (${interval})`,
    best.share === null ? "–" : `${percent(best.share)}${access && ` (${access})`}`,
    bytes(best) || "–",
    second ?? "none",
  ];
}
