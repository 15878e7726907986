/** Whole results folders: read cell by cell with samples and environments, and written in one step, compressed. */

import { cpSync, existsSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve, sep } from "node:path";
import { gzipSync } from "node:zlib";
import { z } from "zod";
import { checkOutFolder, kindOf, makeFolder, writing } from "../../datasets/files/paths.js";
import { UsageError } from "../../kernels/device/errors.js";
import type { Configuration } from "./configuration.js";
import { fileText } from "./csv.js";
import { type Environments, environmentsText, withRows } from "./environments.js";
import { ownFiles, packedSamplesFile, walk } from "./files.js";
import { groupBy } from "./group.js";
import { compare, compareCells, rowKey, rowWords } from "./key.js";
import { LOCK_FILE } from "./lock.js";
import { ENVIRONMENT_FILE, RUN_FILE, samplesFile } from "./names.js";
import { environmentsOf, readJson, resultFiles, rowsIn, samplesBeside } from "./read.js";
import { type ResultRow, SCHEMA_VERSION } from "./record.js";
import { samplesText } from "./samples.js";

/** What one run found out about one cell. */
export interface StoredCell {
  /** rowKey of every row. */
  readonly key: string;
  /** One a metric; all of one run. */
  readonly rows: readonly [ResultRow, ...ResultRow[]];
  /** Nanoseconds in time order; null where they were not kept. */
  readonly samples: readonly number[] | null;
  readonly file: string;
}

export interface StoredFolder {
  readonly path: string;
  readonly configuration: Configuration;
  /** environment.json, with what its rows share even where their files are of an older version. */
  readonly environments: Environments;
  readonly cells: readonly StoredCell[];
}

const runSchema = z.object({ configuration: z.record(z.string(), z.unknown()) });
/** An experiment's id is the path of its file. */
const EXPERIMENT = /^[A-Za-z0-9_][A-Za-z0-9_.-]*(\/[A-Za-z0-9_][A-Za-z0-9_.-]*)*$/;

/**
 * The run at a path, or those in the folders below it. Throws a UsageError of one line where there is none, and for a file that
 * is broken or that a killed run left half written.
 */
export function readFolders(path: string): StoredFolder[] {
  const files = resultFiles(path);
  const runs = statSync(path).isDirectory() ? walk(path).filter((file) => basename(file) === RUN_FILE) : [];
  if (runs.length === 0) throw new UsageError(`${path}: no results folder (there is no ${RUN_FILE} in it or below it)`);
  const folders = runs.map(dirname).sort((a, b) => b.length - a.length);
  const owner = new Map(
    files.map((file) => [file, folders.find((folder) => resolve(file).startsWith(resolve(folder) + sep))]),
  );
  const homeless = files.find((file) => owner.get(file) === undefined);
  if (homeless) throw new UsageError(`${homeless}: there is no ${RUN_FILE} in its folder or above it`);
  return folders.sort().map((folder) => {
    const cells = files.filter((file) => owner.get(file) === folder).flatMap(readCells);
    return {
      path: folder,
      configuration: readJson(join(folder, RUN_FILE), runSchema).configuration,
      environments: withRows(environmentsOf(folder), firstRows(cells)),
      cells,
    };
  });
}

function firstRows(cells: readonly StoredCell[]): ResultRow[] {
  return cells.map(({ rows: [row] }) => row);
}

function readCells(file: string): StoredCell[] {
  const rows = rowsIn(file);
  const odd = rows.find(({ experiment }) => !EXPERIMENT.test(experiment));
  if (odd) throw new UsageError(`${file}: "${odd.experiment}" is no experiment's id`);
  const lines = new Map(samplesBeside(file).map((line) => [cellOfRun(line.run, line.key), line]));
  return [...groupBy(rows, (row) => cellOfRun(row.run, rowKey(row)))].map(([name, rows]) => {
    const line = lines.get(name);
    if (line && line.rows !== rows.length) {
      const what = `${rowWords(rows[0])} has ${rows.length} of its ${line.rows} rows`;
      throw new UsageError(`${file}: ${what}: the run was killed, or goes on still; complete it with run --resume`);
    }
    return { key: rowKey(rows[0]), rows, samples: line?.samples ?? null, file };
  });
}

function cellOfRun(run: string, key: string): string {
  return `${run}\n${key}`;
}

/** Order by cell, then by environment and run: the same whatever the order of the input. */
export function compareStored({ rows: [a] }: StoredCell, { rows: [b] }: StoredCell): number {
  const within = (row: ResultRow): string => [row.device, row.driver, row.toggles, row.run, row.dawn].join("\n");
  return compareCells(a, b) || compare(within(a), within(b));
}

/** Writes the files of a folder that does not exist yet. The same cells give the same bytes, in whatever order they are. */
function writeFolder(folder: string, { configuration, environments, cells }: Omit<StoredFolder, "path">): void {
  const files = groupBy([...cells].sort(compareStored), ({ rows: [row] }) => row.experiment);
  makeFolder(folder);
  for (const [experiment, own] of files) {
    const csv = join(folder, `${experiment}.csv`);
    makeFolder(dirname(csv));
    const lines = own.flatMap(({ key, rows, samples }) =>
      samples ? [samplesText({ key, run: rows[0].run, rows: rows.length, samples: [...samples] })] : [],
    );
    if (lines.length > 0) writeFileSync(packedSamplesFile(csv), packed(lines.join("")), { flush: true });
    writeFileSync(csv, fileText(own.flatMap(({ rows }) => rows)), { flush: true });
  }
  const known = environmentsText(withRows(environments, firstRows(cells)));
  writeFileSync(join(folder, ENVIRONMENT_FILE), known, { flush: true });
  const run = JSON.stringify({ schema: SCHEMA_VERSION, configuration }, null, 1);
  writeFileSync(join(folder, RUN_FILE), `${run}\n`, { flush: true });
}

/** gzip without the mark of the operating system, which would make equal contents differ. */
function packed(text: string): Uint8Array {
  const bytes = gzipSync(text, { level: 9 });
  bytes[9] = 255;
  return bytes;
}

/** Whether there is a folder (or file) with something in it, a lock apart. */
export function isOccupied(path: string): boolean {
  const kind = kindOf(path);
  return kind === "file" || (kind === "folder" && readdirSync(path).some((name) => name !== LOCK_FILE));
}

/**
 * Writes a results folder in place of what is there: beside it first, under a hidden name, then renamed, so that a kill never
 * leaves half of it. What hashbench did not write in the old folder (figures, notes) is taken along. The caller holds its lock.
 * @param flag how the command line calls the folder, for messages
 */
export function replaceFolder(folder: string, content: Omit<StoredFolder, "path">, flag: string): void {
  const place = resolve(folder);
  const hidden = (end: string) => join(dirname(place), `.${basename(place)}.${end}`);
  const [fresh, old] = [hidden("partial"), hidden("old")];
  const what = `${flag} ${folder}`;
  checkOutFolder(folder, what);
  writing(what, () => {
    for (const left of [fresh, old]) rmSync(left, { recursive: true, force: true });
    try {
      if (existsSync(place)) copyForeign(place, fresh);
      writeFolder(fresh, content);
      if (existsSync(place)) renameSync(place, old);
      renameSync(fresh, place);
      rmSync(old, { recursive: true, force: true });
    } catch (error) {
      rmSync(fresh, { recursive: true, force: true });
      if (!existsSync(place) && existsSync(old)) renameSync(old, place);
      throw error;
    }
  });
}

function copyForeign(from: string, to: string): void {
  const own = ownFiles(from).flatMap((csv) => [csv, samplesFile(csv), packedSamplesFile(csv)]);
  const left = new Set([...own, join(from, RUN_FILE), join(from, ENVIRONMENT_FILE), join(from, LOCK_FILE)]);
  cpSync(from, to, { recursive: true, filter: (path) => !left.has(path) });
}
