/** Writes results so that a finished cell is never lost and never doubled. */
import {
  appendFileSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { stringify } from "csv-stringify/sync";
import { UsageError } from "../errors.js";
import type { CellSpec } from "../model.js";
import { cellKey, rowKey } from "./key.js";
import { type CsvFile, findCsv, parseRows } from "./read.js";
import { type CellResult, COLUMNS, type ResultRow, type RunInfo, SCHEMA_VERSION } from "./record.js";

/** What must be equal for a run to go on in a folder: plain JSON. */
export type Configuration = Readonly<Record<string, unknown>>;

export interface OpenResults {
  readonly resume: boolean;
  readonly force: boolean;
}

/** The rows of one cell: one a metric; a cell without numbers is one row that says why. */
export function rowsOf(cell: CellSpec, result: CellResult, run: RunInfo, time: Date): ResultRow[] {
  const shared = {
    run: run.run,
    time: time.toISOString(),
    commit: run.commit,
    device: run.device,
    driver: run.driver,
    dawn: run.dawn,
    toggles: run.toggles,
    experiment: cell.experiment,
    bench: cell.bench,
    table: cell.table,
    variant: cell.variant,
    op: cell.op,
    dataset: cell.dataset,
    n: cell.n,
    load_factor: cell.loadFactor,
    positive_ratio: cell.positiveRatio,
    seed: cell.seed,
    params: { ...cell.params },
    data_hash: result.dataHash,
    samples: result.samples.length,
    status: result.status,
    reason: result.reason.replace(/\s+/g, " ").trim(),
  };
  const none = { metric: "mops", unit: "M op/s", value: null, lo: null, hi: null };
  const metrics = result.metrics.length > 0 ? result.metrics : [none];
  return metrics.map(({ metric, unit, value, lo, hi }) => ({ ...shared, metric, unit, value, lo, hi }));
}

/**
 * Opens a folder for results. Throws a UsageError if it holds those of another configuration, or of this one without
 * `resume` or `force`; `force` deletes what an earlier run wrote there, and nothing else.
 */
export async function openResults(
  out: string,
  configuration: Configuration,
  options: OpenResults,
): Promise<ResultWriter> {
  const file = join(out, "run.json");
  const text = JSON.stringify({ schema: SCHEMA_VERSION, configuration }, null, 1);
  try {
    mkdirSync(out, { recursive: true });
  } catch (error) {
    throw new UsageError(`--out ${out}: cannot be written (${(error as NodeJS.ErrnoException).code})`);
  }
  const present = existsSync(file) ? readFileSync(file, "utf8") : null;
  const csv = findCsv(out);
  if (options.force) {
    for (const { path } of csv) for (const old of [path, samplesFile(path)]) rmSync(old, { force: true });
  } else if (present !== null || csv.length > 0) {
    const remedy = "give --force to replace them or another --out";
    if (present?.trim() !== text)
      throw new UsageError(`--out ${out} holds results of another configuration; ${remedy}`);
    if (!options.resume)
      throw new UsageError(`--out ${out} holds results already; give --resume to go on, or ${remedy}`);
  }
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw new UsageError(`--out ${out}: cannot be written (${(error as NodeJS.ErrnoException).code})`);
  }
  return new ResultWriter(out, options.force ? [] : csv);
}

function samplesFile(csv: string): string {
  return csv.replace(/\.csv$/, ".samples.jsonl");
}

export class ResultWriter {
  private readonly done = new Set<string>();
  private readonly files = new Map<string, number>();

  constructor(
    private readonly out: string,
    csv: readonly CsvFile[],
  ) {
    for (const file of csv) this.repair(file.path);
  }

  /** Keys of complete cells: ok, skipped or failed. Time-outs and crashes are tried again by --resume. */
  finished(): ReadonlySet<string> {
    return this.done;
  }

  /**
   * Drops what a killed run left half done, and cells to be tried again. A cell's samples line is written before its rows
   * and names how many rows there are; a cell with fewer rows, or a torn line, is no cell.
   */
  private repair(csv: string): void {
    const text = readFileSync(csv, "utf8");
    const whole = text.slice(0, text.lastIndexOf("\n") + 1);
    const expected = new Map<string, number>();
    if (existsSync(samplesFile(csv))) {
      for (const line of readFileSync(samplesFile(csv), "utf8").split("\n")) {
        try {
          const { key, rows } = JSON.parse(line) as { key: string; rows: number };
          expected.set(key, rows);
        } catch {
          // The torn last line, or the empty one after the last.
        }
      }
    }
    const rows = whole === "" ? [] : parseRows(whole, csv);
    const byCell = new Map<string, ResultRow[]>();
    for (const row of rows) byCell.set(rowKey(row), [...(byCell.get(rowKey(row)) ?? []), row]);
    const kept = [...byCell].filter(([key, cell]) => {
      const [first] = cell;
      return cell.length === expected.get(key) && first?.status !== "timeout" && first?.status !== "crash";
    });
    for (const [key] of kept) this.done.add(key);
    const keptRows = kept.flatMap(([, cell]) => cell);
    if (keptRows.length === rows.length && whole === text && text !== "") return;
    writeFileSync(csv, header() + csvText(keptRows));
  }

  /** Appends the cell's samples and then its rows, each in one write, and waits until they are on disk. */
  async append(cell: CellSpec, result: CellResult, run: RunInfo): Promise<void> {
    const csv = join(this.out, `${cell.experiment}.csv`);
    const rows = rowsOf(cell, result, run, new Date());
    const key = cellKey(cell);
    mkdirSync(dirname(csv), { recursive: true });
    appendFileSync(
      samplesFile(csv),
      `${JSON.stringify({ key, run: run.run, rows: rows.length, samples: result.samples })}\n`,
      {
        flush: true,
      },
    );
    const descriptor = this.files.get(csv) ?? openSync(csv, "a");
    this.files.set(csv, descriptor);
    const fresh = statSync(csv).size === 0;
    writeSync(descriptor, (fresh ? header() : "") + csvText(rows));
    fsyncSync(descriptor);
    this.done.add(key);
  }

  /** <out>/environment.json: one object a run id; those of earlier runs stay. */
  async writeEnvironment(environment: Readonly<Record<string, unknown>> & { readonly run: string }): Promise<void> {
    const file = join(this.out, "environment.json");
    let all: Record<string, object> = {};
    try {
      all = JSON.parse(readFileSync(file, "utf8")) as Record<string, object>;
    } catch {
      // None yet, or torn by a kill: the rows name their device themselves.
    }
    all[environment.run] = environment;
    writeFileSync(file, `${JSON.stringify(all, null, 1)}\n`);
  }

  async close(): Promise<void> {
    for (const descriptor of this.files.values()) closeSync(descriptor);
    this.files.clear();
  }
}

function header(): string {
  return `${COLUMNS.join(",")}\n`;
}

function csvText(rows: readonly ResultRow[]): string {
  return stringify(
    rows.map((row) => COLUMNS.map((column) => (column === "params" ? JSON.stringify(row.params) : row[column]))),
  );
}
