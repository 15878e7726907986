/** All experiments and all claims of the papers. A new experiment is one file in its paper's folder. */
import type { Claim } from "../claims/claim.js";
import type { Headlines } from "../claims/headlines.js";
import type { Experiment } from "../experiment.js";
import { paperExperimentIds } from "../papers.js";
import { exported } from "./discover.js";

function isExperiment(value: unknown): value is Experiment {
  return typeof value === "object" && value !== null && "id" in value && "axes" in value && "series" in value;
}

function isClaim(value: unknown): value is Claim {
  return typeof value === "object" && value !== null && "id" in value && "check" in value && "paper" in value;
}

function isHeadlines(value: unknown): value is Headlines {
  return typeof value === "object" && value !== null && "conclusions" in value && "paper" in value;
}

const found = await exported();

/** In the order of the papers, then of their files' names. */
export const experiments: readonly Experiment[] = found.filter(isExperiment);

/** What has to be measured for these: each with rows of its own, and those whose rows the others draw, once. */
export function measuredFor(wanted: readonly Experiment[]): Experiment[] {
  const ids = new Set(wanted.flatMap(({ id, from }) => from ?? [id]));
  return experiments.filter(({ id }) => ids.has(id));
}

/** Every claim of `<paper>/claims*.ts`, also those whose experiment does not exist yet, in the order of the figures. */
export const claims: readonly Claim[] = found
  .filter(Array.isArray)
  .flat()
  .filter(isClaim)
  .toSorted((a, b) => paperExperimentIds.indexOf(a.experiment) - paperExperimentIds.indexOf(b.experiment));

/** Of each paper its headlines, in the papers' order. */
export const headlines: readonly Headlines[] = found.filter(isHeadlines);
