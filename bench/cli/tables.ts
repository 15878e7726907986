/** Tables that are not the package's own. */
import { resolve } from "node:path";
import { loadNative, meet } from "../native/load.js";
import { loadPlugins } from "../plugins.js";
import type { WorkerOptions } from "../run/protocol.js";

interface Flags {
  readonly plugin: readonly string[];
  readonly native: readonly string[];
}

/** Paths, as a worker takes them. */
export type TablePaths = Pick<WorkerOptions, "plugins" | "native">;

/** Loads the tables of --plugin and --native. Throws a UsageError of one line. */
export async function loadTables({ plugin, native }: Flags): Promise<TablePaths> {
  await loadPlugins(plugin);
  await meet(loadNative(native));
  return { plugins: plugin.map((path) => resolve(path)), native: native.map((path) => resolve(path)) };
}
