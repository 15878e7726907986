/**
 * The estimate against what the kept runs took: of all experiments on two GPUs, by versions of which the later one takes three quarters of the earlier
 * one's time. Runs with CUDA tables, which are not there now, are left out. Each is left out of the runs that it is estimated from.
 */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packageRoot } from "../base/paths.js";
import { experiments } from "../experiments/index.js";
import { earlierRuns, runFolders } from "./earlier.js";
import { byConstants, estimate, KEPT_RUNS } from "./estimate.js";
import { plan } from "./plan.js";

const WITH_CUDA = ["20261126T160859Z", "20261126T164440Z"];

const results = join(packageRoot, "results");
const folders = runFolders(
  readdirSync(results).map((name) => join(results, name)),
  0,
);
const runs = earlierRuns(folders, experiments);

const estimates = runs
  .filter(({ run }) => !WITH_CUDA.includes(run))
  .map(({ run, all, experiments: took }) => {
    const ids = new Set(took.map(({ experiment }) => experiment));
    const device = { name: took[0]?.device ?? "", software: false, toggles: "" };
    const whole = experiments.filter(({ id }) => ids.has(id));
    const parts = plan(whole, { quick: false, seed: 1 }, device);
    const earlier = runs.filter((other) => other.run !== run).flatMap((other) => other.experiments);
    const shareOf = (known: typeof earlier) => estimate(parts, { device, earlier: known, beside: true }).seconds / all;
    const constants = byConstants(parts, "gpu");
    const off = took.reduce((sum, one) => {
      return sum + Math.abs((constants.get(one.experiment)?.own ?? 0) - one.took.own);
    }, 0);
    const own = took.reduce((sum, one) => sum + one.took.own, 0);
    return { run, device: device.name, all, fromOthers: shareOf(earlier), alone: shareOf([]), apart: off / own };
  });
const table = estimates
  .map(
    ({ device, run, all, fromOthers, alone, apart }) =>
      `${device} ${run}: took ${all} s, estimate ${fromOthers.toFixed(2)} of that, without the others ${alone.toFixed(2)}, by experiment ${apart.toFixed(2)} off`,
  )
  .join("\n");

test("whole runs of two devices are kept", () => {
  expect(new Set(estimates.map(({ device }) => device)).size).toBe(2);
});

test("the estimate of each without any run is within 25 % of what it took, and from a run of another version within a third", () => {
  const off = (share: number, most: number) => Math.abs(share - 1) > most;
  expect(
    estimates.filter(({ fromOthers, alone }) => off(fromOthers, 1 / 3) || off(alone, 0.25)),
    table,
  ).toEqual([]);
});

test("by experiment, the estimate of each without any run is off by no more than 45 % of its time in all", () => {
  expect(
    estimates.filter(({ apart }) => apart > 0.45),
    table,
  ).toEqual([]);
});

test("of experiments that have become faster since a run, it is not what they take again", () => {
  const device = { name: "nvidia-h200", software: false, toggles: "" };
  const earlier = runs.flatMap((run) => run.experiments);
  const seconds = (id: string, rates?: typeof KEPT_RUNS) => {
    const parts = plan(
      experiments.filter((one) => one.id === id),
      { quick: false, seed: 1 },
      device,
    );
    return estimate(parts, { device, earlier, beside: true, ...(rates && { rates }) }).experiments[0];
  };
  for (const [id, least, most] of [
    ["dycuckoo/fig11", 0.3, 0.45],
    ["dycuckoo/fig13", 0.3, 0.45],
    ["dycuckoo/fig14", 0.3, 0.45],
    ["slab/fig5a", 1, 1],
  ] as const) {
    const [now, then] = [seconds(id), seconds(id, KEPT_RUNS)];
    expect(now?.from).toBe("earlier run");
    const share = (now?.seconds ?? 0) / (then?.seconds ?? 1);
    expect(share).toBeGreaterThanOrEqual(least);
    expect(share).toBeLessThanOrEqual(most);
  }
});
