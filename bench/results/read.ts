/** Reads results back, validated; every error names file, line and column. */

import { existsSync } from "node:fs";
import { basename, dirname, join, resolve, sep } from "node:path";
import { gunzipSync } from "node:zlib";
import type { z } from "zod";
import { kindOf, readBytes, saying } from "../../datasets/files/paths.js";
import { UsageError } from "../../kernels/device/errors.js";
import { parseRows } from "./csv.js";
import { type Environments, environmentsSchema } from "./environments.js";
import { isOtherCsv, presentSamplesFile, walk } from "./files.js";
import { ENVIRONMENT_FILE, RUN_FILE } from "./names.js";
import { FILE_COLUMNS, READABLE_VERSIONS, type ResultRow, SCHEMA_VERSION } from "./record.js";
import { parseSamples, type SamplesLine } from "./samples.js";
import { parseJson, validated } from "./validate.js";

/** The rows of a results folder, all .csv files below it, or of one CSV file. Throws a UsageError of one line. */
export async function readResults(path: string): Promise<ResultRow[]> {
  const files = resultFiles(path);
  const rows = files.flatMap((file) => rowsIn(file));
  if (rows.length === 0) throw new UsageError(`no results in ${path} (no ${files.length > 0 ? "row" : ".csv file"})`);
  return rows;
}

/** The rows of one file, joined with the environments of its folder; of `text`, where only a part of it is wanted. */
export function rowsIn(file: string, text = readText(file)): ResultRow[] {
  return parseRows(text, file, () => environmentsOf(folderOf(file)));
}

/** Of the folders above a file the nearest with an environment.json or a run.json; else its own. */
function folderOf(file: string): string {
  for (let folder = dirname(resolve(file)); ; folder = dirname(folder)) {
    if ([ENVIRONMENT_FILE, RUN_FILE].some((name) => existsSync(join(folder, name)))) return folder;
    if (folder === dirname(folder)) return dirname(file);
  }
}

/** What the environment.json of a folder says; nothing where there is none. Throws a UsageError for one that is broken. */
export function environmentsOf(folder: string): Environments {
  const file = join(folder, ENVIRONMENT_FILE);
  return new Map(existsSync(file) ? Object.entries(readJson(file, environmentsSchema)) : []);
}

/** Lines of every samples file of a results folder (or beside one CSV file), compressed ones included. */
export async function readSampleLines(path: string): Promise<SamplesLine[]> {
  return resultFiles(path).flatMap(samplesBeside);
}

/** Lines of the samples file beside a CSV, plain or compressed; none if there is no such file. */
export function samplesBeside(csv: string): SamplesLine[] {
  const file = presentSamplesFile(csv);
  return file ? parseSamples(readText(file), file) : [];
}

/**
 * The CSV files of results at a path (`history` and the references are files of another kind); in the folder of a run, whose `run.json` says so, only those that the run may have written. A
 * folder, or a file's, written by another version of the schema is refused.
 */
export function resultFiles(path: string): string[] {
  const kind = kindOf(path);
  if (kind === "nothing") throw new UsageError(`${path}: no such folder or file`);
  if (kind === "file") {
    for (const folder of [dirname(path), dirname(dirname(path))]) checkSchema(join(folder, RUN_FILE), false);
    return [path];
  }
  const files = saying(`${path} cannot be read`, () => walk(path));
  const runs = files.filter((file) => basename(file) === RUN_FILE);
  for (const file of runs) checkSchema(file, true);
  const folders = runs.map((file) => resolve(dirname(file)) + sep);
  const csv = files.filter((file) => file.endsWith(".csv") && !isOther(file));
  return csv.filter((file) => !folders.some((folder) => resolve(file).startsWith(folder)) || !isForeign(file));
}

/**
 * Whether somebody else's CSV lies in the folder of a run, as where `--out` named a folder in use. A result file whose header
 * was damaged is none: its samples lie beside it, or it still has most of the columns.
 */
function isForeign(file: string): boolean {
  if (presentSamplesFile(file)) return false;
  const names = new Set((readText(file).split(/\r?\n/, 1)[0] ?? "").split(","));
  return FILE_COLUMNS.filter((column) => names.has(column)).length < FILE_COLUMNS.length / 2;
}

function isOther(file: string): boolean {
  return saying(`${file} cannot be read`, () => isOtherCsv(file));
}

/** The text of a file, decompressed if its name ends in .gz. Throws a UsageError if it cannot be read. */
export function readText(file: string): string {
  const bytes = readBytes(file);
  return saying(`${file} cannot be read`, () => (file.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8"));
}

/** The content of a JSON file. Throws a UsageError of one line for one that is not as the schema says. */
export function readJson<T>(file: string, schema: z.ZodType<T>): T {
  return validated(parseJson(readText(file), file), schema, file);
}

/** @param strict whether the file must be ours; above a single CSV there may be anybody's run.json */
function checkSchema(file: string, strict: boolean): void {
  if (!existsSync(file)) return;
  let schema: unknown;
  try {
    schema = (JSON.parse(readText(file)) as { schema?: unknown } | null)?.schema;
  } catch (error) {
    if (strict) throw error instanceof UsageError ? error : new UsageError(`${file}: not JSON`);
  }
  if (typeof schema !== "number") {
    if (strict) throw new UsageError(`${file}: it does not say which schema the results have`);
  } else if (!READABLE_VERSIONS.includes(schema)) {
    const remedy = schema > SCHEMA_VERSION ? "a newer hashbench reads it" : "measure again, or use an older hashbench";
    const known = READABLE_VERSIONS.join(", ");
    throw new UsageError(`${file}: schema ${schema}, but this hashbench reads ${known}; ${remedy}`);
  }
}
