/**
 * Alcantara's cuckoo table in the host's memory, by host rounds: one for every eviction of the longest chain, one for every
 * function that a search has to ask. Times are the host's clock around a whole operation.
 */

import { type Attempt, inAttempts } from "../common/bulk.js";
import { PAIR_BYTES } from "../common/steps.js";
import { fixed } from "../declare.js";
import { defineTable } from "../define.js";
import type { Bindings, Gpu } from "../device/gpu.js";
import { HostMemory } from "../out-of-core/host-memory.js";
import type { Traffic } from "../out-of-core/pcie.js";
import { type Dispatch, type PartName, Rounds, roundsBytes, timed, type Work } from "../out-of-core/rounds.js";
import type { GpuTable, Lookups, MixedBatch, OpResult, Pairs, RunSteps, TableType } from "../table.js";
import { cuckoo, cuckooTraits, type Layout, layoutOf, parameters } from "./cuckoo.js";
import { type Functions, functionsFor, hashConditions } from "./functions.js";

/** Its retrievals are rounds of other kernels. */
const inHost = fixed(parameters, { workgroup: 256, largePrime: false, hash: "xor" });

/** The table with its pairs in host memory. What its operations move is added to `traffic`. */
export function hostCuckoo(traffic: Traffic): TableType {
  return defineTable({
    ...cuckoo.description,
    parameters: inHost,
    hostMemory: true,
    configure(given) {
      const params = inHost.of(given);
      const traits = cuckooTraits(params);
      return {
        ...traits,
        bytes: (n, loadFactor) => traits.bytes(n, loadFactor) + roundsBytes(n, PAIR_BYTES),
        async create(gpu, { n, loadFactor, seed }) {
          const layout = layoutOf({ n, loadFactor }, params);
          const memory = new HostMemory(layout.slots, 1, 1);
          return new HostCuckoo(gpu, memory, await Rounds.make(gpu, n, 4, 4), layout, seed, traffic);
        },
      };
    },
  });
}

class HostCuckoo implements GpuTable {
  /** Nothing was inserted since the table was cleared: what is inserted next may start again with other functions. */
  private vacant = false;
  /** Of the build that stands. */
  private functions: Functions;

  constructor(
    private readonly gpu: Gpu,
    private readonly memory: HostMemory,
    private readonly rounds: Rounds,
    private readonly layout: Layout,
    private readonly seed: number,
    private readonly traffic: Traffic,
  ) {
    this.functions = this.draw(0);
  }

  get slots(): number {
    return this.layout.slots;
  }

  get bytes(): number {
    return this.memory.bytes;
  }

  async clear(): Promise<void> {
    this.memory.clear();
    this.vacant = true;
  }

  async insert(_run: RunSteps, { keys, values, n }: Pairs): Promise<OpResult> {
    const insertion = await this.insertion(keys, values);
    return this.attempts(n, async () => {
      this.traffic.rounds += await this.rounds.run(insertion.work, 0, n);
      return insertion.take();
    });
  }

  async find(_run: RunSteps, { keys, results, n }: Lookups): Promise<OpResult> {
    const work = await this.retrieval(keys, results);
    const ns = await timed(this.gpu, async () => {
      this.traffic.rounds += await this.rounds.run(work, 0, n);
    });
    return { ns, count: 0, restarts: 0 };
  }

  /**
   * A slice's insertions, then its retrievals. Throws an Error if a chain was too long and the table had pairs before: it is
   * broken, and wants to be cleared.
   */
  async mixed(_run: RunSteps, batch: MixedBatch): Promise<OpResult> {
    const insertion = await this.insertion(batch.keys, batch.values, batch);
    const retrieval = await this.retrieval(batch.keys, batch.results, batch.kinds);
    const slices = async (): Promise<Outcome> => {
      const sum = { failed: 0, refused: 0 };
      for (const { first, count, only } of batch.slices) {
        if (only !== "find") this.traffic.rounds += await this.rounds.run(insertion.work, first, count);
        const { failed, refused } = insertion.take();
        sum.failed += failed;
        sum.refused += refused;
        // Pairs are lost: the rest is of no use.
        if (sum.failed > 0) break;
        if (only !== "insert") this.traffic.rounds += await this.rounds.run(retrieval, first, count);
      }
      return sum;
    };
    const n = batch.slices.reduce((sum, { count }) => sum + count, 0);
    if (this.vacant) return this.attempts(n, slices);
    const { ns, count, failed } = await attempt(this.gpu, slices);
    if (failed) throw new Error("cuckoo: chains were too long, and their last pairs are lost");
    return { ns, count, restarts: 0 };
  }

  /** Works on the empty table until no chain is too long; at last gives up all n. */
  private attempts(n: number, work: () => Promise<Outcome>): Promise<OpResult> {
    this.vacant = false;
    return inAttempts(n, (number) =>
      attempt(this.gpu, () => {
        if (number > 0) this.memory.clear();
        this.functions = this.draw(number);
        return work();
      }),
    );
  }

  /** Insertions, of a batch if there is one; `take` gives what has become of them since it was called last. */
  private async insertion(
    keys: GPUBuffer,
    values: GPUBuffer,
    batch?: MixedBatch,
  ): Promise<{ work: Work; take: () => Outcome }> {
    let sum = { failed: 0, refused: 0 };
    const take = (): Outcome => {
      const taken = sum;
      sum = { failed: 0, refused: 0 };
      return taken;
    };
    const bound = { keys, values, ...(batch && { kinds: batch.kinds, results: batch.results }) };
    const work: Work = {
      ask: await this.dispatch("host-insert", "ask", bound, ["range", "asked"]),
      requests: {
        resume: await this.dispatch("host-insert", "resume", bound, ANSWERED),
        bound: this.layout.chain,
        answer: (jobs, k, v) => {
          this.traffic.exchange(this.memory.exchange(jobs, k, v), PAIR_BYTES);
        },
      },
      tally: ({ failed, refused }) => {
        sum.failed += failed;
        sum.refused += refused;
      },
    };
    return { work, take };
  }

  private async retrieval(keys: GPUBuffer, results: GPUBuffer, kinds?: GPUBuffer): Promise<Work> {
    const bound = { keys, results, ...(kinds && { kinds }) };
    return {
      ask: await this.dispatch("host-find", "ask", bound, ["range", "asked"]),
      requests: {
        resume: await this.dispatch("host-find", "resume", bound, ANSWERED),
        bound: this.layout.functions,
        answer: (jobs, k, v) => this.traffic.read(this.memory.load(jobs, k, v), PAIR_BYTES),
      },
    };
  }

  private async dispatch(name: string, entry: string, bound: Bindings, part: readonly PartName[]): Promise<Dispatch> {
    const { slots, functions, earlyExit } = this.layout;
    const kernel = await this.gpu.kernel({
      file: `kernels/cuckoo/${name}.wgsl`,
      entry,
      conditions: { MIXED: "kinds" in bound, EARLY_EXIT: earlyExit, ...hashConditions(slots) },
      constants: { FUNCTIONS: functions },
      sizes: { slots },
      bound,
      takes: ["f", ...part],
    });
    return { kernel, own: () => ({ f: this.functions }) };
  }

  private draw(attempt: number): Functions {
    // The kernels take the number of items from the range of their part.
    return { n: 0, ...functionsFor(this.layout.chain, this.seed, attempt) };
  }
}

/** What a dispatch binds that goes on with the host's answers. */
const ANSWERED = ["waiting", "asked", "found_keys", "found_values"] as const;

/** Chains that were too long, and reserved keys. */
interface Outcome {
  readonly failed: number;
  readonly refused: number;
}

async function attempt(gpu: Gpu, work: () => Promise<Outcome>): Promise<Attempt> {
  let outcome: Outcome = { failed: 0, refused: 0 };
  const ns = await timed(gpu, async () => {
    outcome = await work();
  });
  return { ns, failed: outcome.failed > 0, count: outcome.refused };
}
