/** The choice of experiments, by their names or as objects, with a user's changes. */

import { validateDataset } from "../../datasets/index.js";
import { UsageError } from "../../kernels/device/errors.js";
import type { Experiment, Series } from "../base/experiment.js";
import { decimals } from "../base/format.js";
import { atLoadFactors } from "../experiments/expand.js";
import { findExperiments } from "../experiments/find.js";
import { byName, measuredFor } from "../experiments/index.js";
import { experimentProblem } from "../experiments/problem.js";
import { checkParameters, DEFAULT_BENCH, knownSeries } from "../scenarios/index.js";
import { checkSeries } from "./names.js";
import { type Planned, type PlanOptions, type Sized, sized } from "./plan.js";
import { type Fan, type Setting, withFan, withSettings } from "./settings.js";

/** Options beside the sizes. */
export interface Wanted extends PlanOptions {
  /** Load factors in place of the experiments'. */
  readonly loadFactors?: readonly number[] | undefined;
  /** Parameters of all tables that have them. */
  readonly settings: readonly Setting[];
  /** Parameters, each of whose values is a series. */
  readonly fans: readonly Fan[];
}

/**
 * The experiments to measure for these ids, prefixes and objects, with their cells before a device is known. Throws a UsageError of one line for what cannot be measured at all,
 * before a device is opened.
 */
export async function chosen(asked: readonly (string | Experiment)[], wanted: Wanted): Promise<Sized[]> {
  const { tables, settings, fans, datasets = [] } = wanted;
  const all = found(asked).map((experiment) => withTables(experiment, wanted));
  if (tables) checkSeries(tables);
  const set = withSettings(all, settings, tables);
  const experiments = fans.reduce((before, one) => withFan(before, one, tables), set);
  for (const dataset of datasets) await validateDataset(dataset);
  const whole = experiments.map((experiment) => sized(experiment, wanted));
  checkCells(whole, wanted);
  return whole;
}

/** Parameters that were set, as a run's configuration has them; undefined where none was. */
export function paramsOf({ settings, fans }: Pick<Wanted, "settings" | "fans">): Record<string, string> | undefined {
  const all = [...settings, ...fans.map(({ name, texts }) => ({ name, text: texts.join() }))];
  return all.length === 0 ? undefined : Object.fromEntries(all.map(({ name, text }) => [name, text]));
}

function found(asked: readonly (string | Experiment)[]): Experiment[] {
  const ids = asked.filter((one) => typeof one === "string");
  const objects = asked.filter((one) => typeof one !== "string");
  for (const one of objects) {
    const problem = experimentProblem(one, true);
    if (problem) throw new UsageError(problem);
  }
  const own = objects.flatMap((one) => (one.from ? measuredFor([one]) : [one]));
  const named = new Set(findExperiments(ids.filter((id) => id !== "all")));
  const wanted = findExperiments(ids).filter((one) => !byName.has(one.id) || named.has(one));
  return [...measuredFor(wanted), ...own];
}

/** A table that an experiment does not list, such as a plug-in's, joins it as one more series. */
function withTables(experiment: Experiment, { tables = [], loadFactors: asked }: Wanted): Experiment {
  const known = new Set(experiment.series.map(({ table }) => table));
  const joining = tables.filter((id) => !known.has(id) && whyNone(experiment, id, asked) === "");
  const series: readonly Series[] = [
    ...experiment.series,
    ...joining.flatMap((table) => placesFor(experiment, asked).map((place) => ({ table, ...place }))),
  ];
  return asked ? atLoadFactors({ ...experiment, series }, asked) : { ...experiment, series };
}

/** Series of an added table: at the load factors of the axis, or, where each series has its own, at the given ones. */
function placesFor(experiment: Experiment, given: readonly number[] = []): Omit<Series, "table">[] {
  if (experiment.axes.loadFactor) return [{}];
  return given.map((one) => ({
    at: { loadFactor: one },
    ...(given.length > 1 ? { variant: `load factor ${one}` } : {}),
  }));
}

/** Why a table that the experiment does not list has no cell in it, and what would help; "" where it has. */
function whyNone(experiment: Experiment, id: string, given: Wanted["loadFactors"]): string {
  const { axes, series } = experiment;
  const { op: wanted = [] } = axes;
  const { loadFactors = false, ops = [] } = knownSeries(DEFAULT_BENCH, id) ?? {};
  if (!loadFactors) return `${id} takes no load factor`;
  if (!wanted.some((op) => ops.includes(op)))
    return `of ${id} it could time none of ${wanted.join(", ") || "its steps"}`;
  if (experiment.axes.loadFactor) return "";
  if (!series.some(({ bench = DEFAULT_BENCH, at }) => bench === DEFAULT_BENCH && at?.loadFactor !== undefined))
    return `another table joins only where the bench is ${DEFAULT_BENCH} and there are load factors`;
  return given ? "" : `${id} joins it at load factors that you give, such as --load-factor 0.8`;
}

/** Throws where one of the tables that are asked for has no cell: what it has in one of the experiments is enough. */
function requireEach(whole: readonly Planned[], { tables = [], loadFactors }: Wanted, measured: Set<string>): void {
  for (const id of tables) {
    const first = whole[0]?.experiment;
    if (!first || measured.has(id)) continue;
    const why = first.series.some(({ table }) => table === id) ? "" : whyNone(first, id, loadFactors);
    throw new UsageError(`${first.id} has no cell for --tables ${id}${why && `: ${why}`}`);
  }
}

/**
 * Throws a UsageError for parameters that no table has, for n that no table holds, and for a load factor that no table takes. If some
 * tables take it, the cells of the others are skipped.
 */
function checkCells(whole: readonly Planned[], wanted: Wanted): void {
  const refused = new Map<number, { readonly table: string; readonly most: number }>();
  const taken = new Set<number>();
  const measured = new Set<string>();
  for (const { experiment, cells } of whole) {
    if (cells.length === 0) {
      const { tables = [], loadFactors } = wanted;
      const known = [...new Set(experiment.series.map(({ table }) => table))];
      const apart = tables.filter((id) => !known.includes(id));
      const why = apart.map((id) => `; ${whyNone(experiment, id, loadFactors)}`).join("");
      const what = `${experiment.id} has no cell for --tables ${tables.join()}`;
      throw new UsageError(`${what} (it measures ${known.join(", ")}${why})`);
    }
    for (const cell of cells) {
      const { table, n, loadFactor } = cell;
      measured.add(table);
      if (n > 2 ** 32 - 2) throw new UsageError(`${experiment.id}: n = ${n} is beyond the 4294967294 keys there are`);
      const own = checkParameters(cell);
      if (loadFactor === null) continue;
      const most = own && !own.dense ? own.maxLoadFactor : 1;
      if (loadFactor <= most) taken.add(loadFactor);
      else if (most > (refused.get(loadFactor)?.most ?? 0)) refused.set(loadFactor, { table, most });
    }
  }
  requireEach(whole, wanted, measured);
  for (const loadFactor of wanted.loadFactors ?? []) {
    const { table, most } = refused.get(loadFactor) ?? {};
    if (table !== undefined && !taken.has(loadFactor))
      throw new UsageError(
        `--load-factor ${loadFactor}: ${table} takes at most ${decimals(most ?? 0, 3)}, and no other table more`,
      );
  }
}
