/** Why a value is no experiment or no claim that can be measured, drawn and judged beside the package's own. */
import { isDataset } from "../../datasets/index.js";
import { UsageError } from "../../kernels/device/errors.js";
import { messageOf } from "../base/errors.js";
import { type CellSpec, type Experiment, metricPanels } from "../base/experiment.js";
import { type Claim, isPapers as isPapersClaim } from "../claims/claim.js";
import { checkNames } from "../claims/names.js";
import { isPapers, paperOf } from "../claims/papers.js";
import { parseClaims } from "../claims/parse.js";
import { metricType } from "../results/metrics.js";
import { COLUMNS } from "../results/record.js";
import { issueOf } from "../results/validate.js";
import { checkParameters, knownSeries } from "../scenarios/index.js";
import { expand, isThere } from "./expand.js";
import { claims, experiments } from "./index.js";
import { experimentSchema } from "./schema.js";
import { declaredCells } from "./scorecard.js";

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
  const { x, facet } = figure;
  const only = Array.isArray(figure.only) ? figure.only : [];
  const unknown = metricPanels(figure).find((one) => metricType(one.metric) === undefined);
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

/** The claims of a text in the format of bench/claims/README.md. Throws a UsageError with the line of what is wrong. */
export function claimsOf(text: unknown): readonly Claim[] {
  if (typeof text !== "string") throw new UsageError("a text in the format of bench/claims/README.md is wanted");
  const { claims: stated, about, conclusions } = parseClaims(text, "claims");
  if (stated.some(isPapersClaim) || about !== "" || conclusions.length > 0)
    throw new UsageError("no paper states them: they have no `about`, `concludes in` and `measured on`");
  return stated;
}

/** In words; undefined for a claim that can be registered. Its experiment has to be there. */
export function claimProblem(claim: Claim): string | undefined {
  if (claims.some(({ id }) => id === claim.id)) return `there is a claim ${claim.id} already`;
  try {
    checkNames(claim, declaredCells());
  } catch (error) {
    return messageOf(error);
  }
  return undefined;
}

function idOf(value: unknown): string {
  return typeof value === "object" && value !== null && "id" in value ? String(value.id) : "without an id";
}
