/** The files of a results folder: which they are, and how they are replaced so that a kill leaves the old or the new. */

import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { constants, gunzipSync } from "node:zlib";
import { firstBytes, readBytes } from "../../datasets/files/paths.js";
import { UsageError } from "../../kernels/device/errors.js";
import { ENVIRONMENT_FILE, RUN_FILE, SAMPLES, samplesFile } from "./names.js";

const PACKED = `${SAMPLES}.gz`;
/** How the header of every version of the schema begins, the newest first. */
const CSV_STARTS = ["run,time,experiment,", "run,time,commit,"];
/** The same of a file that `hashbench history` wrote before version 4. */
const HISTORY_START = "time,run,commit,";
/** The same of a file of references. */
const REFERENCES_START = "library,variant,device,";
/** Of every line of samples. */
const SAMPLES_START = '{"key":"[';

/** `gph/fig10.samples.jsonl.gz`: the same lines in folders that `merge` and `baseline` wrote. */
export function packedSamplesFile(csv: string): string {
  return `${samplesFile(csv)}.gz`;
}

/** The samples beside a CSV. Where a kill left both forms, the plain one, which is never older. */
export function presentSamplesFile(csv: string): string | undefined {
  return [samplesFile(csv), packedSamplesFile(csv)].find((path) => existsSync(path));
}

/** Runs that are kept for comparison, some of them with planted slow-downs: they do not belong to the results beside them. */
const BASELINES = "baselines";
/** Of the name of a device's history. */
export const HISTORY_ENDING = ".history";

/** All files below a folder, by path; hidden folders, node_modules, baselines, histories and what `enter` refuses are left out. */
export function walk(folder: string, enter: (folder: string) => boolean = () => true): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isFile() || entry.isSymbolicLink()) return [path];
      const skipped =
        !entry.isDirectory() ||
        entry.name.startsWith(".") ||
        entry.name.endsWith(HISTORY_ENDING) ||
        ["node_modules", BASELINES].includes(entry.name);
      return skipped || !enter(path) ? [] : walk(path, enter);
    });
}

/**
 * The result files of the run in `folder`, as paths of their CSV (which may be missing where a run was killed before it wrote
 * the first row). Other people's CSV files and folders of other runs do not count.
 */
export function ownFiles(folder: string): string[] {
  const own = new Set<string>();
  for (const path of walk(folder, (inner) => !existsSync(join(inner, RUN_FILE)))) {
    if (path.endsWith(SAMPLES) && begins(path, SAMPLES_START)) own.add(`${path.slice(0, -SAMPLES.length)}.csv`);
    if (path.endsWith(PACKED) && beginsPacked(path, SAMPLES_START)) own.add(`${path.slice(0, -PACKED.length)}.csv`);
    if (path.endsWith(".csv") && isResultCsv(path)) own.add(path);
  }
  return [...own].sort();
}

/** Whether a CSV file has a header of ours, of whatever version of the schema. */
export function isResultCsv(path: string): boolean {
  return CSV_STARTS.some((wanted) => begins(path, wanted)) || isTorn(path);
}

/** Killed inside the header: the samples, which are written first, show whose file it is. */
function isTorn(csv: string): boolean {
  const size = statSync(csv, { throwIfNoEntry: false })?.size ?? 0;
  if (presentSamplesFile(csv) === undefined) return false;
  return CSV_STARTS.some((wanted) => size < wanted.length && wanted.startsWith(start(csv, size)));
}

/** Whether a file begins with `wanted`, or was torn within it. */
function begins(path: string, wanted: string): boolean {
  const text = start(path, wanted.length);
  return text === wanted || (path.endsWith(SAMPLES) && wanted.startsWith(text));
}

function beginsPacked(path: string, start: string): boolean {
  try {
    // Of a stream that was cut off, the part that can be read.
    const text = gunzipSync(readBytes(path), { finishFlush: constants.Z_SYNC_FLUSH }).toString("utf8");
    return text.slice(0, start.length) === start;
  } catch {
    return false;
  }
}

/** Nothing of what is not a file. */
function start(path: string, count: number): string {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ? firstBytes(path, count) : "";
}

/** A file of `hashbench history`, or of references: CSV files that may lie in a results folder without being results. */
export function isOtherCsv(path: string): boolean {
  return begins(path, HISTORY_START) || begins(path, REFERENCES_START);
}

/** Throws a UsageError where a report or a page would replace results, or what belongs to them. */
export function requireNoResults(path: string, what: string): void {
  const named =
    [RUN_FILE, ENVIRONMENT_FILE].includes(basename(path)) || path.endsWith(SAMPLES) || path.endsWith(PACKED);
  if (existsSync(path) && (named || isResultCsv(path) || isOtherCsv(path)))
    throw new UsageError(`${what} holds results; give the name of another file`);
}

export function removeResults(csv: string): void {
  for (const path of [csv, samplesFile(csv), packedSamplesFile(csv)]) {
    rmSync(path, { force: true });
    rmSync(`${path}.tmp`, { force: true });
  }
}
