/** Runs an operation several times in one timed pass. */
import type { Gpu } from "../../kernels/device/gpu.js";
import type { RunSteps } from "../../kernels/table.js";

/** The status word of failures: several runs raise the same. */
const FAILED = 3;

/**
 * A runner whose nanoseconds are those of one of `repetitions` equal runs, side by side in one pass. Throws an Error if the
 * steps count in their status: after several runs the sum is that of all of them.
 */
export function repeating(gpu: Pick<Gpu, "time">, repetitions: number): RunSteps {
  if (repetitions === 1) return (...pass) => gpu.time(...pass);
  return async (steps, ...read) => {
    const { ns, ...said } = await gpu.time(Array.from({ length: repetitions }, () => steps).flat(), ...read);
    if (said.status.some((word, i) => word !== 0 && i !== FAILED))
      throw new Error("an operation that counts in its status cannot be repeated in one pass");
    return { ns: ns / repetitions, ...said };
  };
}
