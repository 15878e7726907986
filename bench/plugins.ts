/** Plug-ins: modules outside the package that bring tables of their own, for `--plugin`. */
import { writeSync } from "node:fs";
import { basename, dirname, extname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { firstBytes, saying } from "../datasets/files/paths.js";
import { Builds, bulk, Status, step } from "../kernels/common/bulk.js";
import { createPlanned } from "../kernels/common/planned.js";
import { DELETED, EMPTY, fillStep, groupsFor, nextPrime, variant } from "../kernels/common/steps.js";
import { declare, flag, integer, oneOf, real } from "../kernels/declare.js";
import { defineTable } from "../kernels/define.js";
import { dispatch } from "../kernels/device/bind.js";
import { DoesNotFit, UsageError } from "../kernels/device/errors.js";
import { allTables, registerTable } from "../kernels/index.js";
import type { Description, TableType } from "../kernels/table.js";
import { messageOf } from "./errors.js";
import { addKernelFolder } from "./gpu/sources.js";
import { tableProblem } from "./plugin-table.js";
import { knowPlugin } from "./plugin-versions.js";

const loaded = new Set<string>();
const folders = new Set<string>();

/**
 * What a plug-in gets, so that it needs no path into the package:
 * `export const tables = (hashbench) => [{ ...hashbench.describedTable("double-hashing"), id: "mine", … }]`.
 */
export interface PluginHelpers {
  /**
   * Folder of the module's own kernels, `plugin/<module's name>`: `find.wgsl` beside the module is `${folder}/find.wgsl` for
   * `variant`. Kernels import theirs as `super::layout::x`, ours as `package::kernels::common::…`.
   */
  readonly folder: string;
  /** A table of ours by id, to derive one from. */
  describedTable(id: string): Description | undefined;
  /** See kernels/README.md. */
  readonly step: typeof step;
  readonly dispatch: typeof dispatch;
  readonly createPlanned: typeof createPlanned;
  readonly declare: typeof declare;
  readonly oneOf: typeof oneOf;
  readonly flag: typeof flag;
  readonly integer: typeof integer;
  readonly real: typeof real;
  readonly bulk: typeof bulk;
  readonly Status: typeof Status;
  readonly Builds: typeof Builds;
  readonly variant: typeof variant;
  readonly fillStep: typeof fillStep;
  readonly groupsFor: typeof groupsFor;
  readonly nextPrime: typeof nextPrime;
  readonly EMPTY: number;
  readonly DELETED: number;
  /** To throw where a parameter is wrong, or memory does not suffice: the cell is skipped, not failed. */
  readonly UsageError: typeof UsageError;
  readonly DoesNotFit: typeof DoesNotFit;
}

function helpers(folder: string): PluginHelpers {
  const describedTable = (id: string) => allTables().find((table) => table.id === id)?.description;
  return {
    folder,
    describedTable,
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
    UsageError,
    DoesNotFit,
  };
}

/** For a module to load and to give its tables. */
const LOAD_MS = 10_000;

/**
 * Loads each module and registers the tables it exports as `tables`: a list, or a function of PluginHelpers that gives one.
 * The .wgsl files in and below the module's folder are known to the linker. Throws a UsageError of one line if there is no
 * such module, it cannot be loaded in `limitMs`, or what it exports are no tables; a module that ends the process ends it
 * with that line and exit code 2.
 */
export async function loadPlugins(paths: readonly string[], limitMs = LOAD_MS): Promise<void> {
  for (const path of paths) {
    const what = `--plugin ${path}`;
    if (firstBytes(path, 1, what) === "") throw new UsageError(`${what} is empty`);
    const file = resolve(path);
    if (loaded.has(file)) continue;
    const folder = `plugin/${basename(file, extname(file))}`;
    if (folders.has(folder))
      throw new UsageError(`${what}: there is a plug-in ${basename(folder)} already; give the file another name`);
    const exported = await guarded(what, limitMs, async () => {
      const module = (await import(pathToFileURL(file).href)) as { tables?: unknown };
      return typeof module.tables === "function" ? module.tables(helpers(folder)) : module.tables;
    });
    const tables = checked(exported, what);
    saying(`${what}: the kernels beside it cannot be read`, () => addKernelFolder(dirname(file), ".", `${folder}/`));
    for (const table of tables) registerTable(table);
    knowPlugin(file, tables);
    loaded.add(file);
    folders.add(folder);
  }
}

/** What a module's code does wrong while it is loaded is said in one line. */
async function guarded<T>(what: string, limitMs: number, load: () => Promise<T>): Promise<T> {
  const failure = (error: unknown) => new UsageError(`${what}: cannot be loaded: ${messageOf(error)}`);
  const onExit = (): void => {
    writeSync(
      2,
      `hashbench: ${what}: it ended the process while it was loaded; a module that exports tables is wanted\n`,
    );
    process.exitCode = 2;
  };
  let timer: NodeJS.Timeout | undefined;
  const other = new Promise<never>((_, reject) => {
    const late = `${what}: it is not loaded after ${limitMs / 1000} s; does its import, or its function \`tables\`, end?`;
    timer = setTimeout(() => reject(new UsageError(late)), limitMs);
    // Thrown in a callback, or a promise that nobody waits for.
    process.setUncaughtExceptionCaptureCallback((error) => reject(failure(error)));
  });
  process.once("exit", onExit);
  try {
    return await Promise.race([
      load().catch((error: unknown) => {
        throw failure(error);
      }),
      other,
    ]);
  } finally {
    clearTimeout(timer);
    process.off("exit", onExit);
    process.setUncaughtExceptionCaptureCallback(null);
  }
}

/** The tables that a module exported. They are the module's code, and may throw whatever is asked of them. */
function checked(exported: unknown, what: string): TableType[] {
  if (!Array.isArray(exported) || exported.length === 0)
    throw new UsageError(`${what}: exports no "tables", a list of tables or a function that gives one`);
  for (const [i, table] of exported.entries()) {
    let problem: string | undefined;
    try {
      problem = tableProblem(table);
      if (!problem && exported.slice(0, i).some(({ id }) => id === table.id)) problem = `it has two tables ${table.id}`;
    } catch (error) {
      problem = `table ${i + 1} of its list cannot be looked at: ${messageOf(error)}`;
    }
    if (problem) throw new UsageError(`${what}: ${problem}`);
  }
  return exported.map((description: Description) => defineTable(description));
}
