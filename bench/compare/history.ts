/** The history of a device: one CSV to which runs are added, a line a run, cell and metric that it keeps. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { median } from "simple-statistics";
import type { z } from "zod";
import { entriesOf, replaceFile, writing } from "../../datasets/files/paths.js";
import { UsageError } from "../../kernels/device/errors.js";
import { checkCount, csvText, parseCsv, parseField } from "../results/csv.js";
import { deviceSlug } from "../results/device-name.js";
import { groupBy } from "../results/group.js";
import { compareCells, rowKey, rowWords } from "../results/key.js";
import { locked } from "../results/lock.js";
import { metricTypes } from "../results/metrics.js";
import { readResults, readText } from "../results/read.js";
import { type ResultRow, rowSchema } from "../results/record.js";
import { validated } from "../results/validate.js";
import { type ChangePoint, changePoints } from "./changepoints.js";

export const HISTORY = "results/history";
/** Metrics that a history keeps of a cell. */
const KEPT = metricTypes.filter(({ history }) => history).map(({ name }) => name);
/** Counters are almost exact: they change by less than this only where atomics race. */
const COUNTER_EFFECT = 0.005;

const lineSchema = rowSchema
  .pick({ time: true, run: true, commit: true, dawn: true, driver: true, toggles: true, device: true })
  .extend(
    rowSchema.pick({
      experiment: true,
      bench: true,
      table: true,
      variant: true,
      op: true,
      dataset: true,
      n: true,
      load_factor: true,
      positive_ratio: true,
      seed: true,
      params: true,
      metric: true,
      unit: true,
    }).shape,
  )
  .extend({ value: rowSchema.shape.value.unwrap(), lo: rowSchema.shape.lo, hi: rowSchema.shape.hi })
  .strict();

type HistoryLine = z.infer<typeof lineSchema>;

const COLUMNS = Object.keys(lineSchema.shape) as (keyof HistoryLine)[];
const HEAD = COLUMNS.join(",");

interface Added {
  readonly file: string;
  readonly device: string;
  readonly lines: number;
}

/** Adds the runs of a results folder to the history of each of its devices; lines that are there already stay as they are. */
export async function addToHistory(from: string, store: string): Promise<Added[]> {
  const rows = (await readResults(from)).filter((row) => row.status === "ok" && KEPT.includes(row.metric));
  const lines = rows.flatMap(lineOf);
  if (lines.length === 0) throw new UsageError(`${from}: no cell that is ok; nothing to add`);
  return locked(store, `--store ${store}`, () => addLines(lines, store));
}

function addLines(lines: readonly HistoryLine[], store: string): Added[] {
  const devices = [...groupBy(lines, ({ device }) => device)].map(([device, own]) => {
    const file = join(store, `${deviceSlug(device)}.csv`);
    const before = existsSync(file) ? readHistory(file) : [];
    const other = before.find((line) => line.device !== device);
    if (other)
      throw new UsageError(`${file} is the history of ${other.device}, not of ${device}; give another --store`);
    const known = new Set(before.map(identity));
    const fresh = own.filter((line) => !known.has(identity(line))).sort(byTime);
    return { file, device, fresh };
  });
  return devices.map(({ file, device, fresh }) => {
    if (fresh.length > 0) append(file, fresh);
    return { file, device, lines: fresh.length };
  });
}

function lineOf(row: ResultRow): HistoryLine[] {
  if (row.value === null) return [];
  return [lineSchema.parse(Object.fromEntries(COLUMNS.map((column) => [column, row[column]])))];
}

/** Two machines may begin runs in the same second, but do not finish the same cell in the same millisecond. */
function identity(line: HistoryLine): string {
  return [line.run, line.time, line.metric, cellOf(line)].join("\n");
}

function byTime(a: HistoryLine, b: HistoryLine): number {
  return a.time < b.time ? -1 : a.time > b.time ? 1 : compareCells(asRow(a), asRow(b));
}

/** rowKey and its like look at the key's columns only. */
function asRow(line: HistoryLine): ResultRow {
  const none = { api: "webgpu", system: {}, data_hash: "", samples: 0, repetitions: 1, stopped: "" } as const;
  return { ...line, ...none, status: "ok", reason: "" };
}

function cellOf(line: HistoryLine): string {
  return rowKey(asRow(line));
}

function append(file: string, lines: readonly HistoryLine[]): void {
  const before = existsSync(file) ? readText(file) : `${HEAD}\n`;
  writing(file, () => replaceFile(file, before + (before.endsWith("\n") ? "" : "\n") + csvText(lines, COLUMNS)));
}

/** Lines of one file in its order. Throws a UsageError that names file and line. */
export function readHistory(file: string): HistoryLine[] {
  let lines: HistoryLine[] = [];
  let begun = false;
  const begin = (head: string) => {
    if (head !== HEAD) throw new UsageError(`${file}:1: no history of a device; its first line should be ${HEAD}`);
    begun = true;
  };
  parseCsv(readText(file), file, () => {
    lines = [];
    begun = false;
    return (fields, line) => {
      if (begun) lines.push(parseLine(fields, `${file}:${line}`));
      else begin(fields.join());
    };
  });
  if (!begun) begin("");
  return lines;
}

function parseLine(fields: readonly string[], where: string): HistoryLine {
  checkCount(fields, COLUMNS, where);
  const line = Object.fromEntries(COLUMNS.map((column, i) => [column, parseField(column, fields[i] ?? "", where)]));
  return validated(line, lineSchema, where);
}

/** Histories of a store by file name; none where there is no such folder. */
export function historyFiles(store: string): string[] {
  return entriesOf(store, `--store ${store}`)
    .map(({ name }) => name)
    .filter((name) => name.endsWith(".csv"))
    .sort()
    .map((name) => join(store, name));
}

// Trends

/** One run on a device; `time` is when its first cell was recorded. */
export type HistoryRun = Pick<HistoryLine, "run" | "time" | "commit" | "dawn" | "driver" | "toggles">;

export interface Trend {
  /** In words. */
  readonly cell: string;
  readonly metric: string;
  /** A line of the trend, for the columns of its cell. */
  readonly line: HistoryLine;
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
  const lines = readHistory(file);
  const [first] = lines;
  if (!first) throw new UsageError(`${file}: no runs yet (hashbench history add)`);
  const starts = [...groupBy(lines, runOf).values()].map((own) => own.reduce((a, b) => (b.time < a.time ? b : a)));
  const runs = starts
    .sort(byTime)
    .map(({ run, time, commit, dawn, driver, toggles }) => ({ run, time, commit, dawn, driver, toggles }));
  const places = new Map(runs.map((run, i) => [runOf(run), i]));
  const trends = [...groupBy(lines, (line) => `${cellOf(line)}\n${line.metric}`).values()]
    .flatMap((own) => trendOf(own, places, minEffect))
    .sort((a, b) => compareCells(asRow(a.line), asRow(b.line)) || KEPT.indexOf(a.metric) - KEPT.indexOf(b.metric));
  return { device: first.device, file, runs, trends };
}

/** Two runs that began in the same second with one commit, Dawn and driver, on two machines, are one run here. */
function runOf({ run, commit, dawn, driver, toggles }: Omit<HistoryRun, "time">): string {
  return JSON.stringify([run, commit, dawn, driver, toggles]);
}

function trendOf(lines: readonly HistoryLine[], places: ReadonlyMap<string, number>, minEffect: number): Trend[] {
  const [line] = lines;
  if (!line) return [];
  const points = lines
    .map((one) => ({ run: places.get(runOf(one)) ?? 0, value: one.value, time: one.time }))
    .sort((a, b) => a.run - b.run || (a.time < b.time ? -1 : 1))
    .map(({ run, value }) => ({ run, value }));
  const values = points.map(({ value }) => value);
  const changes = changePoints(values, line.metric === "mops" ? minEffect : Math.min(minEffect, COUNTER_EFFECT));
  return [{ cell: rowWords(asRow(line)), metric: line.metric, line, points, median: median(values), changes }];
}

/** A change point with the runs on its two sides. */
export interface Change {
  readonly cell: string;
  readonly metric: string;
  readonly unit: string;
  readonly before: number;
  readonly after: number;
  /** Relative. */
  readonly change: number;
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
