/**
 * Experiments run from code, as `hashbench run` does: cells in worker processes under a watchdog, each row on disk as soon as
 * it is there. For Node.
 *
 * @packageDocumentation
 */
import { UsageError } from "../../kernels/device/errors.js";
import type { Scalar } from "../../kernels/table.js";
import type { Experiment } from "../base/experiment.js";
import { readResults } from "../results/read.js";
import type { CellResult, ResultRow } from "../results/record.js";
import { chosen, paramsOf, type Wanted } from "./choice.js";
import { NO_PROGRESS } from "./progress.js";
import { run } from "./run.js";
import { loadTables } from "./tables.js";

export type { Experiment } from "../base/experiment.js";
export type { ResultRow } from "../results/record.js";

/** Options of `hashbench run`. Those left out have the command's defaults. */
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
  /** Seed of keys, queries and hash functions; a u32. Default: 1. */
  readonly seed?: number;
  /** Ids of tables. Default: all that the experiments list. */
  readonly tables?: readonly string[];
  /** Load factors in place of the experiments'. */
  readonly loadFactors?: readonly number[];
  /** Data sets in place of the experiments', as `hashbench list datasets` spells them. */
  readonly datasets?: readonly string[];
  /** Parameters of all tables that have them. */
  readonly params?: Readonly<Record<string, Scalar>>;
  /** Parameters, each of whose values is a series of its own: `{ bucket: [4, 8] }`. */
  readonly series?: Readonly<Record<string, readonly Scalar[]>>;
  /** Paths of modules with tables, data sets, experiments or claims. */
  readonly plugins?: readonly string[];
  /** Paths of native tables' manifests, or of folders with such. */
  readonly native?: readonly string[];
  /** Keeps the cells that the folder has, and measures the others. */
  readonly resume?: boolean;
  /** Replaces what the folder has of these experiments. */
  readonly force?: boolean;
  /** Half-width of the range of a cell's samples, as a share of their median, at which sampling ends. Default: 0.005. */
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
 * Runs experiments by their ids or by prefixes of these, such as `gph/fig10` or `cuckoo`, or as objects of your own.
 *
 * @throws UsageError of one line for what cannot be run; GpuError if there is no usable adapter.
 *
 * @example
 * const { rows } = await runExperiments(["tables/load-factor"], { out: "results", quick: true, tables: ["quotient"] });
 */
export async function runExperiments(
  experiments: readonly (string | Experiment)[],
  options: ExperimentOptions,
): Promise<ExperimentResults> {
  const { out, device = "auto", resume = false, force = false, maxNoise, timeout = 120, onCell, ...rest } = options;
  const { plugins = [], native = [], ...asked } = rest;
  if (resume && force) throw new UsageError("resume and force exclude one another");
  const wanted = wantedBy(asked);
  const { versions, ...tables } = await loadTables({ plugin: plugins, native });
  const params = paramsOf(wanted);
  let cells = 0;
  const summary = await run(
    {
      ...wanted,
      ...(params && { params }),
      whole: await chosen(experiments, wanted),
      versions,
      on: { device, largePages: true, gpus: 1 },
      workers: {
        ...tables,
        timeoutMs: timeout * 1000,
        stopping: maxNoise === undefined ? {} : { maxNoise },
        open: { robust: false },
      },
      out: () => out,
      resume,
      force,
      budgetMs: null,
    },
    {
      ...NO_PROGRESS,
      started: (_device, _planned, work) => {
        cells = work.cells.length;
      },
      finished: (_cell, result) => onCell?.(result, cells),
    },
  );
  return { device: summary.device.name, counts: summary.counts, rows: await readResults(out) };
}

type Asked = Pick<
  ExperimentOptions,
  "quick" | "scale" | "n" | "seed" | "tables" | "loadFactors" | "datasets" | "params" | "series"
>;

function wantedBy({ quick = false, seed = 1, params = {}, series = {}, ...asked }: Asked): Wanted {
  const { scale, n, tables, loadFactors, datasets, ...others } = asked;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw new UsageError(`there is no option ${unknown}`);
  const settings = Object.entries(params).map(([name, value]) => ({ name, text: String(value) }));
  const fans = Object.entries(series).map(([name, values]) => ({ name, texts: values.map(String) }));
  return { quick, scale, n, seed, tables, loadFactors, datasets, settings, fans };
}
