/** Plug-ins: modules outside the package that bring tables of their own, for `--plugin`. */
import { existsSync } from "node:fs";
import { basename, dirname, extname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { createOpenAddressing } from "../kernels/common/open-addressing.js";
import { DELETED, EMPTY, fillStep, groupsFor, nextPrime, variant } from "../kernels/common/steps.js";
import { DoesNotFit, UsageError } from "../kernels/device/errors.js";
import { allTables, registerTable } from "../kernels/index.js";
import type { Answer, TableType } from "../kernels/table.js";
import { addKernelFolder } from "./gpu/sources.js";

const loaded = new Set<string>();

/**
 * What a plug-in gets, so that it needs no path into the package:
 * `export const tables = (hashbench) => [{ id: "mine", …hashbench.tableType("double-hashing"), … }]`.
 */
export interface PluginHelpers {
  /**
   * Folder of the module's own kernels, `plugin/<module's name>`: `find.wgsl` beside the module is `${folder}/find.wgsl` for
   * `variant` and `createOpenAddressing`. Kernels import theirs as `super::layout::x`, ours as `package::kernels::common::…`.
   */
  readonly folder: string;
  /** A table of ours by id, to derive one from. */
  tableType(id: string): TableType | undefined;
  readonly createOpenAddressing: typeof createOpenAddressing;
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
  const tableType = (id: string) => allTables().find((table) => table.id === id);
  const steps = { createOpenAddressing, variant, fillStep, groupsFor, nextPrime };
  return { folder, tableType, ...steps, EMPTY, DELETED, UsageError, DoesNotFit };
}

/**
 * Loads each module and registers the tables it exports as `tables`: a list, or a function of PluginHelpers that gives one.
 * The .wgsl files in and below the module's folder are known to the linker. Throws a UsageError of one line if there is no
 * such module, it cannot be loaded, or what it exports are no tables.
 */
export async function loadPlugins(paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const file = resolve(path);
    if (loaded.has(file)) continue;
    if (!existsSync(file)) throw new UsageError(`--plugin ${path}: no such file`);
    const folder = `plugin/${basename(file, extname(file))}`;
    const tables = await tablesOf(file, path, folder);
    addKernelFolder(dirname(file), ".", `${folder}/`);
    for (const table of tables) registerTable(table);
    loaded.add(file);
  }
}

async function tablesOf(file: string, path: string, folder: string): Promise<TableType[]> {
  let tables: unknown;
  try {
    const module = (await import(pathToFileURL(file).href)) as { tables?: unknown };
    tables = typeof module.tables === "function" ? await module.tables(helpers(folder)) : module.tables;
  } catch (error) {
    throw new UsageError(`--plugin ${path}: cannot be loaded: ${error instanceof Error ? error.message : error}`);
  }
  if (!Array.isArray(tables) || tables.length === 0)
    throw new UsageError(`--plugin ${path}: exports no "tables", a list of tables or a function that gives one`);
  for (const table of tables as Partial<TableType>[]) checkTable(table, path);
  return tables as TableType[];
}

/** The fields without which a run would only fail later. */
const FIELDS: readonly (readonly [keyof TableType, string])[] = [
  ["id", "string"],
  ["title", "string"],
  ["ops", "object"],
  ["maxLoadFactor", "number"],
  ["access", "function"],
  ["bytes", "function"],
  ["create", "function"],
];

const ANSWERS: readonly Answer[] = ["member", "id", "range"];

function checkTable(table: Partial<TableType>, path: string): void {
  const [field, kind] = FIELDS.find(([name, type]) => typeof table?.[name] !== type) ?? [];
  if (field) throw new UsageError(`--plugin ${path}: table ${table?.id ?? "without id"} has no ${field} (${kind})`);
  if (table.answers !== undefined && !ANSWERS.includes(table.answers))
    throw new UsageError(
      `--plugin ${path}: table ${table.id} answers with ${table.answers}; there are ${ANSWERS.join(", ")}`,
    );
  if (allTables().some(({ id }) => id === table.id))
    throw new UsageError(`--plugin ${path}: there is a table ${table.id} already; give it another id`);
}
