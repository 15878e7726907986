/** Names of a results folder's files. */

/** Names the run of a folder: `{schema, configuration}`. */
export const RUN_FILE = "run.json";
export const ENVIRONMENT_FILE = "environment.json";
/** Ending of the samples' names. */
export const SAMPLES = ".samples.jsonl";

/** `gph/fig10.samples.jsonl` for `gph/fig10.csv`. */
export function samplesFile(csv: string): string {
  return csv.replace(/\.csv$/, "") + SAMPLES;
}

/** What the environment of a run says that has not ended, beside the seconds so far. */
export const UNFINISHED = "unfinished";
