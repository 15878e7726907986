/** What earlier runs took, from the environment.json of results folders. */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { DeviceInfo } from "../../kernels/device/gpu.js";
import { packageRoot } from "../base/paths.js";
import { experiments } from "../experiments/index.js";
import { deviceSlug } from "../results/device-name.js";
import { ENVIRONMENT_FILE, UNFINISHED } from "../results/names.js";
import { type Earlier, type Work, type WorkSeconds, workBy } from "./estimate.js";
import { sized } from "./plan.js";

const byExperiment = z.record(z.string(), z.record(z.string(), z.number()));
const environmentSchema = z.object({
  run: z.string(),
  /** A run that was cut off has this member, and is passed over: nobody knows which cells took its seconds. */
  [UNFINISHED]: z.undefined().optional(),
  device: z.object({ name: z.string() }),
  seconds: z.object({
    experiments: byExperiment,
    beside: byExperiment.optional(),
    work: z.record(z.string(), z.object({ runs: z.number().positive(), pairs: z.number().positive() })).optional(),
  }),
});

/**
 * What earlier runs tell of these experiments: runs on this device, and runs on others that came with hashbench. They stand in the folder
 * that a run goes on in, in `hashbench-results/<device>` of the working directory, and in hashbench's own results/. Folders that cannot
 * be read are passed over, as they only make an estimate better.
 */
export function earlierOn({ name, software }: DeviceInfo, out: string, ids: ReadonlySet<string>): Earlier[] {
  const own = [...foldersIn(join("hashbench-results", deviceSlug(name))), out].flatMap((folder) => toldIn(folder, ids));
  // Numbers of GPUs say nothing of a software adapter.
  return software ? own : [...kept(ids), ...own];
}

/** What these experiments took in hashbench's own results/. All machines with the same version know the same. */
export function keptSeconds(ids: ReadonlySet<string>): ReadonlyMap<string, WorkSeconds> {
  return new Map([...longest(kept(ids), ({ experiment }) => experiment)].map(([id, { took }]) => [id, took]));
}

/** Runs of other experiments measure some cells of device/limits first: that is not all of it. */
function kept(ids: ReadonlySet<string>): Earlier[] {
  const told = foldersIn(join(packageRoot, "results")).flatMap((folder) => toldIn(folder, ids, wholeOf));
  return [...longest(told, ({ experiment, device }) => `${experiment} ${device}`).values()];
}

function longest(told: readonly Earlier[], nameOf: (one: Earlier) => string): Map<string, Earlier> {
  const ordered = told.toSorted((a, b) => a.took.own - b.took.own);
  return new Map(ordered.map((one) => [nameOf(one), one]));
}

function foldersIn(top: string): string[] {
  if (!existsSync(top)) return [];
  const below = readdirSync(top, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return below.map(({ name }) => join(top, name)).sort();
}

/** @param unsaid the work of an experiment, where a run did not note it */
function toldIn(folder: string, ids: ReadonlySet<string>, unsaid: (id: string) => Work | undefined = () => undefined) {
  const all = z.record(z.string(), z.unknown()).safeParse(json(join(folder, ENVIRONMENT_FILE))).data ?? {};
  const runs = Object.values(all).flatMap((one) => environmentSchema.safeParse(one).data ?? []);
  const alone = (phases: Readonly<Record<string, number>>): boolean => phases.native === undefined;
  const known = new Set(
    runs.flatMap(({ seconds }) => Object.entries(seconds.experiments).flatMap(([id, p]) => (alone(p) ? [id] : []))),
  );
  return runs
    .toSorted((a, b) => (a.run < b.run ? -1 : 1))
    .flatMap(({ device, seconds }) =>
      Object.entries(seconds.experiments).flatMap(([experiment, phases]): Earlier[] => {
        // Native tables take other times: a run with them tells of an experiment where no run without them does.
        if (!ids.has(experiment) || (known.has(experiment) && !alone(phases))) return [];
        const whole = alone(phases) ? unsaid(experiment) : undefined;
        const work = seconds.work ? seconds.work[experiment] : whole;
        const took = { own: sum(phases), beside: sum(seconds.beside?.[experiment]) };
        return work ? [{ device: device.name, experiment, took, work }] : [];
      }),
    );
}

/** By experiment: several runs of one are kept. */
const wholes = new Map<string, Work | undefined>();

/** Kept runs are of whole experiments. */
function wholeOf(id: string): Work | undefined {
  const experiment = experiments.find((one) => one.id === id);
  if (experiment && !wholes.has(id)) wholes.set(id, workBy([sized(experiment, { quick: false, seed: 1 })]).get(id));
  return wholes.get(id);
}

function sum(phases: Readonly<Record<string, number>> | undefined): number {
  return Object.values(phases ?? {}).reduce((a, b) => a + b, 0);
}

function json(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}
