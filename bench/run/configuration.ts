/** What a run is asked for, and what follows from it on a device. */

import { rounded } from "../base/format.js";
import type { StoppingOptions } from "../measure/stopping.js";
import { systemsOf } from "../native/systems.js";
import type { RunInfo } from "../results/record.js";
import type { Planned, PlanOptions } from "./plan.js";

/** What the numbers of a software adapter mean. */
export const SOFTWARE_NUMBERS =
  "software adapter: a CPU runs the kernels, so rates are that CPU's and no GPU's; counters (probes, transactions) are the kernels' own";

/**
 * On a software adapter times differ from run to run, so more samples would not help. Runs of hundreds of passes take seconds there, so
 * the run that is checked is the only sample. Single passes of a second and more have two.
 */
export function quickStopping(software: boolean): Partial<StoppingOptions> {
  return software ? { maxTimeMs: 120, fewestSamples: 5, fewestOfLong: 2, enoughOfMany: 1 } : { maxTimeMs: 700 };
}

/** Whether --quick is given, or implied: on a software adapter, where no size is given. */
export function isQuick({ quick, scale, n }: Pick<PlanOptions, "quick" | "scale" | "n">, software: boolean): boolean {
  return quick || (software && scale === undefined && n === undefined);
}

/** Options that decide the rows of a run, beside its experiments. */
export interface Asked extends PlanOptions {
  /** Parameters that were set by hand, as they were given: the experiments have them. */
  readonly params?: Readonly<Record<string, string>>;
  /** Hashes of the plug-ins' code, by their names. */
  readonly versions?: Readonly<Record<string, string>>;
}

/** The id of a run that begins now: `20260102T030405Z`. */
export function runId(): string {
  return new Date().toISOString().replace(/[-:]|\.\d+/g, "");
}

/** The configuration that has to be equal for a run to go on in a folder that holds results. */
export function configuration(
  options: Asked,
  planned: readonly Planned[],
  info: Pick<RunInfo, "device" | "driver" | "toggles">,
) {
  const tables = planned.flatMap(({ experiment }) => experiment.series.map(({ table }) => table));
  // Tables that any shard may have cells of.
  const known = Object.entries(systemsOf(tables.filter((table) => !options.tables || options.tables.includes(table))));
  const native = Object.fromEntries(known.filter(([, { plugin }]) => plugin === undefined));
  const { versions = {} } = options;
  return {
    experiments: planned.map(({ experiment, scale }) => ({ id: experiment.id, scale: rounded(scale, 6) })),
    seed: options.seed,
    quick: options.quick,
    tables: options.tables ?? null,
    ...(Object.keys(native).length > 0 ? { native } : {}),
    ...(Object.keys(versions).length > 0 ? { plugins: versions } : {}),
    ...(options.params ? { params: options.params } : {}),
    datasets: options.datasets ?? null,
    shard: options.shard ?? null,
    device: info.device,
    driver: info.driver,
    toggles: info.toggles,
  };
}
