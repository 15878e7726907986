/** One side of a comparison: the cells of a results folder, with the samples and counters of all their runs. */

import { UsageError } from "../../kernels/device/errors.js";
import { whole } from "../base/format.js";
import { groupBy } from "../results/group.js";
import { rowKey } from "../results/key.js";
import { byAge, newestOf } from "../results/newest.js";
import { readResults, readSampleLines } from "../results/read.js";
import type { ResultRow } from "../results/record.js";

interface CellRun {
  readonly run: string;
  /** The run's rows, one a metric; one row where the cell did not end well. */
  readonly rows: ReadonlyMap<string, ResultRow>;
  /** Nanoseconds in time order; empty where no samples were kept. */
  readonly samples: readonly number[];
}

export interface SideCell {
  readonly key: string;
  /** Oldest first. */
  readonly runs: readonly CellRun[];
  /** A row of the newest run. */
  readonly last: ResultRow;
}

export interface Side {
  readonly path: string;
  readonly cells: ReadonlyMap<string, SideCell>;
  /** Distinct values over all rows. */
  readonly distinct: (column: Environment) => readonly string[];
}

/** What says on what a row was measured: columns, and the code of plug-ins' tables. */
export const ENVIRONMENT = ["device", "driver", "toggles", "dawn", "commit", "plugin"] as const;
export type Environment = (typeof ENVIRONMENT)[number];

/** Reads a folder (or CSV file). `device` keeps only the rows of devices whose name contains it. */
export async function readSide(path: string, device = ""): Promise<Side> {
  const all = await readResults(path);
  const rows = all.filter((row) => row.device.toLowerCase().includes(device.toLowerCase()));
  if (rows.length === 0) {
    const there = [...new Set(all.map((row) => row.device))].join(", ");
    throw new UsageError(`${path}: no rows of a device called ${device}; there are ${there}`);
  }
  const samples = new Map((await readSampleLines(path)).map((line) => [`${line.run} ${line.key}`, line.samples]));
  const cells = new Map<string, SideCell>();
  for (const [key, ofCell] of groupBy(rows, rowKey)) {
    const runs = [...groupBy(ofCell.toSorted(byAge), ({ run }) => run)].map(([run, own]) => ({
      run,
      rows: new Map(own.map((row) => [row.metric, row])),
      samples: samples.get(`${run} ${key}`) ?? [],
    }));
    const last = newestOf(ofCell);
    if (!last) continue;
    const wrong = runs.flatMap((run) => run.samples).find((ns) => !(ns > 0));
    if (wrong !== undefined) throw new UsageError(`${path}: a sample of ${wrong} ns is no time (${cellName(last)})`);
    cells.set(key, { key, runs, last });
  }
  return { path, cells, distinct: (column) => [...new Set(rows.flatMap((row) => environmentOf(row, column)))] };
}

function environmentOf(row: ResultRow, column: Environment): string | [] {
  if (column !== "plugin") return row[column];
  return row.system.plugin === undefined ? [] : `${row.table} ${row.system.plugin}`;
}

/** A cell in a few words: `gph/fig10 bucketed find lineitem, n 100,784,453, LF 0.5, 25 % present`. */
export function cellName({ experiment, table, variant, op, ...row }: ResultRow): string {
  const { dataset, n, load_factor: loadFactor, positive_ratio: ratio, seed } = row;
  const words = [experiment, table, variant, op, dataset === "random" ? "" : dataset].filter((word) => word !== "");
  const details = [
    n > 0 ? `n ${whole(n)}` : "",
    loadFactor === null ? "" : `LF ${loadFactor}`,
    ratio === null ? "" : `${100 * ratio} % present`,
    ...Object.entries(row.params)
      .filter(([name]) => name !== "lookups")
      .map(([name, value]) => `${name} ${value}`),
    seed === 1 ? "" : `seed ${seed}`,
  ];
  return [words.join(" "), ...details.filter((detail) => detail !== "")].join(", ");
}
