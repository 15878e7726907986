/** Devices of a report side by side: for each paper, table and operation the rate and the share of the limit that each reached. */

import { formatNumber, joined } from "../../bench/base/format.js";
import { paperOf } from "../../bench/claims/papers.js";
import { groupBy } from "../../bench/results/group.js";
import { rowKey } from "../../bench/results/key.js";
import { newestRuns } from "../../bench/results/newest.js";
import type { ResultRow } from "../../bench/results/record.js";
import { DEFAULT_BENCH } from "../../bench/scenarios/index.js";
import { describeField, titleOf } from "../figures/rows.js";
import type { Column } from "./columns.js";

/** The result of one device. */
export interface Place {
  /** Index of the device's column. */
  readonly column: number;
  /** Millions of operations a second. */
  readonly mops: number;
  /** Share of the limit that the device's own accesses set; null where that was not measured. */
  readonly share: number | null;
  readonly n: number;
}

/** Devices in one setting, which differ in n at most. */
export interface Ranking {
  readonly paper: string;
  readonly table: string;
  readonly title: string;
  /** `find, 50 % present`. */
  readonly operation: string;
  /** Where the rates are from: `gph/fig10, lineitem, load factor 0.8`. */
  readonly setting: string;
  /** By rate, the fastest first; two at least. */
  readonly places: readonly Place[];
}

interface Measured extends Place {
  readonly row: ResultRow;
}

/** Load factor at which tables are compared, where there is a choice. */
const USUAL_LOAD_FACTOR = 0.8;

/**
 * A ranking for each paper, table and operation that two devices or more have in common. Of several settings the one that most devices
 * have, then that of the load factor nearest to 0.8, then of the largest n; of each device the largest n of that setting.
 */
export function rankings(columns: readonly Pick<Column, "rows">[]): Ranking[] {
  if (columns.length < 2) return [];
  const measured = columns.flatMap(({ rows }, column) => measuredOn(rows, column));
  const groups = groupBy(measured, ({ row }) => JSON.stringify([paperOf(row.experiment), row.table, operationOf(row)]));
  return [...groups.values()].flatMap((own) => {
    const [best] = [...groupBy(own, ({ row }) => settingKey(row)).values()].map(largestOfEach).sort(byPreference);
    const [first] = best ?? [];
    if (!best || !first || best.length < 2) return [];
    const { row } = first;
    return [
      {
        paper: paperOf(row.experiment),
        table: row.table,
        title: titleOf(row),
        operation: operationOf(row),
        setting: settingOf(row),
        places: best.map(({ row: _, ...place }) => place),
      },
    ];
  });
}

/** The places by share of the limit, the nearest to it first; those without a share are left out. */
export function byShare(places: readonly Place[]): Place[] {
  return places.filter(({ share }) => share !== null).sort((a, b) => (b.share ?? 0) - (a.share ?? 0));
}

function measuredOn(rows: readonly ResultRow[], column: number): Measured[] {
  const own = newestRuns(rows.filter(({ bench }) => bench === DEFAULT_BENCH)).filter(({ status }) => status === "ok");
  const shares = new Map(own.filter(({ metric }) => metric === "limit_share").map((row) => [rowKey(row), row.value]));
  return own.flatMap((row) => {
    if (row.metric !== "mops" || row.value === null || row.op === "") return [];
    return [{ column, mops: row.value, share: shares.get(rowKey(row)) ?? null, n: row.n, row }];
  });
}

function operationOf({ op, positive_ratio: ratio }: ResultRow): string {
  return joined([op, describeField("positive_ratio", ratio)]);
}

function settingKey(row: ResultRow): string {
  const { lookups: _, ...params } = row.params;
  return rowKey({ ...row, n: 0, seed: 0, params });
}

function settingOf({ experiment, variant, dataset, load_factor: loadFactor, params }: ResultRow): string {
  const own = Object.entries(params).filter(([name]) => name !== "lookups");
  const filled = loadFactor !== null && `load factor ${formatNumber(loadFactor)}`;
  return joined([experiment, variant, dataset, filled, ...own.map(([name, value]) => `${name} ${value}`)]);
}

/** The largest n of each device, the fastest device first. */
function largestOfEach(own: readonly Measured[]): Measured[] {
  const largest = [...groupBy(own, ({ column }) => String(column)).values()].flatMap((all) =>
    all.toSorted((a, b) => b.n - a.n).slice(0, 1),
  );
  return largest.sort((a, b) => b.mops - a.mops);
}

function byPreference(a: readonly Measured[], b: readonly Measured[]): number {
  const away = (all: readonly Measured[]): number => Math.abs((all[0]?.row.load_factor ?? 0) - USUAL_LOAD_FACTOR);
  const size = (all: readonly Measured[]): number => Math.max(...all.map(({ n }) => n));
  return b.length - a.length || away(a) - away(b) || size(b) - size(a);
}
