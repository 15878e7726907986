/** Values of a data set, lookups, and the check of what a table answered. */

import { UsageError } from "../../../kernels/device/errors.js";
import type { Gpu } from "../../../kernels/device/gpu.js";
import { type Owner, scoped } from "../../../kernels/device/owned.js";
import type { shapeOf } from "../../../kernels/operations.js";
import type { Lookups } from "../../../kernels/table.js";
import { firstWrong, poison, runOnce } from "./check.js";
import { type DeviceKeys, digestOf, partsOf } from "./keys.js";
import { order } from "./ordered.js";
import { bitsFor } from "./shuffle.js";

/** Answers of the operation that asked. */
type Answers = ReturnType<typeof shapeOf>["answers"];

/** The kernels of lookups. */
const FILE = "bench/scenarios/workload/lookups.wgsl";

/** Writes the values of this salt: each a function of key and salt, never EMPTY. */
export function writeValues(gpu: Gpu, keys: GPUBuffer, values: GPUBuffer, n: number, salt: number): Promise<void> {
  const bound = { keys, values, plan: { n, salt } };
  return runOnce(gpu, n, { file: "bench/scenarios/workload/values.wgsl", bound });
}

export interface LookupOptions {
  readonly lookups: number;
  /** Exactly round(lookups · positiveRatio) queries ask for a present key. */
  readonly positiveRatio: number;
  readonly seed: number;
  /**
   * Ask for every key of the stream once, in random order (lookups = n, all present), or for every one of the absent pool (lookups = pool,
   * none present), instead of drawing with replacement.
   */
  readonly eachOnce: boolean;
  /** Sorted by key but for the order within blocks of 2^disorder neighbours, in place of random order; of present keys alone. */
  readonly disorder?: number;
}

export type DeviceLookups = Awaited<ReturnType<typeof deviceLookups>>;

/**
 * Queries in random order, room for their answers, and the check of those. Throws DoesNotFit.
 * @param hashed whether there has to be a digest of what is asked for
 */
export async function deviceLookups(gpu: Owner, data: DeviceKeys, options: LookupOptions, hashed = true) {
  const { lookups: n } = options;
  const keys = await gpu.alloc(`${n} queries`, n * 4);
  const results = await gpu.alloc(`${n} results`, n * 4);
  const { keys: present, absent, ranks, inParts } = data;
  await runOnce(gpu, n, {
    file: FILE,
    entry: "ask",
    conditions: { SKEWED: ranks !== undefined, KNOWN: false, COMPUTED: inParts !== undefined },
    bound: {
      plan: planOf(data, options, 0),
      keys: present,
      absent,
      queries: keys,
      ...(inParts && { part: { first: inParts.first, constants: inParts.constants } }),
      ...(ranks && { ranks }),
    },
  });
  if (options.disorder !== undefined) {
    // `check` tells present from absent ones by their place.
    if (options.positiveRatio < 1) throw new UsageError("queries in order are for present keys alone");
    await order(gpu, keys, n, options.disorder, options.seed);
  }
  async function wrongIn(asked: LookupOptions, salt: number, known?: GPUBuffer, answers: Answers = "value") {
    const KNOWN = known !== undefined;
    const found = await firstWrong(gpu, n, {
      file: FILE,
      entry: "check",
      conditions: { SKEWED: KNOWN && ranks !== undefined, KNOWN, COMPUTED: false, NUMBERS: answers !== "value" },
      bound: {
        plan: planOf(data, asked, salt),
        asked: keys,
        answers: results,
        ...(known && { known }),
        ...(ranks && { ranks }),
      },
    });
    if (!found) return "";
    const answer = await found.answerIn(keys, results);
    return `${found.count} of ${n} results are wrong, the first for query ${found.first} (${answer})`;
  }
  return {
    n,
    keys,
    results,
    digest: hashed ? await digestOf(gpu, keys, n) : "",
    /** Overwrites all results, so that an answer which is not written is seen. */
    poison: () => poison(gpu, results),
    /**
     * Compares every result with what was inserted under `salt` or, of a table that refused pairs, with what is `known` of each
     * key by its number. "" if all are right, else one line.
     * @param answers `flag` or `count`: 1 for a key that is there, as every key is stored once, else 0
     */
    check: (salt: number, known?: GPUBuffer, answers?: Answers) => wrongIn(options, salt, known, answers),
    /** Like `check`, after all keys were erased: every result must be EMPTY. */
    checkAllAbsent: () => wrongIn({ ...options, positiveRatio: 0 }, 0),
  };
}

/** What the answers to a data set's keys have to be. */
export interface Expected {
  /** Seed of the lookups. */
  readonly seed: number;
  readonly salt: number;
  /** As `check` of lookups has it. */
  readonly known?: GPUBuffer | undefined;
}

/**
 * Asks for every key of the data set, and for all of its pool of absent ones: the former must be found with their values of
 * `salt`, the latter not at all. "" if they are, else one line. Throws DoesNotFit.
 */
export async function checkEvery(
  gpu: Gpu,
  data: DeviceKeys,
  find: (lookups: Lookups) => Promise<unknown>,
  { seed, salt, known }: Expected,
): Promise<string> {
  const parts = partsOf(data).map((part) => ({ data: part, lookups: part.n, positiveRatio: 1 }));
  for (const { data: of, ...asked } of [...parts, { data, lookups: data.pool, positiveRatio: 0 }]) {
    const wrong = await scoped(gpu, async (own) => {
      const lookups = await deviceLookups(own, of, { ...asked, seed, eachOnce: true }, false);
      await lookups.poison();
      await find(lookups);
      return lookups.check(salt, known);
    });
    if (wrong) return wrong;
  }
  return "";
}

/** The plan of lookups.wgsl. */
function planOf({ n, pool }: DeviceKeys, { lookups, positiveRatio, seed, eachOnce }: LookupOptions, salt: number) {
  return {
    lookups,
    positives: Math.round(lookups * positiveRatio),
    bits: bitsFor(lookups),
    seed,
    n,
    pool,
    salt,
    each_once: eachOnce ? 1 : 0,
    key_bits: bitsFor(n),
  };
}
