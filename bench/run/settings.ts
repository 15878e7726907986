/** `--param name=value` and `--series name=value,value`: parameters of tables, set by a user. */
import { UsageError } from "../../kernels/device/errors.js";
import { namesOf, parseValue, suggestion, takes } from "../../kernels/parameters.js";
import type { Params, Scalar, TableParameter, TableType } from "../../kernels/table.js";
import type { Experiment, Series } from "../base/experiment.js";
import { isThere } from "../experiments/expand.js";
import { benchmarkOf, DEFAULT_BENCH } from "../scenarios/index.js";

export interface Setting {
  readonly name: string;
  readonly text: string;
}

/** Collects `name=value`, any number of times, for commander. */
export function setting(given: string, before: readonly Setting[]): Setting[] {
  const [, name, text] = /^([^=]+)=(.*)$/s.exec(given) ?? [];
  if (name === undefined || text === undefined)
    throw new UsageError(`--param ${given}: name=value is wanted, such as ticket=4`);
  if (before.some((one) => one.name === name)) throw new UsageError(`--param ${given}: ${name} is given twice`);
  return [...before, { name, text }];
}

/** A parameter, each of whose values is a series of its own. */
export interface Fan {
  readonly name: string;
  readonly texts: readonly string[];
}

/** For commander: collects `name=value,value`, any number of times. */
export function fan(given: string, before: readonly Fan[]): Fan[] {
  const [, name, list = ""] = /^([^=]+)=(.*)$/s.exec(given) ?? [];
  const texts = list.split(",").map((text) => text.trim());
  if (name === undefined || texts.includes("") || new Set(texts).size < texts.length)
    throw new UsageError(`--series ${given}: name=value,value is wanted, each value once, such as bucket=4,8,16`);
  if (before.some((one) => one.name === name)) throw new UsageError(`--series ${given}: ${name} is given twice`);
  return [...before, { name, texts }];
}

type Described = Pick<TableType, "id" | "parameters">;

/** The settings that the table knows. Throws a UsageError for a value that it does not take. */
export function settingsFor(type: Described, settings: readonly Setting[], option = "--param"): Params {
  const own: Record<string, Scalar> = {};
  for (const { name, text } of settings) {
    const parameter = type.parameters.find((one) => one.name === name);
    if (!parameter) continue;
    const value = parseValue(parameter, text);
    if (value === undefined) throw new UsageError(`${option} ${name}=${text}: ${type.id} takes ${takes(parameter)}`);
    own[name] = value;
  }
  return own;
}

/** Throws a UsageError for a name that none of the tables knows. */
export function checkSettings(types: readonly Described[], settings: readonly Setting[], option = "--param"): void {
  const declared: readonly TableParameter[] = types.flatMap(({ parameters }) => parameters);
  for (const { name, text } of settings) {
    if (declared.some((one) => one.name === name)) continue;
    throw new UsageError(
      `${option} ${name}=${text}: no table of these has a parameter ${name}${suggestion(name, namesOf(declared))}`,
    );
  }
}

const typeOf = (experiment: Experiment, { bench = DEFAULT_BENCH, table }: Series): Described =>
  benchmarkOf({ experiment: experiment.id, bench }).tables?.typeOf(table) ?? { id: table, parameters: [] };

/**
 * The experiments with a series for each value of the parameter, in place of each series whose table knows it and which does not
 * set it. `tables`: only their series count. Throws a UsageError for a name that no table knows, or a value that one does not take.
 */
export function withFan(
  experiments: readonly Experiment[],
  { name, texts }: Fan,
  tables?: readonly string[],
): Experiment[] {
  const measured = (one: Series) => isThere(one) && (!tables || tables.includes(one.table));
  const known = experiments.flatMap((one) => one.series.filter(measured).map((series) => typeOf(one, series)));
  checkSettings(known, [{ name, text: texts.join() }], "--series");
  return experiments.map((experiment) => ({
    ...experiment,
    series: experiment.series.filter(measured).flatMap((one) => {
      const type = typeOf(experiment, one);
      if (one.params?.[name] !== undefined || !type.parameters.some((parameter) => parameter.name === name))
        return [one];
      return texts.map((text) => withParams(one, settingsFor(type, [{ name, text }], "--series")));
    }),
  }));
}

/**
 * The experiments with these parameters in every series whose table knows them; series that set one to another value are
 * left out. `tables`: only their series count. Throws a UsageError for a name that no table knows, a value that one does not
 * take, or an experiment that has no series left.
 */
export function withSettings(
  experiments: readonly Experiment[],
  settings: readonly Setting[],
  tables?: readonly string[],
): Experiment[] {
  if (settings.length === 0) return [...experiments];
  const measured = (one: Series) => isThere(one) && (!tables || tables.includes(one.table));
  checkSettings(
    experiments.flatMap((one) => one.series.filter(measured).map((series) => typeOf(one, series))),
    settings,
  );
  return experiments.map((experiment) => {
    const series = experiment.series.filter(measured).flatMap((one): Series[] => {
      const own = settingsFor(typeOf(experiment, one), settings);
      const others = Object.entries(own).some(([name, value]) => (one.params?.[name] ?? value) !== value);
      return others ? [] : [withParams(one, own)];
    });
    if (series.length > 0) return { ...experiment, series };
    const given = settings.map(({ name, text }) => `${name}=${text}`).join(", ");
    throw new UsageError(`--param: ${experiment.id} has no series with ${given}`);
  });
}

/** The series with these parameters; those that it did not set are part of its name, as they are in figures of the rows. */
function withParams(series: Series, params: Params): Series {
  const { table, variant = "", label = `${table} ${variant}`.trim() } = series;
  const set = Object.entries(params).filter(([name]) => series.params?.[name] === undefined);
  const name = [label, ...set.map(([key, value]) => `${key} ${value}`)].join(", ");
  return set.length === 0 ? series : { ...series, label: name, params: { ...series.params, ...params } };
}
