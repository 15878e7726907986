/** Tables that are not the package's own. */
import { basename, resolve } from "node:path";
import { loadNative, loadStarting, meet } from "../native/load.js";
import { loadedPlugins, loadPlugins } from "../plugins/plugins.js";
import type { WorkerOptions } from "./protocol.js";

interface Flags {
  readonly plugin: readonly string[];
  readonly native: readonly string[];
}

/** Paths, as a worker takes them. */
interface LoadedTables extends Pick<WorkerOptions, "plugins" | "native"> {
  /** Hashes of the plug-ins' code, by their names. */
  readonly versions: Readonly<Record<string, string>>;
}

/**
 * Loads the tables of --plugin and --native, or where none of the latter are given those that were `built`. Throws a UsageError of one
 * line, but for one of `built`, which a line on stderr says is left out.
 */
export async function loadTables({ plugin, native }: Flags, built: readonly string[] = []): Promise<LoadedTables> {
  await loadPlugins(plugin);
  await meet(loadNative(native));
  const others = native.length > 0 ? [] : built;
  for (const line of await loadStarting(others)) console.error(`left out: ${line}`);
  const all = (paths: readonly string[]) => paths.map((path) => resolve(path));
  const plugins = all(plugin);
  const own = loadedPlugins().filter(({ file }) => plugins.includes(file));
  const versions = Object.fromEntries(own.map(({ folder, version }) => [basename(folder), version]));
  return { plugins, native: all([...native, ...others]), versions };
}
