/** The sample of rows by which group-bys and joins choose (sample.wgsl). */
import { EMPTY, groupsFor, PAIR_BYTES } from "../common/steps.js";
import { dispatch } from "../device/bind.js";
import type { Owner } from "../device/owned.js";
import { STATUS_BYTES, statusOf } from "../device/status.js";
import type { RunSteps } from "../table.js";
import { FEW, HOT, SAMPLED, type Sample } from "./plan.js";

/** Of hashes, where no other is given. */
export const SEED = 0x9e3779b9;
const SAMPLE_SLOTS = 2 ** 16;

/** @param seed of the hashes */
export async function makeSampling(gpu: Owner, seed: number) {
  const said = await gpu.alloc("status of a sample", STATUS_BYTES + 16);
  const sampled = await gpu.alloc("sampled keys", SAMPLE_SLOTS * PAIR_BYTES);
  const few = await gpu.alloc("few keys", FEW * 4);
  const hot = await gpu.alloc("frequent keys", HOT * 4);
  gpu.write(
    sampled,
    0,
    Uint32Array.from({ length: 2 * SAMPLE_SLOTS }, (_, i) => (i % 2 === 0 ? EMPTY : 0)),
  );
  const source = { file: "kernels/group-by/sample.wgsl", bound: { said, sampled, few, hot } };
  const [count, summarise] = await Promise.all([
    gpu.kernel({ ...source, takes: ["keys", "plan"] }),
    gpu.kernel({ ...source, entry: "summarise", takes: ["plan"] }),
  ]);
  return {
    /** The first keys that were seen, FEW at most. */
    few,
    /** The keys that are frequent, HOT at most. */
    hot,
    async sample(
      run: RunSteps,
      { keys, n }: { keys: GPUBuffer; n: number },
    ): Promise<Sample & { readonly ns: number }> {
      const plan = { rows: n, shift: 0, seed, room: 0 };
      const { ns, status } = await run(
        [dispatch(count, groupsFor(SAMPLED), { keys, plan }), dispatch(summarise, groupsFor(SAMPLE_SLOTS), { plan })],
        said,
      );
      const { distinct, changed, left, halted } = statusOf(status);
      return { ns, distinct, once: changed, most: left, hot: Math.min(HOT, halted) };
    },
  };
}
