/** Conformance cases in the worker process. */

import { configure } from "../../kernels/define.js";
import { DoesNotFit, Unsupported, UsageError } from "../../kernels/device/errors.js";
import type { Gpu } from "../../kernels/device/gpu.js";
import { type Case, checkCase, Inconclusive } from "../verify/case.js";
import { cases } from "../verify/cases.js";
import { Harness } from "../verify/harness.js";
import { typeFor } from "../verify/variants.js";
import type { CheckSpec } from "./protocol.js";
import type { Reporter } from "./reporter.js";

/**
 * The cases one after another. Finished rounds of a case are reported, so that the watchdog does not take many rounds for a
 * hang.
 */
export async function runChecks(
  gpu: Gpu,
  jobs: readonly { readonly index: number; readonly spec: CheckSpec }[],
  reporter: Reporter,
  from: readonly Pick<Case, "name" | "check" | "random">[] = cases,
): Promise<void> {
  for (const { index, spec } of jobs) {
    const working = (): void => reporter.phase(index, "verify");
    working();
    const before = Harness.operations;
    try {
      const type = configure(typeFor(spec), spec.params);
      const found = from.find(({ name }) => name === spec.name);
      if (!found) throw new Error(`no case ${spec.name}`);
      await checkCase(found, gpu, type, spec.rounds, working);
      reporter.finish(index, "ok", "", Harness.operations - before);
    } catch (error) {
      // Some parameters exclude operations, and some devices exclude sizes and kernels.
      const ofParams = error instanceof UsageError || error instanceof DoesNotFit;
      const refused = ofParams && Object.keys(spec.params).length > 0;
      const undecided = refused || error instanceof Inconclusive || error instanceof Unsupported;
      reporter.finish(index, undecided ? "skipped" : "failed", error);
    }
  }
}
