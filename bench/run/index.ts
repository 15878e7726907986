/**
 * Experiments run from code, as `hashbench run` does: cells in worker processes under a watchdog, each row on disk as soon as
 * it is there. For Node.
 *
 * @packageDocumentation
 */
import { UsageError } from "../../kernels/device/errors.js";
import { findExperiments } from "../experiments/find.js";
import { measuredFor } from "../experiments/index.js";
import { readResults } from "../results/read.js";
import type { CellResult, ResultRow } from "../results/record.js";
import { run } from "./run.js";

export type { ResultRow } from "../results/record.js";

/** What of the command line's options there is here; what is left out is as there. */
export interface ExperimentOptions {
  /** Folder of the results. One that has results of another configuration is refused, unless `force` is given. */
  readonly out: string;
  /** `auto`, `software`, or a part of the adapter's name. Default: auto. */
  readonly device?: string;
  /** Small sizes. Implied on software adapters where neither `scale` nor `n` is given. */
  readonly quick?: boolean;
  /** All sizes times this. */
  readonly scale?: number;
  /** Largest number of pairs. */
  readonly n?: number;
  /** Of keys, queries and hash functions; a u32. Default: 1. */
  readonly seed?: number;
  /** Ids of tables. Default: all that the experiments list. */
  readonly tables?: readonly string[];
  /** Keeps the cells that the folder has, and measures the others. */
  readonly resume?: boolean;
  /** Replaces what the folder has of these experiments. */
  readonly force?: boolean;
  /** Half-width of the 95 % interval of a median, as a share of it, at which sampling ends. Default: 0.005. */
  readonly maxNoise?: number;
  /** Seconds without progress after which a cell is given up. Default: 120. */
  readonly timeout?: number;
  /** Called for every cell at its end, with the number of cells in all. */
  readonly onCell?: (result: CellResult, cells: number) => void;
}

/** What was measured. */
export interface ExperimentResults {
  /** The adapter's name. */
  readonly device: string;
  /** Cells by status. */
  readonly counts: Readonly<Record<string, number>>;
  /** All rows of the folder. A cell that failed or was skipped is a row with its reason. */
  readonly rows: readonly ResultRow[];
}

/**
 * Runs experiments by their ids or by prefixes of these, such as `gph/fig10` or `cuckoo`.
 *
 * @throws UsageError of one line for what cannot be run; GpuError if there is no usable adapter.
 *
 * @example
 * const { rows } = await runExperiments(["tables/load-factor"], { out: "results", quick: true, tables: ["quotient"] });
 */
export async function runExperiments(ids: readonly string[], options: ExperimentOptions): Promise<ExperimentResults> {
  const { out, device = "auto", quick = false, scale, n, seed = 1, tables, onCell } = options;
  const { resume = false, force = false, maxNoise, timeout = 120 } = options;
  if (resume && force) throw new UsageError("resume and force exclude one another");
  let cells = 0;
  const summary = await run(
    {
      experiments: measuredFor(findExperiments(ids)),
      quick,
      scale,
      n,
      seed,
      tables,
      device,
      out: () => out,
      resume,
      force,
      timeoutMs: timeout * 1000,
      stopping: maxNoise === undefined ? {} : { maxNoise },
      toggles: [],
      robust: false,
      defaultLimits: false,
      largePages: true,
      counting: true,
      plugins: [],
      native: [],
      budgetMs: null,
      gpus: 1,
    },
    {
      started: (_device, _planned, work) => {
        cells = work.cells.length;
      },
      note: () => undefined,
      working: () => undefined,
      finished: (_cell, result) => onCell?.(result, cells),
      ended: () => undefined,
    },
  );
  return { device: summary.device.name, counts: summary.counts, rows: await readResults(out) };
}
