/** SEARCHALL: all values of keys, of tables in which a key has several. */
import { PrefixSum } from "../common/scan.js";
import { lazily } from "../common/steps.js";
import type { Step } from "../device/gpu.js";
import type { Owner } from "../device/owned.js";
import type { Found, Lookups, RunSteps } from "../table.js";
import type { Kernels } from "./kernels.js";

/** @param pass Runs steps, and looks at what they say. */
export function makeFindAll(
  gpu: Owner,
  kernels: Kernels,
  pass: (run: RunSteps, steps: readonly Step[]) => Promise<{ readonly ns: number }>,
) {
  const room = (label: string) => gpu.kept((own, words: number) => own.alloc(label, words * 4));
  const [rooms, lists] = [room("counts of values"), room("list of values")];
  const prefixSum = lazily(() => PrefixSum.make(gpu));
  return async (run: RunSteps, { keys, results, n }: Lookups): Promise<Found> => {
    const scan = await prefixSum();
    const counts = await rooms.get(n + 1);
    const [count, collect] = await Promise.all([kernels.countAll(), kernels.collectAll()]);
    const asked = { queries: keys, n, counts };
    await gpu.zero(counts);
    const counting = await pass(run, [count(n, asked), ...scan.steps(counts, n + 1)]);
    const [total = 0] = await gpu.read(counts, 1, n);
    const list = await lists.get(Math.max(1, total));
    const collecting = await pass(run, [collect(n, { ...asked, ranges: results, list })]);
    return { ns: counting.ns + collecting.ns, count: total, restarts: 0, list };
  };
}
