/** All experiments and all claims of the papers. A new experiment is one file in its paper's folder. */
import type { Claim } from "../claims/claim.js";
import type { Headlines } from "../claims/headlines.js";
import { parseClaims } from "../claims/parse.js";
import type { Experiment } from "../experiment.js";
import { claimTexts, exported } from "./discover.js";

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

const files = claimTexts().map(({ paper, file, text }) => ({ paper, ...parseClaims(text, file) }));

/** Every claim, in the order of the papers and their files. */
export const claims: readonly Claim[] = files.flatMap((file) => file.claims);

/** Of each paper its headlines, in the papers' order. */
export const headlines: readonly Headlines[] = files
  .filter(({ about }) => about !== "")
  .map(({ paper, about, conclusions }) => ({ paper, about, conclusions }));
