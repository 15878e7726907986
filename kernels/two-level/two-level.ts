import { EMPTY, fillStep, groupsFor, variant } from "../common/steps.js";
import { UsageError } from "../device/errors.js";
import type { Gpu, Kernel, Step } from "../device/gpu.js";
import type { GpuTable, Lookups, OpResult, Pairs, RunSteps, TableOptions, TableType } from "../table.js";
import { buildInAttempts } from "./attempts.js";
import { BUCKET_KEYS, BUCKET_SLOTS, BucketPhases, bucketsFor, drawBuckets, phaseBytes, USUAL_KEYS } from "./buckets.js";

const PAIR_BYTES = 8;
const MAX_LOAD_FACTOR = USUAL_KEYS / BUCKET_SLOTS;

/** Alcantara's two-level cuckoo table of 2009. See README.md. */
export const twoLevel: TableType = {
  id: "two-level",
  title: "Two-level cuckoo",
  source: "Alcantara et al., SIGGRAPH Asia 2009",
  ops: ["insert", "find"],
  maxLoadFactor: MAX_LOAD_FACTOR,
  duplicates: false,
  incremental: false,
  parameters: [],
  access: (op) =>
    op === "find"
      ? { pattern: "lookup8", why: "one 8-byte slot, the key, the result (the bucket's seed not counted)" }
      : { pattern: "write8", why: "one random 8-byte write, into the order of the buckets" },
  bytes: (n, loadFactor) => {
    const buckets = bucketsFor(n, loadFactor);
    return buckets * (BUCKET_SLOTS * PAIR_BYTES + 4) + phaseBytes(n, buckets);
  },
  create: createTwoLevel,
};

async function createTwoLevel(gpu: Gpu, { n, loadFactor, seed, counting }: TableOptions): Promise<GpuTable> {
  if (loadFactor > MAX_LOAD_FACTOR + 1e-3) {
    throw new UsageError(`two-level: load factor ${loadFactor} is beyond its ${MAX_LOAD_FACTOR.toFixed(3)}`);
  }
  const buckets = bucketsFor(n, loadFactor);
  const kernel = (file: string, entry: string, conditions = {}) => {
    const sizes = { buckets };
    return variant(gpu, { file: `kernels/two-level/${file}.wgsl`, entry, sizes, conditions }, counting);
  };
  const table = await gpu.alloc("two-level table", buckets * BUCKET_SLOTS * PAIR_BYTES);
  const seeds = await gpu.alloc("two-level seeds", buckets * 4);
  const status = await gpu.alloc("status", 16);
  const [phases, fill, build, find] = await Promise.all([
    BucketPhases.make(gpu, buckets, { most: BUCKET_KEYS, counting }),
    fillStep(gpu, table, EMPTY),
    kernel("build", "build", { COOPERATIVE: true }),
    kernel("find", "main"),
  ]);
  return new TwoLevel(gpu, phases, { fill, build, find }, { table, seeds, status }, buckets, seed);
}

class TwoLevel implements GpuTable {
  private readonly parameters: GPUBuffer;

  constructor(
    private readonly gpu: Gpu,
    private readonly phases: BucketPhases,
    private readonly kernels: {
      readonly fill: Step;
      readonly build: Kernel;
      readonly find: Kernel;
    },
    private readonly buffers: Readonly<Record<"table" | "seeds" | "status", GPUBuffer>>,
    private readonly buckets: number,
    private readonly seed: number,
  ) {
    this.parameters = gpu.uniform([0, ...drawBuckets(seed, 0)]);
  }

  get slots(): number {
    return this.buckets * BUCKET_SLOTS;
  }

  get bytes(): number {
    return this.slots * PAIR_BYTES + this.buckets * 4;
  }

  /** A build writes every slot, so only searches before it need this. */
  async clear(): Promise<void> {
    await this.gpu.run([this.kernels.fill]);
  }

  async insert(run: RunSteps, input: Pairs): Promise<OpResult> {
    const { table, seeds, status } = this.buffers;
    const { gpu, parameters, seed } = this;
    const { steps, items } = await this.phases.steps(input, parameters, status);
    const bindings = { 0: table, 1: this.phases.starts, 3: parameters, 4: status, 6: items, 7: seeds };
    const all = [...steps, { kernel: this.kernels.build, bindings, groups: this.buckets }];
    const { result } = await buildInAttempts(gpu, run, all, { parameters, status, n: input.n, seed });
    return result;
  }

  async find(run: RunSteps, { keys, results, n }: Lookups): Promise<OpResult> {
    this.gpu.write(this.parameters, 0, Uint32Array.of(n));
    const { table, seeds } = this.buffers;
    const bindings = { 0: table, 1: keys, 2: results, 3: this.parameters, 7: seeds };
    const { ns } = await run([{ kernel: this.kernels.find, bindings, groups: groupsFor(n) }]);
    return { ns, count: 0, restarts: 0 };
  }

  destroy(): void {
    this.phases.destroy();
    for (const buffer of [...Object.values(this.buffers), this.parameters]) buffer.destroy();
  }
}
