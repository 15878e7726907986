/**
 * Baselines: results folders that keep the last runs of each cell on one device, which also shows how much runs of equal code
 * differ.
 */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { max, median, min } from "simple-statistics";
import { entriesOf } from "../../datasets/files/paths.js";
import { UsageError } from "../../kernels/device/errors.js";
import { deviceSlug } from "../results/device-name.js";
import { readFolders, replaceFolder, type StoredCell, type StoredFolder } from "../results/folder.js";
import { groupBy } from "../results/group.js";
import { rowKey, rowWords } from "../results/key.js";
import { type Lock, lockFolder } from "../results/lock.js";
import { withUniqueRuns } from "../results/merge.js";
import { RUN_FILE } from "../results/names.js";
import { byAge, newestOf } from "../results/newest.js";
import type { ResultRow, Status } from "../results/record.js";
import { isFinal } from "../results/record.js";
import { hasGpuTime } from "./parts.js";

export const BASELINES = "results/baselines";

/** The results folder of a baseline, whether it exists or not. Throws a UsageError for a name that no folder can have. */
export function baselinePath(store: string, device: string, name: string): string {
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(name)) {
    throw new UsageError(`baseline "${name}": a name of letters, digits, dots and dashes is wanted, such as main`);
  }
  return join(store, deviceSlug(device), name);
}

export interface SaveOptions {
  readonly store: string;
  readonly name: string;
  /** Runs of each cell to keep, the newest. */
  readonly keep: number;
  /** Forget what is stored. */
  readonly replace: boolean;
}

/**
 * Adds the runs of a results folder to the baseline of each of its devices. Returns the folders written. Throws a UsageError of
 * one line, before it writes, where device, driver or toggles differ from those of the stored runs.
 */
export function saveBaseline(from: string, options: SaveOptions): string[] {
  const folders = readFolders(from);
  const devices = new Set(folders.flatMap(({ cells }) => cells.map(({ rows: [row] }) => row.device)));
  if (devices.size === 0) throw new UsageError(`no results in ${from}`);
  const locks: Lock[] = [];
  try {
    const contents = [...devices].map((device) => {
      const path = baselinePath(options.store, device, options.name);
      locks.push(lockFolder(path, `--store ${path}`));
      const stored = existsSync(join(path, RUN_FILE)) && !options.replace ? readFolders(path) : [];
      const own = folders.map((folder) => ({ ...folder, cells: finalCells(folder, device) }));
      return { path, content: joined(stored, own, { ...options, from, path }) };
    });
    for (const { path, content } of contents) replaceFolder(path, content, "--store");
    return contents.map(({ path }) => path);
  } finally {
    for (const lock of locks) lock.release();
  }
}

/** Cells that hung or crashed cannot be compared with. */
function finalCells({ cells }: StoredFolder, device: string): StoredCell[] {
  return cells.filter(({ rows: [row] }) => row.device === device && isFinal(row.status));
}

function joined(
  stored: readonly StoredFolder[],
  fresh: readonly StoredFolder[],
  { from, path, name, keep }: SaveOptions & { from: string; path: string },
): Omit<StoredFolder, "path"> {
  const rows = [...stored, ...fresh].flatMap(({ cells }) => cells.map((cell) => cell.rows[0]));
  const [first] = rows;
  if (!first) throw new UsageError(`${from}: every cell timed out or crashed; nothing to keep`);
  const stranger = rows.find((row) => !isDeepStrictEqual(place(row), place(first)));
  if (stranger) {
    const column = (["device", "driver", "toggles"] as const).find((one) => stranger[one] !== first[one]) ?? "device";
    const change = `${column} ${first[column]} and ${stranger[column]}`;
    throw new UsageError(
      stored.length > 0
        ? `${path} and ${from} differ in their environment (${change}); --replace starts the baseline anew`
        : `${from} holds several environments (${change}); a baseline is of one`,
    );
  }
  const { environments, folders } = withUniqueRuns([...stored, ...fresh]);
  const byCell = groupBy(
    folders.flatMap(({ cells }) => cells),
    ({ key }) => key,
  );
  const cells = [...byCell.values()].flatMap((own) => newest(own, keep));
  const runs = new Set(cells.map((cell) => cell.rows[0].run));
  return {
    configuration: { baseline: name, ...place(first) },
    environments: new Map([...environments].filter(([run]) => runs.has(run))),
    cells,
  };
}

type Place = Pick<ResultRow, "device" | "driver" | "toggles">;

function place({ device, driver, toggles }: ResultRow): Place {
  return { device, driver, toggles };
}

/** One cell's runs, each once, the newest `keep` of them. */
function newest(cells: readonly StoredCell[], keep: number): StoredCell[] {
  const runs = groupBy(cells, ({ rows: [row] }) => row.run);
  const distinct = [...runs.values()].flatMap(([first, ...others]) => {
    const other = others.find(({ rows }) => !isDeepStrictEqual(rows, first?.rows));
    if (first && other) {
      const files = `${first.file} and ${other.file}`;
      throw new UsageError(`${files} hold different results of one run: ${rowWords(first.rows[0])}`);
    }
    return first ? [first] : [];
  });
  return distinct.sort((a, b) => byAge(b.rows[0], a.rows[0])).slice(0, keep);
}

export interface Baseline extends Place {
  readonly name: string;
  readonly path: string;
  readonly runs: readonly string[];
  readonly commits: readonly string[];
  readonly dawn: readonly string[];
  /** Days of the first and the last cell. */
  readonly dates: readonly [string, string];
  readonly cells: readonly BaselineCell[];
  /** Cells with a time whose newest run has no samples: `compare` has no times of them. */
  readonly withoutSamples: number;
}

interface BaselineCell {
  readonly cell: string;
  readonly key: string;
  readonly runs: number;
  /** Of the newest run. */
  readonly status: Status;
  /** Median of the runs' rates, M op/s; null without a number. */
  readonly mops: number | null;
  /** Median of the runs' medians, nanoseconds. */
  readonly time: number | null;
  /** Largest / smallest of the runs' median times - 1; null with a single run. */
  readonly spread: number | null;
}

/** Baselines of a store by device and name; none where there is no such folder. */
export function listBaselines(store: string): Baseline[] {
  return subfolders(store).flatMap((device) =>
    subfolders(join(store, device))
      .map((name) => join(store, device, name))
      .filter((path) => existsSync(join(path, RUN_FILE)))
      .map(readBaseline),
  );
}

function subfolders(path: string): string[] {
  return entriesOf(path, `--store ${path}`)
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .filter((name) => !name.startsWith("."))
    .sort();
}

function readBaseline(path: string): Baseline {
  const cells = readFolders(path).flatMap((folder) => folder.cells);
  const rows = cells.map((cell) => cell.rows[0]);
  const [first] = rows;
  if (!first) throw new UsageError(`no results in ${path}`);
  const all = (column: "run" | "commit" | "dawn"): string[] => [...new Set(rows.map((row) => row[column]))].sort();
  const byCell = [...groupBy(cells, ({ key }) => key).values()];
  const days = rows.map(({ time }) => time.slice(0, 10)).sort();
  return {
    name: path.split(/[\\/]/).at(-1) ?? "",
    ...place(first),
    path,
    runs: all("run"),
    commits: all("commit").filter((commit) => commit !== ""),
    dawn: all("dawn"),
    dates: [days[0] ?? "", days.at(-1) ?? ""],
    cells: byCell.flatMap(baselineCell),
    withoutSamples: byCell.filter(lacksSamples).length,
  };
}

function lacksSamples(runs: readonly StoredCell[]): boolean {
  const [newest] = runs.toSorted((a, b) => byAge(b.rows[0], a.rows[0]));
  const timed = newest?.rows.some((row) => row.metric === "time" && hasGpuTime(row)) === true;
  return timed && (newest.samples?.length ?? 0) === 0;
}

function baselineCell(runs: readonly StoredCell[]): BaselineCell[] {
  const values = (name: string): number[] =>
    runs.flatMap(({ rows }) => rows.find(({ metric }) => metric === name)?.value ?? []);
  const [times, rates] = [values("time"), values("mops")];
  const last = newestOf(runs.map(({ rows: [row] }) => row));
  if (!last) return [];
  const spread = times.length > 1 ? max(times) / min(times) - 1 : null;
  return [
    {
      cell: rowWords(last),
      key: rowKey(last),
      runs: runs.length,
      status: last.status,
      spread,
      mops: rates.length > 0 ? median(rates) : null,
      time: times.length > 0 ? median(times) : null,
    },
  ];
}
