/** All experiments and all claims: of the papers, of our own groups, and of plug-ins. A new one of the package is one file in its folder. */
import type { Claim } from "../claims/claim.js";
import type { Headlines } from "../claims/headlines.js";
import type { Experiment } from "../experiment.js";
import { addGroup, paperExperimentIds, paperOf } from "../papers.js";
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

const allExperiments = found.filter(isExperiment);

/** In the order of the papers, then of their files' names; after them those that were registered. */
export const experiments: readonly Experiment[] = allExperiments;

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

const allClaims = found
  .filter(Array.isArray)
  .flat()
  .filter(isClaim)
  .toSorted((a, b) => paperExperimentIds.indexOf(a.experiment) - paperExperimentIds.indexOf(b.experiment));

/** Every claim of `<paper>/claims*.ts`, also those whose experiment does not exist yet, in the order of the figures. */
export const claims: readonly Claim[] = allClaims;

/** Adds a claim at run time. */
export function registerClaim(claim: Claim): void {
  allClaims.push(claim);
}

/** Of each paper its headlines, in the papers' order. */
export const headlines: readonly Headlines[] = found.filter(isHeadlines);
