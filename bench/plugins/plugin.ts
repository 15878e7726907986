/** What a plug-in may export, and how that becomes known: the same in Node and in a browser. */
import { isDataset, registerDataset } from "../../datasets/index.js";
import type { DatasetDescription } from "../../datasets/made.js";
import { Builds, bulk, Status, step } from "../../kernels/common/bulk.js";
import { createPlanned } from "../../kernels/common/further.js";
import { DELETED, EMPTY, fillStep, groupsFor, nextPrime, variant } from "../../kernels/common/steps.js";
import { declare, flag, integer, oneOf, real } from "../../kernels/declare.js";
import { defineTable } from "../../kernels/define.js";
import { dispatch } from "../../kernels/device/bind.js";
import { DoesNotFit, UsageError } from "../../kernels/device/errors.js";
import { allTables, registerTable } from "../../kernels/index.js";
import type { Description } from "../../kernels/table.js";
import { messageOf } from "../base/errors.js";
import type { Experiment } from "../base/experiment.js";
import { shown } from "../base/shown.js";
import * as helpers from "../experiments/helpers.js";
import * as shared from "../experiments/shared.js";
import { type CounterDescription, OWN_COUNTERS, registerCounter } from "../measure/counting/own.js";
import { metricType } from "../results/metrics.js";
import { isLine, isTableId, TABLE_ID, tableProblem } from "./plugin-table.js";

/** What a plug-in gets beside what depends on its module: see kernels/README.md. */
const HELPERS = {
  createPlanned,
  step,
  dispatch,
  bulk,
  Status,
  Builds,
  variant,
  fillStep,
  groupsFor,
  nextPrime,
  declare,
  oneOf,
  flag,
  integer,
  real,
  EMPTY,
  DELETED,
  /** To throw where a parameter is wrong, or memory does not suffice: the cell is skipped, not failed. */
  UsageError,
  DoesNotFit,
  /** What experiments declare alike: channels of figures, series of the package's tables, lists of values and of series. */
  figures: { ...shared, ...helpers },
  /** A table of ours by id, to derive one from. */
  describedTable: (id: string): Description | undefined => allTables().find((table) => table.id === id)?.description,
};

/**
 * What a plug-in gets, so that it needs no path into the package:
 * `export const tables = (hashbench) => [{ ...hashbench.describedTable("double-hashing"), id: "mine", … }]`.
 */
export type PluginHelpers = Readonly<typeof HELPERS> & {
  /**
   * Folder of the module's own kernels, `plugin/<module's name>`: `find.wgsl` beside the module is `${folder}/find.wgsl` for
   * `variant`. Kernels import theirs as `super::layout::x`, ours as `package::kernels::common::…`.
   */
  readonly folder: string;
};

/** A list, or a function that gives one. */
type Exported<One> = readonly One[] | ((hashbench: PluginHelpers) => readonly One[] | Promise<readonly One[]>);

/** What a module for `--plugin` exports: at least one of these. */
export interface Plugin {
  readonly tables?: Exported<Description>;
  /** Of its tables' kernels, at most four: `count_own(0u, n)` adds to the first. */
  readonly counters?: Exported<CounterDescription>;
  readonly datasets?: Exported<DatasetDescription>;
  readonly experiments?: Exported<Experiment>;
  /** Of experiments of its own or of the package, as a text in the format of bench/claims/README.md. */
  readonly claims?: string | ((hashbench: PluginHelpers) => string | Promise<string>);
}

/** How what is exported under a name is checked and registered. */
interface Kind {
  readonly name: keyof Plugin;
  readonly one: string;
  /** What measures cells needs it; what only plans and shows them is not loaded there. */
  readonly measuring: boolean;
  /** At most so many of one module. */
  readonly most?: number;
  registry(): Registry | Promise<Registry>;
}

interface Registry {
  /** What is exported as a list, where it is none. Throws a UsageError. */
  list?(exported: unknown): readonly unknown[];
  /** Why the value is none, in words. It is the module's code, and may throw whatever is asked of it. */
  problem(value: unknown): string | undefined;
  add(value: never, from: From): void;
}

/** Where it is from. */
interface From {
  /** What the module's kernels are known under, such as `plugin/mine`. */
  readonly folder: string;
  /** The module's path, as Node loads it. */
  readonly file?: string;
}

/** In the order in which they are registered: experiments are of tables and data sets, claims are of experiments. */
const KINDS: readonly Kind[] = [
  {
    name: "tables",
    one: "table",
    measuring: true,
    registry: () => ({ problem: tableProblem, add: (one: Description) => registerTable(defineTable(one)) }),
  },
  {
    name: "datasets",
    one: "data set",
    measuring: true,
    registry: () => ({
      problem: datasetProblem,
      add: (one: DatasetDescription, { file }) => registerDataset(one, file),
    }),
  },
  {
    name: "counters",
    one: "counter",
    measuring: true,
    most: OWN_COUNTERS,
    registry: () => ({
      problem: counterProblem,
      add: (one: CounterDescription, { folder }) => registerCounter(one, folder),
    }),
  },
  {
    name: "experiments",
    one: "experiment",
    measuring: false,
    async registry() {
      const { experimentProblem } = await import("../experiments/problem.js");
      return { problem: experimentProblem, add: (await import("../experiments/index.js")).registerExperiment };
    },
  },
  {
    name: "claims",
    one: "claim",
    measuring: false,
    async registry() {
      const { claimProblem, claimsOf } = await import("../experiments/problem.js");
      return { list: claimsOf, problem: claimProblem, add: (await import("../experiments/claims.js")).registerClaim };
    },
  },
];

function datasetProblem(value: unknown): string | undefined {
  const { name, description, source = "", keys } = { ...(value as Partial<DatasetDescription> | null) };
  if (typeof name !== "string" || !isTableId(name)) return `a data set's name is ${shown(name)}; ${TABLE_ID} is wanted`;
  if (isDataset(name)) return `there is a data set ${name} already`;
  if (!isLine(description)) return `data set ${name}: description is ${shown(description)}; one line of text is wanted`;
  if (source !== "" && !isLine(source))
    return `data set ${name}: source is ${shown(source)}; one line of text is wanted`;
  if (typeof keys !== "function") return `data set ${name}: keys is ${shown(keys)}; a function is wanted`;
  return undefined;
}

function counterProblem(value: unknown): string | undefined {
  const { name, meaning, gate } = { ...(value as Partial<CounterDescription> | null) };
  if (typeof name !== "string" || !/^[a-z][a-z0-9_]{0,62}$/.test(name))
    return `a counter's name is ${shown(name)}; lower-case letters, digits and underscores are wanted, such as cache_lines`;
  if (metricType(name) !== undefined) return `there is a metric ${name} already`;
  if (!isLine(meaning)) return `counter ${name}: meaning is ${shown(meaning)}; one line of text is wanted`;
  const { worse, race } = { ...gate };
  const gated = (worse === "more" || worse === "less") && typeof race === "number" && race >= 0;
  return gate === undefined || gated
    ? undefined
    : `counter ${name}: gate is ${shown(gate)}; { worse: "more" or "less", race: a number } is wanted`;
}

/** What a module exports of each kind, evaluated. */
export type Given = ReadonlyMap<Kind, unknown>;

/** Asks a loaded module for what it exports. @param measuring that alone which measures cells */
export async function exportsOf(module: Plugin, folder: string, measuring: boolean): Promise<Given> {
  const names = KINDS.map(({ name }) => name);
  if (names.every((name) => module[name] === undefined))
    throw new UsageError(`exports none of ${names.join(", ")}: lists, or functions that give them`);
  const given = new Map<Kind, unknown>();
  for (const kind of KINDS) {
    const exported = module[kind.name];
    if (exported === undefined || (measuring && !kind.measuring)) continue;
    const list: unknown = typeof exported === "function" ? await exported({ ...HELPERS, folder }) : exported;
    // A copy, so that a list with code of its own has run it while its module is loaded.
    given.set(kind, Array.isArray(list) ? [...list] : list);
  }
  return given;
}

/** Registers it. Throws a UsageError of one line that begins with `what` for the first that cannot be. */
export async function register(given: Given, what: string, from: From): Promise<void> {
  for (const [kind, list] of given) {
    const registry = await kind.registry();
    const all = registry.list ? asList(registry, list, `${what}: ${kind.name}`) : list;
    for (const one of checked(kind, registry, all, what)) registry.add(one as never, from);
  }
}

function asList({ list }: Registry, exported: unknown, what: string): unknown {
  try {
    return list?.(exported);
  } catch (error) {
    throw new UsageError(`${what}: ${messageOf(error)}`);
  }
}

function checked(
  { name, one, most = Number.POSITIVE_INFINITY }: Kind,
  registry: Registry,
  list: unknown,
  what: string,
): readonly unknown[] {
  if (!Array.isArray(list) || list.length === 0)
    throw new UsageError(`${what}: exports no "${name}", a list of ${name} or a function that gives one`);
  if (list.length > most) throw new UsageError(`${what}: exports ${list.length} ${name}; ${most} are the most`);
  const ids = new Set<string>();
  for (const [i, value] of list.entries()) {
    let problem: string | undefined;
    try {
      problem = registry.problem(value);
      const id = problem ? "" : String(value.id ?? value.name);
      if (!problem && ids.has(id)) problem = `it has two ${name} ${id}`;
      ids.add(id);
    } catch (error) {
      problem = `${one} ${i + 1} of its list cannot be looked at: ${messageOf(error)}`;
    }
    if (problem) throw new UsageError(`${what}: ${problem}`);
  }
  return list;
}
