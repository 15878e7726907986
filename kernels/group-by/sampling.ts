/** The sample of rows by which group-bys and joins choose (sample.wgsl). */
import { EMPTY, groupsFor, lazily, PAIR_BYTES } from "../common/steps.js";
import { dispatch } from "../device/bind.js";
import type { Kernel } from "../device/gpu.js";
import type { Owner } from "../device/owned.js";
import { STATUS_BYTES, statusOf } from "../device/status.js";
import type { RunSteps } from "../table.js";
import { FEW, SAMPLED, type Sample } from "./plan.js";

/** Of hashes, where no other is given. */
export const SEED = 0x9e3779b9;
const SAMPLE_SLOTS = 2 ** 16;
/** Rows of a lane that counts keys: four for each of LANE_READS of sample.wgsl. */
const LANE_ROWS = 16;

interface KeyRows {
  readonly keys: GPUBuffer;
  readonly n: number;
}

/** @param seed of the hashes */
export async function makeSampling(gpu: Owner, seed: number) {
  const said = await gpu.alloc("status of a sample", STATUS_BYTES + 16);
  const sampled = await gpu.alloc("sampled keys", SAMPLE_SLOTS * PAIR_BYTES);
  const few = await gpu.alloc("few keys", FEW * 4);
  gpu.write(
    sampled,
    0,
    Uint32Array.from({ length: 2 * SAMPLE_SLOTS }, (_, i) => (i % 2 === 0 ? EMPTY : 0)),
  );
  const source = { file: "kernels/group-by/sample.wgsl", bound: { said, sampled, few } };
  const [count, summarise] = await Promise.all([
    gpu.kernel({ ...source, takes: ["keys", "plan"] }),
    gpu.kernel({ ...source, entry: "summarise", takes: ["plan"] }),
  ]);
  const countRange = lazily(() =>
    gpu.kernel({ ...source, entry: "count_range", takes: ["four_keys", "plan", "last"] }),
  );
  /** The rows' keys go to the table by one of these kernels; then it is summarised and emptied. */
  const summarised = async (run: RunSteps, n: number, kernel: Kernel, groups: number, bound: object) => {
    const plan = { rows: n, shift: 0, seed, room: 0 };
    const steps = [
      dispatch(kernel, groups, { plan, ...bound }),
      dispatch(summarise, groupsFor(SAMPLE_SLOTS), { plan }),
    ];
    const { ns, status } = await run(steps, said);
    return { ns, ...statusOf(status) };
  };
  return {
    /** The first keys that were seen, FEW at most. */
    few,
    async sample(run: RunSteps, { keys, n }: KeyRows): Promise<Sample & { readonly ns: number }> {
      const { ns, distinct, changed, left } = await summarised(run, n, count, groupsFor(SAMPLED), { keys });
      return { ns, distinct, once: changed, most: left };
    },
    /** How many groups all rows have, but for a few hundredths: as many times those whose hashes are in one of equal ranges. */
    async count(run: RunSteps, { keys, n }: KeyRows): Promise<{ readonly ns: number; readonly groups: number }> {
      const ranges = 2 ** Math.max(0, Math.floor(Math.log2(n / SAMPLED)));
      const bound = { four_keys: keys, last: 2 ** 32 / ranges - 1 };
      const { ns, distinct } = await summarised(run, n, await countRange(), groupsFor(n / LANE_ROWS), bound);
      return { ns, groups: Math.min(n, ranges * distinct) };
    },
  };
}
