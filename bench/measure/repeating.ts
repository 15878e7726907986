/** Runs an operation several times in one timed pass. */
import type { Gpu } from "../../kernels/device/gpu.js";
import type { RunSteps } from "../../kernels/table.js";

/**
 * A runner whose nanoseconds are those of one of `repetitions` equal runs, side by side in one pass. Throws an Error for
 * steps with a status: a kernel adds to its status, and after several runs the sum would be that of all of them.
 */
export function repeating(gpu: Pick<Gpu, "time">, repetitions: number): RunSteps {
  if (repetitions === 1) return (steps, status) => gpu.time(steps, status);
  return async (steps, status) => {
    if (status) throw new Error("an operation that counts in its status cannot be repeated in one pass");
    const { ns, status: none } = await gpu.time(Array.from({ length: repetitions }, () => steps).flat());
    return { ns: ns / repetitions, status: none };
  };
}
