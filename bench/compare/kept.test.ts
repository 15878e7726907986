/** Runs of an H200 that are kept: five of equal code, five with two kernels slowed down by 5 %. */
import { join } from "node:path";
import { sample } from "simple-statistics";
import { expect, test } from "vitest";
import { type Uniform, uniform } from "../../datasets/rng.js";
import { packageRoot } from "../base/paths.js";
import { compare } from "./compare.js";
import { readSide, type Side } from "./side.js";

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

type Trial = readonly [before: Side, after: Side];

/** Different runs in `count` pairs, shuffled. */
function pairsOf(before: readonly Side[], after: readonly Side[], count: number, random: Uniform): Trial[] {
  return sample(
    before.flatMap((b) => after.filter((a) => a !== b).map((a): Trial => [b, a])),
    count,
    random,
  );
}

/** Every cell's samples drawn anew from themselves, with replacement. */
function redrawn(side: Side, random: Uniform): Side {
  const draw = (samples: readonly number[]) =>
    samples.map(() => samples[Math.floor(random() * samples.length)] ?? Number.NaN);
  const cells = [...side.cells].map(([key, cell]) => {
    const runs = cell.runs.map((run) => ({ ...run, samples: draw(run.samples) }));
    return [key, { ...cell, runs }] as const;
  });
  return { ...side, cells: new Map(cells) };
}

/** What each trial reports as worse, `key metric`. */
function alarmsOf(trials: readonly Trial[]): string[][] {
  return trials.map(([before, after]) => {
    const { verdicts, broken } = compare(before, after);
    const worse = verdicts.filter(({ decision }) => decision === "worse");
    return [
      ...broken.map(({ cell }) => `${cell.key} broken`),
      ...worse.map(({ cell, metric }) => `${cell.key} ${metric}`),
    ];
  });
}

test("runs of equal code raise no alarm, as they are and drawn anew", async () => {
  const runs = runsOf(await kept("equal-code"));
  const random = uniform(3);
  const pairs = pairsOf(runs, runs, 20, random);
  const drawn = Array.from({ length: 5 }, () =>
    pairs.map(([before, after]): Trial => [redrawn(before, random), redrawn(after, random)]),
  ).flat();
  expect(alarmsOf([...pairs, ...drawn])).toEqual(new Array(120).fill([]));
});

test("5 % slower kernels are found in every pair of runs, in their own cells only", async () => {
  const [equal, slower] = [runsOf(await kept("equal-code")), runsOf(await kept("slower-kernels"))];
  const alarms = alarmsOf(pairsOf(equal, slower, 25, uniform(3)));
  expect(alarms).toHaveLength(25);
  for (const alarm of alarms.flat()) expect(alarm).toMatch(PLANTED);
  for (const cell of [
    '"bucketed","","find","random",5600000,0.8,1,',
    '"double-hashing","","insert","random",5600000,0.8,null,',
  ]) {
    for (const own of alarms)
      expect(own.filter((alarm) => alarm.includes(cell))).toEqual([expect.stringMatching(/ time$/)]);
  }
});
