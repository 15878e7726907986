/** What the papers' folders export: every module in them is loaded, so that a new experiment needs no list. */
import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { groups } from "../claims/papers.js";

/** Everything exported by the modules of all papers, in the order of the papers and then of the files' names. */
export async function exported(): Promise<unknown[]> {
  const here = dirname(fileURLToPath(import.meta.url));
  const folders = readdirSync(here, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const odd = folders.find(({ name }) => !groups.some(({ id }) => id === name));
  if (odd)
    throw new Error(
      `bench/experiments/${odd.name} is in no group: bench/claims/papers.ts lists papers and our own groups`,
    );
  const loaded: object[] = await Promise.all(modulesIn(here).map((file) => import(pathToFileURL(file).href)));
  return loaded.flatMap((module) => Object.values(module));
}

/** The modules in the papers' folders below this one, in that order. */
export function modulesIn(experiments: string): string[] {
  const own = groups.map(({ id }) => join(experiments, id)).filter((folder) => existsSync(folder));
  const files = own.flatMap((folder) =>
    readdirSync(folder)
      .sort()
      .map((name) => join(folder, name)),
  );
  return files.filter((file) => /\.[jt]s$/.test(file) && !/\.(test|d)\.[jt]s$/.test(file));
}
