/** Runs of an H200 that are kept: five of equal code, five with two kernels slowed down by 5 %. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { uniform } from "../../datasets/rng.js";
import { packageRoot } from "../base/paths.js";
import { defaultOptions } from "./compare.js";
import { readSide, type Side } from "./side.js";
import { pairsOf, resampled, runTrials } from "./testing.js";

const kept = (name: string) => readSide(join(packageRoot, "results", "baselines", "nvidia-h200", name));
const PLANTED = /"(bucketed","","find|double-hashing","","insert)"/;

/** Each run of a side as a side of its own. */
function runsOf(side: Side): Side[] {
  const ids = [...new Set([...side.cells.values()].flatMap(({ runs }) => runs.map(({ run }) => run)))];
  return ids.map((id) => ({
    ...side,
    cells: new Map(
      [...side.cells].map(([key, cell]) => [key, { ...cell, runs: cell.runs.filter(({ run }) => run === id) }]),
    ),
  }));
}

test("runs of equal code raise no alarm, as they are and drawn anew", async () => {
  const runs = runsOf(await kept("equal-code"));
  const random = uniform(3);
  const pairs = pairsOf(runs, runs, 20, random);
  expect(runTrials(pairs, defaultOptions)).toMatchObject({ trials: 20, alarms: 0 });
  const drawn = Array.from({ length: 5 }, () => pairs.map((pair) => resampled(pair, random))).flat();
  expect(runTrials(drawn, defaultOptions)).toMatchObject({ trials: 100, alarms: 0 });
});

test("5 % slower kernels are found in every pair of runs, in their own cells only", async () => {
  const [equal, slower] = [runsOf(await kept("equal-code")), runsOf(await kept("slower-kernels"))];
  const { trials, alarms, worse } = runTrials(pairsOf(equal, slower, 25, uniform(3)), defaultOptions);
  expect(alarms).toBe(trials);
  for (const key of worse.keys()) expect(key).toMatch(PLANTED);
  for (const cell of [
    '"bucketed","","find","random",5600000,0.8,1,',
    '"double-hashing","","insert","random",5600000,0.8,null,',
  ]) {
    const found = [...worse].filter(([key]) => key.includes(cell));
    expect(found, cell).toEqual([[expect.stringMatching(/ time$/), trials]]);
  }
});
