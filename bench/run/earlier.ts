/** What earlier runs took, from the environment.json of results folders. */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { DeviceInfo } from "../../kernels/device/gpu.js";
import type { Experiment } from "../base/experiment.js";
import { packageRoot } from "../base/paths.js";
import { experiments } from "../experiments/index.js";
import { deviceSlug } from "../results/device-name.js";
import { ENVIRONMENT_FILE, RUN_FILE, UNFINISHED } from "../results/names.js";
import { adapterKind, byConstants, type Earlier, KEPT_RUNS, type WorkSeconds } from "./estimate.js";
import { plan } from "./plan.js";

const phases = z.record(z.string(), z.number());
const byExperiment = z.record(z.string(), phases);
const work = z.object({ own: z.number(), beside: z.number() });
const environmentSchema = z.object({
  run: z.string(),
  /** Of one that was cut off nobody knows which cells its seconds are of. */
  [UNFINISHED]: z.undefined().optional(),
  device: z.object({ name: z.string(), software: z.boolean(), toggles: z.string() }),
  seconds: z.object({
    all: z.number(),
    experiments: byExperiment,
    beside: byExperiment.optional(),
    expected: z.record(z.string(), work).optional(),
  }),
});
const configurationSchema = z.object({
  experiments: z.array(z.object({ id: z.string(), scale: z.number() })),
  quick: z.boolean(),
  tables: z.array(z.string()).nullable(),
  datasets: z.array(z.string()).nullable(),
  shard: z.unknown(),
});
type Environment = z.infer<typeof environmentSchema>;
type Configuration = z.infer<typeof configurationSchema>;

/** Of one run. */
export interface EarlierRun {
  readonly run: string;
  /** Wall time in seconds. */
  readonly all: number;
  readonly experiments: readonly Earlier[];
}

/**
 * The runs of the folders that tell what they took, oldest first; with `device`, those on that one. What cannot be read is passed over:
 * it would only have made an estimate better.
 */
export function earlierRuns(folders: readonly string[], known: readonly Experiment[], device?: string): EarlierRun[] {
  const runs = new Map<string, EarlierRun>();
  for (const folder of folders) for (const run of runsOf(folder, known, device)) runs.set(run.run, run);
  return [...runs.values()].sort((a, b) => (a.run < b.run ? -1 : 1));
}

/**
 * What runs on this device told, and those on others that came with hashbench: of the folder that a run goes on in, of
 * `hashbench-results/<device>` in the working directory, and of hashbench's own results/. No estimate for a software adapter
 * goes by other devices, whose runs take a third of a second to plan again.
 */
export function earlierOn({ name, software }: Pick<DeviceInfo, "name" | "software">, out: string): Earlier[] {
  const folders = runFolders([out], 0).concat(
    runFolders([join("hashbench-results", deviceSlug(name)), join(packageRoot, "results")], 1),
  );
  return earlierRuns(folders, experiments, software ? name : undefined).flatMap((run) => run.experiments);
}

/** The folders in these, and those themselves, that hold a run. */
export function runFolders(tops: readonly string[], depth: number): string[] {
  return tops.flatMap((top) => {
    if (existsSync(join(top, ENVIRONMENT_FILE))) return [top];
    if (depth === 0 || !existsSync(top)) return [];
    try {
      const below = readdirSync(top, { withFileTypes: true }).filter((entry) => entry.isDirectory());
      return runFolders(
        below.map(({ name }) => join(top, name)),
        depth - 1,
      );
    } catch {
      return [];
    }
  });
}

function runsOf(folder: string, known: readonly Experiment[], device?: string): EarlierRun[] {
  const all = z.record(z.string(), z.unknown()).safeParse(json(join(folder, ENVIRONMENT_FILE))).data ?? {};
  const environments = Object.values(all).flatMap((one) => environmentSchema.safeParse(one).data ?? []);
  const { configuration } = z.object({ configuration: z.unknown() }).safeParse(json(join(folder, RUN_FILE))).data ?? {};
  const whole = configurationSchema.safeParse(configuration).data;
  return environments.flatMap((environment) => {
    const { run, seconds } = environment;
    if (device !== undefined && environment.device.name !== device) return [];
    if (seconds.expected) return [{ run, all: seconds.all, experiments: noted(environment, seconds.expected) }];
    // Runs that did not note it were of whole experiments, unless these options say otherwise.
    if (!whole || whole.quick || whole.shard) return [];
    return [{ run, all: seconds.all, experiments: guessed(environment, environments, whole, known) }];
  });
}

function noted({ device, seconds }: Environment, expected: Readonly<Record<string, WorkSeconds>>): Earlier[] {
  return Object.entries(expected).map(([experiment, expected]) => {
    const own = seconds.experiments[experiment];
    const took = { own: sum(own), beside: sum(seconds.beside?.[experiment]) };
    return { device: device.name, experiment, took, expected, native: (own?.native ?? 0) > 0 };
  });
}

/** Other runs begin with some cells of device/limits where they need them: less than this of the longest is not all of it. */
const PART = 0.1;

function guessed(
  { device, seconds }: Environment,
  environments: readonly Environment[],
  { experiments: sizes, tables, datasets }: Configuration,
  known: readonly Experiment[],
): Earlier[] {
  const longest = (id: string) => Math.max(...environments.map(({ seconds }) => sum(seconds.experiments[id])));
  const scales = new Map(sizes.map(({ id, scale }) => [id, scale]));
  const planned = known
    .filter(({ id, from }) => !from && seconds.experiments[id] && scales.has(id))
    .filter(({ id }) => sum(seconds.experiments[id]) > PART * longest(id))
    .flatMap((experiment) => {
      const scale = scales.get(experiment.id);
      const options = { quick: false, seed: 1, scale, tables: tables ?? undefined, datasets: datasets ?? undefined };
      return plan([experiment], options, device);
    });
  const expected = byConstants(planned, adapterKind(device), KEPT_RUNS);
  return planned.map(({ experiment: { id } }) => {
    const work = expected.get(id) ?? { own: 0, beside: 0 };
    const own = sum(seconds.experiments[id]);
    const aside = seconds.beside && Object.keys(seconds.beside).length > 0;
    // Without a worker beside it, that of the GPU did both.
    const share = aside || work.beside === 0 ? 0 : work.beside / (work.own + work.beside);
    const beside = aside ? sum(seconds.beside?.[id]) : share * own;
    return { device: device.name, experiment: id, took: { own: (1 - share) * own, beside }, expected: work };
  });
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
