/** The history of a device: a results folder with the rates and counters of all runs that were added, but for their samples. */

import { existsSync, rmSync } from "node:fs";
import { extname, join } from "node:path";
import { median } from "simple-statistics";
import { entriesOf, writing } from "../../datasets/files/paths.js";
import { UsageError } from "../../kernels/device/errors.js";
import { deviceSlug } from "../results/device-name.js";
import { type Environments, withRows } from "../results/environments.js";
import { HISTORY_ENDING } from "../results/files.js";
import { replaceFolder, type StoredCell, type StoredFolder } from "../results/folder.js";
import { groupBy } from "../results/group.js";
import { compareCells, rowKey, rowWords } from "../results/key.js";
import { locked } from "../results/lock.js";
import { withUniqueRuns } from "../results/merge.js";
import { metricTypes } from "../results/metrics.js";
import { RUN_FILE } from "../results/names.js";
import { environmentsOf, resultFiles, rowsIn } from "../results/read.js";
import type { ResultRow } from "../results/record.js";
import { type ChangePoint, changePoints } from "./changepoints.js";

export const HISTORY = "results/history";
/** Metrics that a history keeps of a cell. */
const KEPT = metricTypes.filter(({ history }) => history).map(({ name }) => name);
/** Counters are almost exact: they change by less than this only where atomics race. */
const COUNTER_EFFECT = 0.005;
/** Of a file, as histories were before version 4 of the schema of rows. */
const OLD = ".csv";

/**
 * Adds the runs of a results folder to the history of each of its devices; rows that are there already stay as they are. Returns how many
 * lines each file has got.
 */
export function addToHistory(from: string, store: string) {
  const rows = measuredIn(from);
  if (rows.length === 0) throw new UsageError(`${from}: no cell that is ok; nothing to add`);
  return locked(store, `--store ${store}`, () => {
    const devices = [...groupBy(rows, ({ device }) => device)].map(([device, own]) => {
      const path = join(store, deviceSlug(device));
      const [file, old] = [path + HISTORY_ENDING, path + OLD];
      return { file, old, ...joined([file, old], device, folderOf(from, own)) };
    });
    return devices.map(({ file, old, lines, content }) => {
      if (lines > 0 || existsSync(old)) replaceFolder(file, content, "--store");
      writing(old, () => rmSync(old, { force: true }));
      return { file, lines };
    });
  });
}

type Measured = ResultRow & { readonly value: number };

/** Of a folder or a file the rows that a history keeps. */
function measuredIn(path: string): Measured[] {
  const rows = resultFiles(path).flatMap((file) => rowsIn(file));
  return rows.flatMap((row) => {
    const { value, status, metric } = row;
    return value !== null && status === "ok" && KEPT.includes(metric) ? [{ ...row, value }] : [];
  });
}

/** What is stored at these paths and what is fresh, and how many rows of these are new. */
function joined(paths: readonly string[], device: string, fresh: StoredFolder) {
  const stored = paths.filter((one) => existsSync(one)).map((one) => folderOf(one, measuredIn(one)));
  const { environments, folders } = withUniqueRuns([...stored, fresh]);
  const cells = new Map<string, StoredCell>();
  let lines = 0;
  for (const [i, folder] of folders.entries()) {
    for (const cell of folder.cells) {
      const [row] = cell.rows;
      if (row.device !== device)
        throw new UsageError(`${folder.path} is the history of ${row.device}, not of ${device}; give another --store`);
      // Two machines may begin runs in the same second, but do not finish the same cell in the same millisecond.
      const name = [row.run, row.time, cell.key].join("\n");
      if (cells.has(name)) continue;
      cells.set(name, cell);
      if (i === stored.length) lines += cell.rows.length;
    }
  }
  return { lines, content: { configuration: { history: device }, environments, cells: [...cells.values()] } };
}

/** Rows as a folder has them. What tells runs of one id apart is what their rows say, not how long they took. */
function folderOf(path: string, rows: readonly ResultRow[]): StoredFolder {
  const cells = [...groupBy(rows, (row) => [row.run, row.time, rowKey(row)].join("\n")).values()];
  const known: Environments = existsSync(join(path, RUN_FILE)) ? environmentsOf(path) : new Map();
  const named = [...new Set(rows.map(({ run }) => run))].map(
    (run) => [run, { run: known.get(run)?.run ?? run }] as const,
  );
  return {
    path,
    configuration: {},
    environments: withRows(new Map(named), rows),
    cells: cells.map((own) => ({ key: rowKey(own[0]), rows: own, samples: null, file: path })),
  };
}

/** Histories of a store by name; none where there is no such folder. */
export function historyFiles(store: string): string[] {
  return entriesOf(store, `--store ${store}`)
    .map(({ name }) => name)
    .filter((name) => [HISTORY_ENDING, OLD].includes(extname(name)))
    .sort()
    .map((name) => join(store, name));
}

// Trends

/** One run on a device; `time` is when its first cell was recorded. */
export type HistoryRun = Pick<ResultRow, "run" | "time" | "commit" | "dawn" | "driver" | "toggles">;

export interface Trend {
  /** In words. */
  readonly cell: string;
  readonly metric: string;
  /** A row of the trend, for the columns of its cell. */
  readonly line: ResultRow;
  /** In time order; `run` is the place in {@link DeviceHistory.runs}. */
  readonly points: readonly { readonly run: number; readonly value: number }[];
  readonly median: number;
  /** Places in `points`. */
  readonly changes: readonly ChangePoint[];
}

export interface DeviceHistory {
  readonly device: string;
  readonly file: string;
  /** In time order. */
  readonly runs: readonly HistoryRun[];
  /** By cell, then by metric. */
  readonly trends: readonly Trend[];
}

/**
 * Trends of all cells of a device, with their change points.
 * @param minEffect by how much a rate has to change, such as 0.025; counters 0.005
 */
export function deviceHistory(file: string, minEffect: number): DeviceHistory {
  const lines = measuredIn(file);
  const [first] = lines;
  if (!first) throw new UsageError(`${file}: no runs yet (hashbench history add)`);
  const starts = [...groupBy(lines, runOf).values()].map((own) => own.reduce((a, b) => (b.time < a.time ? b : a)));
  const runs = starts
    .sort((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : compareCells(a, b)))
    .map(({ run, time, commit, dawn, driver, toggles }) => ({ run, time, commit, dawn, driver, toggles }));
  const places = new Map(runs.map((run, i) => [runOf(run), i]));
  const trends = [...groupBy(lines, (line) => `${rowKey(line)}\n${line.metric}`).values()]
    .flatMap((own) => trendOf(own, places, minEffect))
    .sort((a, b) => compareCells(a.line, b.line) || KEPT.indexOf(a.metric) - KEPT.indexOf(b.metric));
  return { device: first.device, file, runs, trends };
}

/** Two runs that began in the same second with one commit, Dawn and driver, on two machines, are one run here. */
function runOf({ run, commit, dawn, driver, toggles }: Omit<HistoryRun, "time">): string {
  return JSON.stringify([run, commit, dawn, driver, toggles]);
}

function trendOf(lines: readonly Measured[], places: ReadonlyMap<string, number>, minEffect: number): Trend[] {
  const [line] = lines;
  if (!line) return [];
  const points = lines
    .map((one) => ({ run: places.get(runOf(one)) ?? 0, value: one.value, time: one.time }))
    .sort((a, b) => a.run - b.run || (a.time < b.time ? -1 : 1))
    .map(({ run, value }) => ({ run, value }));
  const values = points.map(({ value }) => value);
  const changes = changePoints(values, line.metric === "mops" ? minEffect : Math.min(minEffect, COUNTER_EFFECT));
  return [{ cell: rowWords(line), metric: line.metric, line, points, median: median(values), changes }];
}

/** A change point with the runs on its two sides. */
export interface Change extends Omit<ChangePoint, "index"> {
  readonly cell: string;
  readonly metric: string;
  readonly unit: string;
  /** Last run of the old level, first of the new one. */
  readonly from: HistoryRun;
  readonly to: HistoryRun;
}

/** All change points of a device, newest first, then by size. */
export function changesOf({ runs, trends }: DeviceHistory): Change[] {
  return trends
    .flatMap(({ cell, metric, line, points, changes }) =>
      changes.flatMap(({ index, before, after, change }): Change[] => {
        const [from, to] = [runs[points[index - 1]?.run ?? -1], runs[points[index]?.run ?? -1]];
        return from && to ? [{ cell, metric, unit: line.unit, before, after, change, from, to }] : [];
      }),
    )
    .sort((a, b) =>
      a.to.time === b.to.time ? Math.abs(b.change) - Math.abs(a.change) : a.to.time < b.to.time ? 1 : -1,
    );
}
