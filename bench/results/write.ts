/** Writes results so that a finished cell is never lost and never doubled. */

import { appendFileSync, existsSync, readdirSync, rmSync, statSync, truncateSync } from "node:fs";
import { dirname, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { makeFolder, replaceFile, writing } from "../../datasets/files/paths.js";
import { UsageError } from "../../kernels/device/errors.js";
import type { CellSpec } from "../base/experiment.js";
import { type Configuration, difference } from "./configuration.js";
import { csvText, fileText } from "./csv.js";
import { type Environments, environmentsText, withRows } from "./environments.js";
import { isResultCsv, ownFiles, removeResults } from "./files.js";
import { cellKey } from "./key.js";
import { type Lock, lockFolder } from "./lock.js";
import { ENVIRONMENT_FILE, RUN_FILE, samplesFile } from "./names.js";
import { environmentsOf, readText } from "./read.js";
import {
  type CellResult,
  FILE_COLUMNS,
  isFinal,
  READABLE_VERSIONS,
  type ResultRow,
  type RunInfo,
  SCHEMA_VERSION,
} from "./record.js";
import { completeCells, repair } from "./repair.js";
import { rowsOf } from "./rows.js";
import { samplesText } from "./samples.js";
import { jsonIn } from "./validate.js";

interface OpenResults {
  /** Goes on where a run of the same configuration ended; null: the command cannot. */
  readonly resume: boolean | null;
  readonly force: boolean;
}

/**
 * Opens a folder for results. Throws a UsageError if it holds those of another configuration, or of this one without
 * `resume` or `force`; `force` deletes what an earlier run wrote there, and nothing else. Also throws one for a path that is
 * a file or cannot be written, and where another process writes there. Until `close` no other may.
 */
export async function openResults(
  out: string,
  configuration: Configuration,
  options: OpenResults,
): Promise<ResultWriter> {
  const what = `--out ${out}`;
  const lock = lockFolder(out, what);
  try {
    return writing(what, () => {
      const { kept, environments } = prepare(out, configuration, options);
      return new ResultWriter(out, kept, environments, lock);
    });
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** Makes the folder ready for rows of this configuration; `kept` are the keys of the cells that it keeps. */
function prepare(out: string, configuration: Configuration, { resume, force }: OpenResults) {
  const wanted = wantedFile(configuration);
  const present = readRun(out);
  const files = ownFiles(out);
  // A run that ended before its first cell left no files.
  if (force || files.length === 0) {
    for (const csv of files) removeResults(csv);
    if (force && present) rmSync(join(out, ENVIRONMENT_FILE), { force: true });
  } else {
    refuse(out, present, wanted, resume);
  }
  if (!isDeepStrictEqual(present, wanted)) replaceFile(join(out, RUN_FILE), `${JSON.stringify(wanted, null, 1)}\n`);
  const environments = new EnvironmentFile(out);
  return { environments, kept: force ? [] : files.flatMap((csv) => repair(csv, (rows) => environments.note(rows))) };
}

/** The keys of the cells that `openResults` would keep. Changes nothing, and throws as it does for what is there. */
export function finishedIn(
  out: string,
  configuration: Configuration,
  { resume, force }: OpenResults,
): readonly string[] {
  const present = readRun(out);
  const files = existsSync(out) ? ownFiles(out) : [];
  if (force || files.length === 0) return [];
  refuse(out, present, wantedFile(configuration), resume);
  return files.flatMap(completeCells);
}

function wantedFile(configuration: Configuration): RunFile {
  return { schema: SCHEMA_VERSION, configuration: JSON.parse(JSON.stringify(configuration)) as Configuration };
}

interface RunFile {
  readonly schema: number;
  readonly configuration: Configuration;
}

/** run.json; null if there is none. One that is not ours is never overwritten. */
function readRun(out: string): RunFile | null {
  const file = join(out, RUN_FILE);
  if (!existsSync(file)) return noneBelow(out);
  const run = jsonIn(readText(file)) as Partial<RunFile> | null | undefined;
  if (typeof run?.schema === "number" && typeof run.configuration === "object" && run.configuration)
    return { schema: run.schema, configuration: run.configuration };
  throw new UsageError(`${file} was not written by hashbench, or is broken; give another --out`);
}

/** Throws a UsageError where folders below hold runs of their own: whoever reads this one takes their rows, too. */
function noneBelow(out: string): null {
  const folders = existsSync(out) ? readdirSync(out, { withFileTypes: true }).filter((one) => one.isDirectory()) : [];
  const runs = folders.map(({ name }) => name).filter((name) => existsSync(join(out, name, RUN_FILE)));
  if (runs.length === 0) return null;
  throw new UsageError(`--out ${out} holds other runs, a folder each (${runs.sort().join(", ")}); give another --out`);
}

function refuse(out: string, present: RunFile | null, wanted: RunFile, resume: boolean | null): void {
  const remedy = "give --force to replace them, or another --out";
  if (!present) throw new UsageError(`--out ${out} holds results without their ${RUN_FILE}; ${remedy}`);
  // `repair` gives the files of an older version the columns that they do not have.
  if (!READABLE_VERSIONS.includes(present.schema))
    throw new UsageError(`--out ${out} holds results of schema ${present.schema}, not ${wanted.schema}; ${remedy}`);
  const change = difference([present.configuration, "there"], [wanted.configuration, "now"]);
  if (change !== undefined)
    throw new UsageError(`--out ${out} holds results of another configuration (${change}); ${remedy}`);
  const again = resume === null ? remedy : `give --resume to go on, or ${remedy}`;
  if (!resume) throw new UsageError(`--out ${out} holds results already; ${again}`);
}

/** Appends in this order, each in one write that waits for the disk. Where one fails, all files end as they did before. */
function appendAll(texts: readonly { readonly file: string; readonly text: string }[]): void {
  const before = texts.map(({ file }) => ({ file, size: statSync(file, { throwIfNoEntry: false })?.size }));
  try {
    for (const { file, text } of texts) appendFileSync(file, text, { flush: true });
  } catch (error) {
    for (const { file, size } of before) {
      if (size === undefined) rmSync(file, { force: true });
      else truncateSync(file, size);
    }
    throw error;
  }
}

class EnvironmentFile {
  private environments: Environments;

  constructor(private readonly folder: string) {
    this.environments = environmentsOf(folder);
  }

  /** What the rows leave out is on disk before they are. */
  note(rows: readonly ResultRow[]): void {
    this.replace(withRows(this.environments, rows));
  }

  describe(environment: Readonly<Record<string, unknown>> & { readonly run: string }): void {
    const rows = this.environments.get(environment.run)?.rows;
    this.replace(new Map([...this.environments, [environment.run, { ...environment, rows }]]));
  }

  private replace(environments: Environments): void {
    if (environments === this.environments) return;
    replaceFile(join(this.folder, ENVIRONMENT_FILE), environmentsText(environments));
    this.environments = environments;
  }
}

export class ResultWriter {
  private readonly done: Set<string>;
  /** Keys of all cells with rows on disk. */
  private readonly written: Set<string>;
  private open = true;

  /** @param kept keys of the cells that the folder holds already */
  constructor(
    private readonly out: string,
    kept: readonly string[],
    private readonly environments: EnvironmentFile,
    private readonly lock: Lock,
  ) {
    this.done = new Set(kept);
    this.written = new Set(kept);
  }

  /** Keys (cellKey) of complete cells: ok, skipped or failed. Time-outs and crashes are tried again by --resume. */
  finished(): ReadonlySet<string> {
    return this.done;
  }

  /**
   * Appends the cell's samples and then its rows, each in one write, and waits until they are on disk. Rows that the cell has
   * already are replaced. Where the disk does not take them the files end as before; throws a UsageError or an OutputError then.
   */
  async append(cell: CellSpec, result: CellResult, run: RunInfo): Promise<void> {
    if (!this.open) throw new Error(`${this.out} is no longer written to`);
    const csv = join(this.out, `${cell.experiment}.csv`);
    const rows = rowsOf(cell, result, run, new Date());
    const key = cellKey(cell);
    writing(`--out ${this.out}: ${csv}`, () => {
      makeFolder(dirname(csv), `--out ${this.out}`);
      const note = (others: readonly ResultRow[]) => this.environments.note(others);
      if (this.written.has(key)) repair(csv, note, (other) => other === key);
      const fresh = !existsSync(csv);
      if (!fresh && !isResultCsv(csv))
        throw new UsageError(`${csv} is not a result file of hashbench; give another --out`);
      const line = samplesText({ key, run: run.run, rows: rows.length, samples: [...result.samples] });
      note(rows);
      appendAll([
        { file: samplesFile(csv), text: line },
        { file: csv, text: fresh ? fileText(rows) : csvText(rows, FILE_COLUMNS) },
      ]);
    });
    this.written.add(key);
    if (isFinal(result.status)) this.done.add(key);
  }

  /** <out>/environment.json: one object a run id; those of earlier runs stay. */
  async writeEnvironment(environment: Readonly<Record<string, unknown>> & { readonly run: string }): Promise<void> {
    writing(`--out ${this.out}`, () => this.environments.describe(environment));
  }

  /** Ends the writing. Every cell is on disk already. */
  async close(): Promise<void> {
    this.open = false;
    this.lock.release();
  }
}
