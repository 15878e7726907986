/** All experiments: of the papers, of our own groups, and of plug-ins. A new one of the package is one file in its folder. */
import type { Experiment } from "../base/experiment.js";
import { addGroup, paperOf } from "../claims/papers.js";
import { exported } from "./discover.js";

export { claims, headlines, registerClaim } from "./claims.js";

function isExperiment(value: unknown): value is Experiment {
  return typeof value === "object" && value !== null && "id" in value && "axes" in value && "series" in value;
}

const found = await exported();

const allExperiments = found.filter(isExperiment);

/** In the order of the papers, then of their files' names; after them those that were registered. */
export const experiments: readonly Experiment[] = allExperiments;

/** What `all` leaves out, and is measured where it is named: it takes minutes, or belongs to a choice of the user's. */
export const byName: ReadonlySet<string> = new Set([
  "device/host-large",
  "limit/host-large",
  "limit/beyond-memory",
  "device/implementations",
  "device/pipelines",
  "tables/implementations",
]);

/** Adds an experiment at run time, and its group if it is new. */
export function registerExperiment(experiment: Experiment): void {
  addGroup(paperOf(experiment.id));
  allExperiments.push(experiment);
}

/** What has to be measured for these: each with rows of its own, and those whose rows the others draw, once. */
export function measuredFor(wanted: readonly Experiment[]): Experiment[] {
  const ids = new Set(wanted.flatMap(({ id, from }) => from ?? [id]));
  return experiments.filter(({ id }) => ids.has(id));
}
