/** The estimate against what the kept runs took. Each is left out of the runs that it is estimated from, not of the constants. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { experiments } from "../experiments/index.js";
import { packageRoot } from "../paths.js";
import { earlierRuns, runFolders } from "./earlier.js";
import { estimate } from "./estimate.js";
import { plan } from "./plan.js";

/**
 * Runs that no other one tells enough of. 20261123T135720Z has aging alone, which no other run has: the constant of histories
 * is that of DyCuckoo's, which are longer. limit/table and tables/load-factor of the two runs of the 24th and 23rd at 16 h were
 * measured by other commits, without and with large pages, and took 32, 105 and 177 s. 20261124T050501Z took 9 s, of which
 * starting and the device's limits are a third, and its figure had fewer cells before.
 */
const UNLIKE = new Set(["20261123T135720Z", "20261123T160815Z", "20261124T050501Z", "20261124T161355Z"]);

const results = join(packageRoot, "results");
const folders = runFolders(
  readdirSync(results).map((name) => join(results, name)),
  0,
);
const runs = earlierRuns(folders, experiments);

const estimates = runs.map(({ run, all, experiments: took }) => {
  const ids = new Set(took.map(({ experiment }) => experiment));
  const device = { name: took[0]?.device ?? "", software: false, toggles: "" };
  const whole = experiments.filter(({ id }) => ids.has(id));
  const parts = plan(whole, { quick: false, seed: 1 }, device);
  const earlier = runs.filter((other) => other.run !== run).flatMap((other) => other.experiments);
  const { seconds } = estimate(parts, { device, earlier, beside: true });
  return { run, device: device.name, all, seconds, share: seconds / all };
});
const table = estimates
  .map(
    ({ device, run, all, seconds, share }) =>
      `${device} ${run}: took ${all} s, estimate ${seconds.toFixed(0)} s (${share.toFixed(2)})`,
  )
  .join("\n");

test("the kept runs are known", () => {
  expect(runs.length).toBeGreaterThanOrEqual(10);
});

test("the estimate of a kept run that others tell enough of is within 25 % of what it took", () => {
  const off = estimates.filter(({ run, share }) => !UNLIKE.has(run) && Math.abs(share - 1) > 0.25);
  expect(off, table).toEqual([]);
});

test("the estimate of every kept run is within a factor of 2", () => {
  const off = estimates.filter(({ share }) => share < 0.5 || share > 2);
  expect(off, table).toEqual([]);
});
