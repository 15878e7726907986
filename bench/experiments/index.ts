/** All experiments and all claims of the papers. A new experiment is one file in its paper's folder. */
import type { Experiment } from "../experiment.js";
import { exported } from "./discover.js";

export { claims, headlines } from "./claims.js";

function isExperiment(value: unknown): value is Experiment {
  return typeof value === "object" && value !== null && "id" in value && "axes" in value && "series" in value;
}

const found = await exported();

/** In the order of the papers, then of their files' names. */
export const experiments: readonly Experiment[] = found.filter(isExperiment);

/** What has to be measured for these: each with rows of its own, and those whose rows the others draw, once. */
export function measuredFor(wanted: readonly Experiment[]): Experiment[] {
  const ids = new Set(wanted.flatMap(({ id, from }) => from ?? [id]));
  return experiments.filter(({ id }) => ids.has(id));
}
