/** Plug-ins: modules outside the package that bring tables of their own, for `--plugin`. */
import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { registerTable } from "../kernels/index.js";
import type { TableType } from "../kernels/table.js";
import { UsageError } from "./errors.js";
import { addKernels } from "./gpu/link.js";

const loaded = new Set<string>();

/**
 * Loads each module and registers what its `tables` export lists. The .wgsl files beside the module are known to the
 * linker under their path from the module's folder, with `plugin/` before it. Throws a UsageError if there is no such
 * module or it has no tables.
 */
export async function loadPlugins(paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const file = resolve(path);
    if (loaded.has(file)) continue;
    if (!existsSync(file)) throw new UsageError(`--plugin ${path}: no such file`);
    const module = (await import(pathToFileURL(file).href)) as { tables?: readonly TableType[] };
    if (!Array.isArray(module.tables)) throw new UsageError(`--plugin ${path}: exports no list named "tables"`);
    addKernels(dirname(file), ".", "plugin/");
    for (const table of module.tables) registerTable(table);
    loaded.add(file);
  }
}
