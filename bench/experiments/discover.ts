/** What the papers' folders export: every module in them is loaded, so that a new experiment needs no list. */
import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { groups } from "../papers.js";

/** Everything exported by the modules of all papers, in the order of the papers and then of the files' names. */
export async function exported(): Promise<unknown[]> {
  const here = dirname(fileURLToPath(import.meta.url));
  const found: unknown[] = [];
  for (const { id } of groups) {
    for (const name of filesOf(join(here, id))) {
      if (!/\.[jt]s$/.test(name) || /\.(test|d)\.[jt]s$/.test(name)) continue;
      const module: Record<string, unknown> = await import(pathToFileURL(join(here, id, name)).href);
      found.push(...Object.values(module));
    }
  }
  return found;
}

function filesOf(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}
