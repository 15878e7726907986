/** Plug-ins: modules outside the package that bring tables, data sets, counters, experiments and claims of their own, for `--plugin`. */
import { writeSync } from "node:fs";
import { basename, dirname, extname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { firstBytes, saying } from "../../datasets/files/paths.js";
import { UsageError } from "../../kernels/device/errors.js";
import { allTables } from "../../kernels/index.js";
import { messageOf } from "../base/errors.js";
import { addKernelFolder } from "../device/sources.js";
import { knowSystem } from "../native/systems.js";
import { exportsOf, type Plugin, register } from "./plugin.js";
import { versionOf } from "./plugin-versions.js";

/** A module that was loaded. */
export interface LoadedPlugin {
  readonly file: string;
  /** What its kernels are known under, such as `plugin/mine`. */
  readonly folder: string;
  /** A hash of its code. */
  readonly version: string;
  /** Their texts, by their names in that folder. */
  readonly kernels: Readonly<Record<string, string>>;
}

const loaded: LoadedPlugin[] = [];

/** For a module to load and to give what it exports. */
const LOAD_MS = 10_000;

interface LoadOptions {
  /** What measures cells alone: a worker needs no experiments. */
  readonly measuring?: boolean;
  readonly limitMs?: number;
}

/**
 * Loads each module and registers what it exports (see plugin.ts). The .wgsl files in and below the module's folder are known to
 * the linker. Throws a UsageError of one line if there is no such module, it cannot be loaded in `limitMs`, or what it exports
 * cannot be registered. A module that ends the process ends it with that line and exit code 2.
 */
export async function loadPlugins(
  paths: readonly string[],
  { measuring = false, limitMs = LOAD_MS }: LoadOptions = {},
): Promise<void> {
  for (const path of paths) {
    const what = `--plugin ${path}`;
    if (firstBytes(path, 1, what) === "") throw new UsageError(`${what} is empty`);
    const file = resolve(path);
    if (loaded.some((one) => one.file === file)) continue;
    const folder = `plugin/${basename(file, extname(file))}`;
    if (loaded.some((one) => one.folder === folder))
      throw new UsageError(`${what}: there is a plug-in ${basename(folder)} already; give the file another name`);
    const given = await guarded(what, limitMs, async () => {
      const module = (await import(pathToFileURL(file).href)) as Plugin;
      return exportsOf(module, folder, measuring);
    });
    const kernels = saying(`${what}: the kernels beside it cannot be read`, () =>
      addKernelFolder(dirname(file), ".", `${folder}/`),
    );
    const others = new Set(allTables());
    await register(given, what, { folder, file });
    const version = versionOf(file);
    for (const table of allTables())
      if (!others.has(table)) knowSystem(table.id, { title: table.title, plugin: version });
    loaded.push({ file, folder, version, kernels });
  }
}

/** Those that were loaded, in this order. */
export function loadedPlugins(): readonly LoadedPlugin[] {
  return loaded;
}

/** What a module's code does wrong while it is loaded is said in one line. */
async function guarded<T>(what: string, limitMs: number, load: () => Promise<T>): Promise<T> {
  const failure = (error: unknown) => new UsageError(`${what}: cannot be loaded: ${messageOf(error)}`);
  const onExit = (): void => {
    writeSync(
      2,
      `hashbench: ${what}: it ended the process while it was loaded; a module that exports tables, or others of its kind, is wanted\n`,
    );
    process.exitCode = 2;
  };
  let timer: NodeJS.Timeout | undefined;
  const other = new Promise<never>((_, reject) => {
    const late = `${what}: it is not loaded after ${limitMs / 1000} s; does its import, or a function that it exports, end?`;
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
