/** Which pairs of an input are in a table that may refuse some. */
import { EMPTY } from "../../../kernels/common/steps.js";
import { type Owner, scoped } from "../../../kernels/device/owned.js";
import type { Lookups } from "../../../kernels/table.js";
import { poison, runOnce } from "./check.js";
import type { DeviceKeys } from "./keys.js";

export interface Insertion {
  /** The number of pairs that were inserted, the first of the input … */
  readonly inserted: number;
  /** … and of pairs that the table says it refused. */
  readonly refused: number;
  readonly salt: number;
}

/** What the table answers for every key of the input, in its order, and "" if that is right, else one line. */
export interface Stored {
  readonly answers: GPUBuffer;
  readonly wrong: string;
}

/**
 * Asks for every key of the input, whose keys are all different. Right: the value of each pair that was inserted, or EMPTY, and
 * EMPTY for as many of them as the table says; EMPTY for the others.
 * @param gpu Owns the answers.
 */
export async function findStored(
  gpu: Owner,
  { keys, n }: DeviceKeys,
  { inserted, refused, salt }: Insertion,
  find: (lookups: Lookups) => Promise<unknown>,
): Promise<Stored> {
  const answers = await gpu.alloc(`${n} answers`, n * 4);
  await poison(gpu, answers);
  await find({ keys, results: answers, n });
  const wrong = await scoped(gpu, async (own) => {
    const stored = await own.alloc("verdict", 16);
    own.write(stored, 0, Uint32Array.of(0, EMPTY, 0));
    const bound = { keys, answers, plan: { n, inserted, salt }, stored };
    await runOnce(own, n, { file: "bench/scenarios/workload/stored.wgsl", bound });
    const [bad = 0, first = 0, missing = 0] = await own.read(stored, 3);
    if (bad > 0) return `${bad} of ${n} keys have wrong answers, the first is number ${first}`;
    return missing === refused ? "" : `${missing} of ${inserted} pairs are missing, and the table refused ${refused}`;
  });
  return { answers, wrong };
}
