/** All experiments: every file in the folders beside this one that exports some. A new experiment is one file. */
import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Experiment, PaperId } from "../model.js";

/** What `run` without an id measures: the device, and one headline figure a paper. */
export const TOUR: readonly string[] = ["device/limits", "cuckoo/fig4.4-retrieve", "gph/fig10", "tables/load-factor"];

const PAPERS: readonly PaperId[] = ["device", "tables", "cuckoo", "stadium", "slab", "dycuckoo", "gph"];

async function discover(): Promise<Experiment[]> {
  const here = dirname(fileURLToPath(import.meta.url));
  const found: Experiment[] = [];
  for (const paper of PAPERS) {
    for (const name of filesOf(join(here, paper))) {
      if (!/\.[jt]s$/.test(name) || /\.(test|d)\.[jt]s$/.test(name)) continue;
      const module: Record<string, unknown> = await import(pathToFileURL(join(here, paper, name)).href);
      found.push(...Object.values(module).filter(isExperiment));
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

function isExperiment(value: unknown): value is Experiment {
  return typeof value === "object" && value !== null && "id" in value && "axes" in value && "series" in value;
}

/** In the order of the papers, then of their files' names. */
export const experiments: readonly Experiment[] = await discover();
