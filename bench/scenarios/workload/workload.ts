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

/** Queries in random order, room for their answers, and the check of those. */
export class DeviceLookups {
  private constructor(
    private readonly gpu: Gpu,
    private readonly data: DeviceKeys,
    private readonly options: LookupOptions,
    readonly keys: GPUBuffer,
    readonly results: GPUBuffer,
    readonly digest: string,
  ) {}

  get n(): number {
    return this.options.lookups;
  }

  /** Throws DoesNotFit. @param hashed whether there has to be a digest of what is asked for */
  static async make(gpu: Owner, data: DeviceKeys, options: LookupOptions, hashed = true): Promise<DeviceLookups> {
    const { lookups } = options;
    const keys = await gpu.alloc(`${lookups} queries`, lookups * 4);
    const results = await gpu.alloc(`${lookups} results`, lookups * 4);
    const { keys: present, absent, ranks, inParts } = data;
    const plan = planOf(data, options, 0);
    await runOnce(gpu, lookups, {
      file: FILE,
      entry: "ask",
      conditions: { SKEWED: ranks !== undefined, KNOWN: false, COMPUTED: inParts !== undefined },
      bound: {
        plan,
        keys: present,
        absent,
        queries: keys,
        ...(inParts && { part: partOf(inParts) }),
        ...(ranks && { ranks }),
      },
    });
    if (options.disorder !== undefined) {
      // `check` tells present from absent ones by their place.
      if (options.positiveRatio < 1) throw new UsageError("queries in order are for present keys alone");
      await order(gpu, keys, lookups, options.disorder, options.seed);
    }
    const digest = hashed ? await digestOf(gpu, keys, lookups) : "";
    return new DeviceLookups(gpu, data, options, keys, results, digest);
  }

  /** Overwrites all results, so that an answer which is not written is seen. */
  poison(): Promise<void> {
    return poison(this.gpu, this.results);
  }

  /**
   * Compares every result with what was inserted under `salt` or, of a table that refused pairs, with what is `known` of each
   * key by its number. "" if all are right, else one line.
   * @param answers `flag` or `count`: 1 for a key that is there, as every key is stored once, else 0
   */
  async check(salt: number, known?: GPUBuffer, answers: Answers = "value"): Promise<string> {
    return this.checkAs(this.options, salt, known, answers);
  }

  private async checkAs(
    options: LookupOptions,
    salt: number,
    known?: GPUBuffer,
    answers: Answers = "value",
  ): Promise<string> {
    const { n, keys, results, data } = this;
    const { ranks } = data;
    const plan = planOf(data, options, salt);
    const found = await firstWrong(this.gpu, n, {
      file: FILE,
      entry: "check",
      conditions: {
        SKEWED: known !== undefined && ranks !== undefined,
        KNOWN: known !== undefined,
        COMPUTED: false,
        NUMBERS: answers !== "value",
      },
      bound: { plan, asked: keys, answers: results, ...(known && { known }), ...(ranks && { ranks }) },
    });
    if (!found) return "";
    const answer = await found.answerIn(keys, results);
    return `${found.count} of ${n} results are wrong, the first for query ${found.first} (${answer})`;
  }

  /** Like `check`, after all keys were erased: every result must be EMPTY. */
  async checkAllAbsent(): Promise<string> {
    return this.checkAs({ ...this.options, positiveRatio: 0 }, 0);
  }
}

/** What the answers to a data set's keys have to be. */
export interface Expected {
  /** Seed of the lookups. */
  readonly seed: number;
  readonly salt: number;
  /** As `DeviceLookups.check` has it. */
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
      const lookups = await DeviceLookups.make(own, of, { ...asked, seed, eachOnce: true }, false);
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

const partOf = ({ first, constants }: NonNullable<DeviceKeys["inParts"]>) => ({ first, constants });
