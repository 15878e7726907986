/** What the papers' folders have: every module and file of claims in them is loaded, so that a new experiment needs no list. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { groups, type PaperId } from "../papers.js";
import { packageRoot } from "../paths.js";

/** Everything exported by the modules of all papers, in the order of the papers and then of the files' names. */
export async function exported(): Promise<unknown[]> {
  const here = dirname(fileURLToPath(import.meta.url));
  const files = groups.flatMap(({ id }) => filesOf(join(here, id)).map((name) => join(here, id, name)));
  const modules = files.filter((file) => /\.[jt]s$/.test(file) && !/\.(test|d)\.[jt]s$/.test(file));
  const loaded: object[] = await Promise.all(modules.map((file) => import(pathToFileURL(file).href)));
  return loaded.flatMap((module) => Object.values(module));
}

/** The file of claims of each paper or group that has one: `<paper>/<paper>.claims`. */
export function claimTexts(): { readonly paper: PaperId; readonly file: string; readonly text: string }[] {
  return groups.flatMap(({ id }) => {
    const file = `${id}.claims`;
    const path = join(packageRoot, "bench", "experiments", id, file);
    return existsSync(path) ? [{ paper: id, file, text: readFileSync(path, "utf8") }] : [];
  });
}

function filesOf(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}
