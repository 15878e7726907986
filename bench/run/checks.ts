/** Conformance cases in the worker process. */

import { configure } from "../../kernels/define.js";
import { DoesNotFit, Unsupported, UsageError } from "../../kernels/device/errors.js";
import type { Gpu } from "../../kernels/device/gpu.js";
import { type Case, checkCase, Inconclusive } from "../verify/case.js";
import { cases } from "../verify/index.js";
import { operationsOf } from "../verify/tally.js";
import { typeFor } from "../verify/variants.js";
import type { CheckJob } from "./protocol.js";
import type { Reporter } from "./reporter.js";

/**
 * Cases that a worker runs at a time, where it may. Most of them wait for round trips to the device, and one round trip serves all of a
 * process's work.
 */
const TOGETHER = 16;

/**
 * Runs the cases, which begin in their order. Finished parts of a case are reported, so that the watchdog does not take many rounds for a
 * hang. One that does not fit beside others is tried again by itself.
 * @param together whether several may run at the same time
 */
export async function runChecks(
  gpu: Gpu,
  jobs: readonly CheckJob[],
  reporter: Reporter,
  together = false,
  from: readonly Pick<Case, "name" | "check" | "random">[] = cases,
): Promise<void> {
  const check = async ({ index, spec }: CheckJob): Promise<void> => {
    const working = (): void => reporter.phase(index, "verify");
    working();
    const type = configure(typeFor(spec), spec.params);
    const found = from.find(({ name }) => name === spec.name);
    if (!found) throw new Error(`no case ${spec.name}`);
    const began = performance.now();
    const operations = await operationsOf(() => checkCase(found, gpu, type, spec.rounds, working));
    reporter.finish(index, "ok", "", { operations, seconds: (performance.now() - began) / 1000 });
  };
  const failed = ({ index, spec }: CheckJob, error: unknown): void => {
    // Some parameters exclude operations, and some devices exclude sizes and kernels.
    const ofParams = error instanceof UsageError || error instanceof DoesNotFit;
    const refused = ofParams && Object.keys(spec.params).length > 0;
    const undecided = refused || error instanceof Inconclusive || error instanceof Unsupported;
    reporter.finish(index, undecided ? "skipped" : "failed", error);
  };
  const waiting = [...jobs];
  const crowded: CheckJob[] = [];
  const beside = together && jobs.length > 1;
  const work = async (): Promise<void> => {
    for (let job = waiting.shift(); job; job = waiting.shift()) {
      try {
        await check(job);
      } catch (error) {
        if (beside && error instanceof DoesNotFit) crowded.push(job);
        else failed(job, error);
      }
    }
  };
  reporter.together = beside;
  await Promise.all(Array.from({ length: beside ? TOGETHER : 1 }, work));
  reporter.together = false;
  for (const job of crowded) await check(job).catch((error) => failed(job, error));
}
