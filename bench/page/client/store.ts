/** Rows of a run as they come, and the files that a results folder would have of them. */

import { strToU8, zipSync } from "fflate";
import type { CellSpec } from "../../base/experiment.js";
import { withIntervals } from "../../measure/intervals.js";
import type { Configuration } from "../../results/configuration.js";
import { fileText } from "../../results/csv.js";
import { type Environment, environmentsText, withRows } from "../../results/environments.js";
import { groupBy } from "../../results/group.js";
import { cellKey } from "../../results/key.js";
import { ENVIRONMENT_FILE, RUN_FILE, samplesFile } from "../../results/names.js";
import { type CellResult, isFinal, type ResultRow, type RunInfo, SCHEMA_VERSION } from "../../results/record.js";
import { rowsOf } from "../../results/rows.js";
import { type SamplesLine, samplesText } from "../../results/samples.js";

interface Stored {
  readonly cell: CellSpec;
  readonly rows: readonly ResultRow[];
  readonly samples: SamplesLine;
}

export class Store {
  private readonly cells = new Map<string, Stored>();
  private readonly done = new Set<string>();

  constructor(
    readonly configuration: Configuration,
    private readonly environments = new Map<string, Environment>(),
  ) {}

  get rows(): ResultRow[] {
    return [...this.cells.values()].flatMap(({ rows }) => rows);
  }

  /** With intervals, as figures draw them. */
  get drawn(): ResultRow[] {
    const lines = [...this.cells.values()].map(({ samples }) => samples);
    return withIntervals(this.rows, lines);
  }

  rowsOf(key: string): readonly ResultRow[] {
    return this.cells.get(key)?.rows ?? [];
  }

  /** Keys of cells that have ended for good. */
  get finished(): ReadonlySet<string> {
    return this.done;
  }

  describe(run: string, environment: Environment): void {
    this.environments.set(run, environment);
  }

  /** Rows that the cell has already are replaced. */
  async append(cell: CellSpec, result: CellResult, run: RunInfo): Promise<void> {
    const key = cellKey(cell);
    const rows = rowsOf(cell, result, run, new Date());
    const samples = { key, run: run.run, rows: rows.length, samples: [...result.samples] };
    this.cells.set(key, { cell, rows, samples });
    if (isFinal(result.status)) this.done.add(key);
  }

  /** A results folder of that name, packed: what plot, report, compare and merge open. */
  zip(folder: string): Uint8Array<ArrayBuffer> {
    const run = { schema: SCHEMA_VERSION, configuration: this.configuration };
    const texts: Record<string, string> = {
      [RUN_FILE]: `${JSON.stringify(run, null, 1)}\n`,
      [ENVIRONMENT_FILE]: environmentsText(withRows(this.environments, this.rows)),
    };
    for (const [experiment, own] of groupBy([...this.cells.values()], ({ cell }) => cell.experiment)) {
      const csv = `${experiment}.csv`;
      texts[csv] = fileText(own.flatMap(({ rows }) => rows));
      texts[samplesFile(csv)] = own.map(({ samples }) => samplesText(samples)).join("");
    }
    const files = Object.entries(texts).map(([name, text]) => [`${folder}/${name}`, strToU8(text)] as const);
    return zipSync(Object.fromEntries(files));
  }
}
