/** Why a value is no experiment or no claim that can be measured, drawn and judged beside the package's own. */
import { isDataset } from "../../datasets/index.js";
import { checkParameters, knownSeries } from "../benchmarks/index.js";
import type { Claim } from "../claims/claim.js";
import { selectionsOf } from "../claims/evaluate.js";
import { messageOf } from "../errors.js";
import type { CellSpec, Experiment } from "../experiment.js";
import { isPapers, paperOf } from "../papers.js";
import { metricType } from "../results/metrics.js";
import { COLUMNS } from "../results/record.js";
import { issueOf } from "../results/validate.js";
import { expand, isThere } from "./expand.js";
import { claims, experiments } from "./index.js";
import { claimSchema, experimentSchema } from "./schema.js";

/** In words; undefined for one that can be registered, or run. @param known whether its id may be one that there is */
export function experimentProblem(value: unknown, known = false): string | undefined {
  const id = idOf(value);
  const issue = issueOf(value, experimentSchema);
  if (issue) return `experiment ${id}: ${issue}`;
  if (isPapers(id)) return `experiment ${id}: ${paperOf(id)} is a paper; give the experiment another group`;
  if (!known && experiments.some((one) => one.id === id)) return `there is an experiment ${id} already`;
  const problem = unsound(value as Experiment);
  return problem && `experiment ${id}: ${problem}`;
}

/** What an experiment asks for that there is not: series, operations, parameters, data sets, fields of its figure. */
export function unsound(experiment: Experiment): string | undefined {
  const { axes, from = [], series } = experiment;
  const odd = (axes.dataset ?? []).find((name) => !isDataset(name));
  if (odd !== undefined) return `there is no data set ${odd}`;
  const absent = from.find((id) => !experiments.some((one) => one.id === id && !one.from));
  if (absent !== undefined) return `there is no experiment ${absent} with rows of its own`;
  try {
    const cells = expand(experiment, { scale: 1, quick: false, seed: 1 });
    if (cells.length === 0 && series.some(isThere)) return "it has no cell";
    const keys = new Set(cells.map((cell) => JSON.stringify(cell)));
    const quick = expand(experiment, { scale: 1, quick: true, seed: 1 });
    if (quick.length === 0 && cells.length > 0) return "quick has no cell";
    if (quick.some((cell) => !keys.has(JSON.stringify(cell))))
      return "quick has cells that are not among those of axes";
    for (const cell of cells) {
      const problem = cellProblem(cell);
      if (problem) return problem;
    }
    return figureProblem(experiment, cells);
  } catch (error) {
    return messageOf(error);
  }
}

function cellProblem(cell: CellSpec): string | undefined {
  const { bench, table, op, loadFactor, positiveRatio } = cell;
  checkParameters(cell);
  const found = knownSeries(bench, table);
  if (!found) return `the benchmark ${bench} has no series ${table}`;
  if (!found.ops.includes(op))
    return `${table} has no operation "${op}" in the benchmark ${bench}: ${found.ops.join(", ")}`;
  if (loadFactor !== null && !(loadFactor > 0 && loadFactor <= 1))
    return `load factor ${loadFactor} is not above 0 to 1`;
  if (positiveRatio !== null && !(positiveRatio >= 0 && positiveRatio <= 1))
    return `positive ratio ${positiveRatio} is not from 0 to 1`;
  return undefined;
}

function figureProblem({ figure, series }: Experiment, cells: readonly CellSpec[]): string | undefined {
  const { x, facet, metric, panels = [{ metric }], only = [] } = figure;
  const unknown = panels.find((one) => metricType(one.metric) === undefined);
  if (unknown) return `there is no metric ${unknown.metric}`;
  const other = only.find((id) => !series.some(({ table }) => table === id));
  if (other !== undefined) return `its figure is of ${other}, which is no series of it`;
  const fields = [x, facet].flatMap((channel) => channel?.field.split("+") ?? []);
  const odd = fields.find((field) => !isField(field, cells));
  return odd && `its figure draws ${odd}, which its cells have not`;
}

function isField(field: string, cells: readonly CellSpec[]): boolean {
  const [kind, name = ""] = field.split(/\.(.*)/);
  if (kind === "params") return cells.every(({ params }) => name in params);
  if (kind === "metric") return metricType(name) !== undefined;
  return field === "table_mib" || COLUMNS.some((column) => column === field);
}

/** In words; undefined for a claim that can be registered. Its experiment has to be there. */
export function claimProblem(value: unknown): string | undefined {
  const id = idOf(value);
  const issue = issueOf(value, claimSchema);
  if (issue) return `claim ${id}: ${issue}`;
  const claim = value as Claim;
  const { experiment, cause } = claim;
  if (claims.some((one) => one.id === id)) return `there is a claim ${id} already`;
  if (id.split(":")[0] !== experiment) return `claim ${id}: its id begins with its experiment, ${experiment}:`;
  const checks = [claim, ...(cause?.checks ?? []).map((check) => ({ check }))];
  for (const wanted of checks.flatMap(selectionsOf)) {
    const named = wanted.experiment ?? experiment;
    if (!experiments.some((one) => one.id === named)) return `claim ${id}: there is no experiment ${named}`;
    if (metricType(wanted.metric ?? "mops") === undefined) return `claim ${id}: there is no metric ${wanted.metric}`;
  }
  return undefined;
}

function idOf(value: unknown): string {
  return typeof value === "object" && value !== null && "id" in value ? String(value.id) : "without an id";
}
