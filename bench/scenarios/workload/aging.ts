/** Rounds of searches, erasures and insertions on a table that keeps its number of keys, on the device, and the check of the answers. */
import { keyConstants } from "../../../datasets/random.js";
import { step } from "../../../kernels/common/bulk.js";
import { UsageError } from "../../../kernels/device/errors.js";
import type { Gpu } from "../../../kernels/device/gpu.js";
import { deferred, type Owner } from "../../../kernels/device/owned.js";
import type { Erasures, Lookups, MixedBatch, Pairs } from "../../../kernels/table.js";
import { firstWrong, poison, poisonStep, runOnce } from "./check.js";
import { type MixedBuffers, mixedBuffers } from "./mixed.js";
import { valuesStep, writeValues } from "./workload.js";

const FILE = "bench/scenarios/workload/aging.wgsl";
/** Numbers of keys that are never inserted begin here: NEVER of bench/scenarios/workload/aging.wgsl. */
const NEVER = 0xf0000000;

export interface AgingOptions {
  /** Keys in the table before and after every round. */
  readonly live: number;
  /** Operations of each of the four kinds in a round. */
  readonly batch: number;
  readonly seed: number;
  /** All operations of a round in one dispatch, in random order; else a dispatch a kind. */
  readonly mixed: boolean;
}

/** A round's operations, by kind. */
interface AgingRound {
  readonly present: Lookups;
  readonly absent: Lookups;
  readonly oldest: Erasures;
  readonly newest: Pairs;
}

export class DeviceAging {
  private constructor(
    private readonly gpu: Gpu,
    private readonly options: AgingOptions,
    /** Of all operations of a round. */
    private readonly all: MixedBuffers,
    /** Of one kind: present, absent, oldest, newest. */
    private readonly kinds: readonly GPUBuffer[],
    private readonly kindResults: readonly GPUBuffer[],
    private readonly newestValues: GPUBuffer,
  ) {}

  /** Throws DoesNotFit, or a UsageError for sizes that do not go together. */
  static async make(gpu: Owner, options: AgingOptions): Promise<DeviceAging> {
    const { live, batch, mixed } = options;
    if (live < 2 * batch) throw new UsageError(`a round erases ${batch} keys of ${live} and searches for others`);
    const all = await mixedBuffers(gpu, 4 * batch);
    const each = async (name: string, count: number) => {
      const made: GPUBuffer[] = [];
      for (let i = 0; i < (mixed ? 0 : count); i++) made.push(await gpu.alloc(`${batch} ${name}`, batch * 4));
      return made;
    };
    const kinds = await each("keys of a kind", 4);
    const results = await each("results of a kind", 2);
    const [newestValues = all.values] = await each("new values", 1);
    return new DeviceAging(gpu, options, all, kinds, results, newestValues);
  }

  /** Bytes of the operations. */
  static bytes({ batch, mixed }: AgingOptions): number {
    return 4 * batch * (16 + (mixed ? 0 : 7));
  }

  /** Of aging.wgsl. */
  private plan(of: { round?: number; salt?: number; first?: number; count?: number; present?: number }) {
    const { batch, live, seed, mixed } = this.options;
    const { round = 0, salt = 0, first = 0, count = 0, present = 0 } = of;
    const constants = keyConstants(seed);
    return { constants, batch, live, round, seed, salt, mixed: mixed ? 1 : 0, first, count, present };
  }

  /** Writes the operations of a round, and overwrites all results, with what is submitted next. */
  async fill(round: number, salt: number): Promise<void> {
    const { gpu, all, options } = this;
    const { batch, live } = options;
    if (live + (round + 1) * batch > NEVER) throw new UsageError(`round ${round}: there are no more keys`);
    const bound = { plan: this.plan({ round }), kinds: all.kinds, keys: all.keys };
    const bytes = 4 * batch;
    const apart = [
      ...this.kinds.map((to, kind) => ({ from: all.keys, fromOffset: kind * bytes, to, bytes })),
      { from: all.values, fromOffset: 3 * bytes, to: this.newestValues, bytes },
    ];
    await deferred(gpu, async (own) => {
      const filling = await own.kernel({ file: FILE, entry: "fill", bound, takes: [] });
      const results = [all.results, ...this.kindResults];
      return [
        step(filling, 4 * batch, {}),
        await valuesStep(own, all.keys, all.values, 4 * batch, salt),
        ...(options.mixed ? [] : apart),
        ...(await Promise.all(results.map((answers) => poisonStep(gpu, answers)))),
      ];
    });
  }

  /** The round that was filled, in one slice. */
  get mixed(): MixedBatch {
    return { ...this.all, slices: [{ first: 0, count: 4 * this.options.batch }] };
  }

  /** The round that was filled, by kinds. */
  get byKind(): AgingRound {
    const { batch: n } = this.options;
    const [present, absent, oldest, newest] = this.kinds;
    const [found, missed] = this.kindResults;
    if (!present || !absent || !oldest || !newest || !found || !missed) throw new Error("the rounds are mixed");
    return {
      present: { keys: present, results: found, n },
      absent: { keys: absent, results: missed, n },
      oldest: { keys: oldest, n },
      newest: { keys: newest, values: this.newestValues, n },
    };
  }

  /** Compares the answers of a round. "" if all are right, else one line. */
  async check(round: number, salt: number): Promise<string> {
    const { gpu, all, options } = this;
    const { batch, mixed } = options;
    const count = mixed ? 4 * batch : 2 * batch;
    if (!mixed) {
      await gpu.submit(
        this.kindResults.map((from, kind) => ({ from, to: all.results, toOffset: 4 * kind * batch, bytes: 4 * batch })),
      );
    }
    return this.compare("check", { round, salt, count });
  }

  /**
   * Does `work` with keys first … first + count - 1 of the stream, in parts that fit the buffers of a round. The first
   * complaint, or "".
   */
  private async parts(
    first: number,
    count: number,
    work: (part: { first: number; count: number }) => Promise<string>,
  ): Promise<string> {
    const { gpu, all, options } = this;
    const most = 4 * options.batch;
    for (let at = first; at < first + count; at += most) {
      const part = { first: at, count: Math.min(most, first + count - at) };
      await runOnce(gpu, part.count, { file: FILE, entry: "ask", bound: { plan: this.plan(part), keys: all.keys } });
      const wrong = await work(part);
      if (wrong) return wrong;
    }
    return "";
  }

  /** Inserts the keys that are in the table before the first round. */
  async begin(insert: (pairs: Pairs) => Promise<unknown>, salt: number): Promise<void> {
    const { gpu, all, options } = this;
    await this.parts(0, options.live, async ({ count }) => {
      await writeValues(gpu, all.keys, all.values, count, salt);
      await insert({ keys: all.keys, values: all.values, n: count });
      return "";
    });
  }

  /** Before the round, every key that then is in the table is found with its value, and none of those erased last. */
  async checkAll(round: number, find: (lookups: Lookups) => Promise<unknown>, salt: number): Promise<string> {
    const { gpu, all, options } = this;
    const { batch, live } = options;
    const asking = (present: number) => async (part: { first: number; count: number }) => {
      await poison(gpu, all.results);
      await find({ keys: all.keys, results: all.results, n: part.count });
      return this.compare("check_keys", { ...part, salt, present });
    };
    const lost = await this.parts(round * batch, live, asking(1));
    if (lost) return lost;
    const erased = Math.min(round * batch, 4 * batch);
    return this.parts(round * batch - erased, erased, asking(0));
  }

  private async compare(
    entry: "check" | "check_keys",
    of: Parameters<DeviceAging["plan"]>[0] & { count: number },
  ): Promise<string> {
    const { keys, results } = this.all;
    const bound = { plan: this.plan(of), asked: keys, answers: results };
    const found = await firstWrong(this.gpu, of.count, { file: FILE, entry, bound });
    if (!found) return "";
    const answer = await found.answerIn(keys, results);
    return `${found.count} of ${of.count} results are wrong, the first is number ${found.first} (${answer})`;
  }
}
