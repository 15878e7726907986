/**
 * The variants of tables that `verify` runs: every combination of parameters with which an experiment times a table, and every value of
 * a list on its own, which `tune` and `--param` can time.
 */

import { conflictOf } from "../../kernels/define.js";
import { hostTable } from "../../kernels/host-memory.js";
import { tableType } from "../../kernels/index.js";
import { Traffic } from "../../kernels/out-of-core/pcie.js";
import type { Params, Scalar, TableParameter, TableType } from "../../kernels/table.js";
import type { CellSpec, Experiment } from "../base/experiment.js";
import { expand } from "../experiments/expand.js";
import { checkParameters } from "../scenarios/index.js";

export interface Variant {
  readonly table: string;
  /** The table is in host memory (kernels/host-memory.ts). */
  readonly host: boolean;
  /** Parameters that are not the table's defaults, in its order. */
  readonly params: Params;
  /** Experiments that time it. */
  readonly timedBy: readonly string[];
}

/** Benchmarks of tables in host memory. */
const HOST_BENCHES = ["host", "host-mixed"];
const SIZE = { scale: 1, seed: 1 };

/**
 * The cells of an experiment at every size: of all axes, of --quick, and on a software adapter its own. Those are for small tables: a GPU's
 * cases would take minutes in 16 buckets.
 */
function cellsOf(experiment: Experiment, onSoftware: boolean): CellSpec[] {
  const { axes, software } = experiment;
  return [
    ...expand(experiment, { ...SIZE, quick: false }),
    ...expand(experiment, { ...SIZE, quick: true }),
    ...(onSoftware && software
      ? expand({ ...experiment, axes: { ...axes, ...software } }, { ...SIZE, quick: false })
      : []),
  ];
}

/** The variants of these tables on that kind of adapter, each once, those with default parameters first. */
export function variantsOf(
  types: readonly TableType[],
  experiments: readonly Experiment[],
  software: boolean,
): Variant[] {
  const found = new Map<string, Omit<Variant, "timedBy"> & { readonly timedBy: Set<string> }>();
  const add = (type: TableType, params: Params, host: boolean, experiment?: string): void => {
    const own = differing(type.parameters, params);
    const name = nameOf({ table: type.id, host, params: own });
    const known = found.get(name) ?? { table: type.id, host, params: own, timedBy: new Set<string>() };
    if (experiment) known.timedBy.add(experiment);
    found.set(name, known);
  };
  for (const type of types) {
    add(type, {}, false);
    for (const one of type.parameters) for (const params of alone(one, type)) add(type, params, false);
  }
  for (const experiment of experiments) {
    for (const cell of cellsOf(experiment, software)) {
      const timed = checkParameters(cell);
      if (!timed || !types.some(({ id }) => id === timed.id)) continue;
      add(timed, timed.params, HOST_BENCHES.includes(cell.bench), experiment.id);
    }
  }
  const all = [...found.values()].map((variant) => ({ ...variant, timedBy: [...variant.timedBy] }));
  const order = types.map(({ id }) => id);
  return withFewSizes(all, types).toSorted((a, b) => order.indexOf(a.table) - order.indexOf(b.table));
}

/** Each value of a list that goes with the other parameters' defaults. */
function alone(parameter: TableParameter, type: TableType): Params[] {
  if (!("values" in parameter)) return [];
  return parameter.values.map((value) => ({ [parameter.name]: value })).filter((params) => !conflictOf(type, params));
}

function differing(parameters: readonly TableParameter[], params: Params): Params {
  const other = parameters.filter((one) => (params[one.name] ?? one.default) !== one.default);
  return Object.fromEntries(other.map(({ name }) => [name, params[name] as Scalar]));
}

/** Of variants that differ in one size only, those with the least and the greatest. */
function withFewSizes(variants: readonly Variant[], types: readonly TableType[]): Variant[] {
  const extremes = new Map<string, { least: number; greatest: number }>();
  const sized = variants.map((variant) => {
    const own = types.find(({ id }) => id === variant.table)?.parameters ?? [];
    const size = own.find((one) => one.size && one.name in variant.params)?.name;
    if (size === undefined) return { variant };
    const { [size]: value, ...others } = variant.params;
    const group = nameOf({ ...variant, params: others });
    const of = Number(value);
    const { least, greatest } = extremes.get(group) ?? { least: of, greatest: of };
    extremes.set(group, { least: Math.min(least, of), greatest: Math.max(greatest, of) });
    return { variant, group, of };
  });
  return sized.flatMap(({ variant, group, of }) => {
    const ends = group === undefined ? undefined : extremes.get(group);
    return !ends || of === ends.least || of === ends.greatest ? [variant] : [];
  });
}

/** The table of a variant, with its usual defaults. Throws an Error if there is none. */
export function typeFor({ table, host }: Pick<Variant, "table" | "host">): TableType {
  const type = host ? hostTable(table, new Traffic()) : tableType(table);
  if (!type) throw new Error(`${table} cannot be in host memory`);
  return type;
}

/** In words: `stash`, `stash ticket=1 keyBytes=8`, `stash in host memory`. */
export function nameOf({ table, host, params }: Omit<Variant, "timedBy">): string {
  const own = Object.entries(params).map(([name, value]) => ` ${name}=${value}`);
  return `${table}${own.join("")}${host ? " in host memory" : ""}`;
}

export const hasDefaults = ({ params }: Pick<Variant, "params">): boolean => Object.keys(params).length === 0;

/**
 * Those that `verify` runs: on a GPU all, but for tables in host memory, whose every round waits for the host. There, and on software
 * adapters, the defaults and enough others that every value of every parameter is in one.
 */
export function chosenFor(variants: readonly Variant[], software: boolean): Variant[] {
  const few = new Set(covering(variants.filter(({ host }) => software || host)));
  return variants.filter((one) => few.has(one) || hasDefaults(one) || !(software || one.host));
}

/**
 * As few of them as there can be easily, so that every value of every parameter is in one: what there is time for where a kernel takes
 * a second to compile.
 */
export function covering(variants: readonly Variant[]): Variant[] {
  const key = ({ table, host }: Variant, [name, value]: [string, Scalar]) => `${table} ${host} ${name}=${value}`;
  const left = new Set(variants.flatMap((one) => Object.entries(one.params).map((entry) => key(one, entry))));
  const chosen: Variant[] = [];
  const gain = (one: Variant) => Object.entries(one.params).filter((entry) => left.has(key(one, entry))).length;
  while (left.size > 0) {
    const best = variants.reduce((a, b) => (gain(b) > gain(a) ? b : a));
    chosen.push(best);
    for (const entry of Object.entries(best.params)) left.delete(key(best, entry));
  }
  return chosen;
}
