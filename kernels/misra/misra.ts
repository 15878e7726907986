/** The class of Misra and Chaudhuri's set. See README.md. */

import { type Said, Status, step } from "../common/bulk.js";
import { EMPTY, fillStep, inCache, lazily, variant } from "../common/steps.js";
import { declare, integer } from "../declare.js";
import { defineTable } from "../define.js";
import { DoesNotFit } from "../device/errors.js";
import type { Step } from "../device/gpu.js";
import type { Owner } from "../device/owned.js";
import type {
  Erasures,
  GpuTable,
  Lookups,
  Making,
  MixedBatch,
  Occupancy,
  OpResult,
  Pairs,
  RunSteps,
} from "../table.js";

const [KEY_BYTES, LINK_BYTES] = [4, 4];
/** Links are of 31 bits; the largest is the end of a list (list.wgsl). */
const MAX_NODES = 2 ** 31 - 2;

const parameters = declare({
  buckets: integer(0, 2 ** 30, {
    default: 0,
    size: true,
    meaning: "linked lists; 0: as many as keys that the table is sized for",
  }),
});

export const misra = defineTable({
  id: "misra",
  title: "Misra",
  source: "Misra & Chaudhuri, Lock-free Data Structures on GPUs, ICPADS 2012; as in Ashkiani et al., IPDPS 2018, VI.C",
  parameters,
  configure: ({ buckets }) => ({
    ops: ["insert", "find", "erase", "mixed"],
    answers: "member",
    maxLoadFactor: 1,
    duplicates: true,
    incremental: true,
    access(op) {
      if (op === "find")
        return { pattern: "lookup8", why: "one node, the key, the result (the list's head not counted)" };
      if (op === "erase") return { pattern: "and", why: "one random 32-bit AND, which marks the node" };
      return { pattern: "cas", why: "one random 32-bit CAS of a link (the node itself not counted)" };
    },
    bytes: (n, loadFactor) => bytesOf(layoutOf(n, n, loadFactor, buckets)),
    create: (gpu, making) => createMisra(gpu, making, buckets),
  }),
});

interface Layout {
  readonly buckets: number;
  readonly nodes: number;
}

/** A node for every planned insertion, and the more, the lower the load factor. */
function layoutOf(n: number, insertions: number, loadFactor: number, buckets: number): Layout {
  const nodes = Math.max(1, Math.ceil(Math.max(n, insertions) / loadFactor));
  return { nodes, buckets: buckets || Math.max(1, n) };
}

/** Heads, and nodes; one word between them where the number of heads is odd, so that a node lies in one sector. */
function bytesOf({ buckets, nodes }: Layout): number {
  return baseOf(buckets) * LINK_BYTES + nodes * (KEY_BYTES + LINK_BYTES);
}

/** Words before the first node. */
function baseOf(buckets: number): number {
  return buckets + (buckets % 2);
}

async function createMisra(gpu: Owner, { n, insertions = n, loadFactor, counting }: Making, buckets: number) {
  const layout = layoutOf(n, insertions, loadFactor, buckets);
  if (layout.nodes > MAX_NODES) throw new DoesNotFit(`misra: ${layout.nodes} nodes; links take up to ${MAX_NODES}`);
  const words = await gpu.alloc("misra", bytesOf(layout));
  const taken = await gpu.alloc("misra nodes taken", 4);
  const status = await Status.make(gpu);
  const kernels = kernelsOf(gpu, layout, { words, taken, status: status.buffer }, counting);
  return new Misra(gpu, layout, taken, status, kernels, await fillStep(gpu, words, EMPTY));
}

type Kernels = ReturnType<typeof kernelsOf>;

function kernelsOf(gpu: Owner, layout: Layout, bound: Readonly<Record<string, GPUBuffer>>, counting: boolean) {
  const sizes = { buckets: layout.buckets, base: baseOf(layout.buckets) };
  const source = { file: "kernels/misra/misra.wgsl", sizes, bound, fixed: inCache(bytesOf(layout)) };
  const kernel = <Takes extends string>(entry: string, takes: readonly Takes[]) =>
    lazily(() => variant(gpu, { ...source, entry, takes }, counting));
  return {
    insert: kernel("insert_keys", ["keys", "batch"]),
    find: kernel("find_keys", ["keys", "results", "batch"]),
    erase: kernel("erase_keys", ["keys", "batch"]),
    mixed: kernel("mixed", ["kinds", "keys", "results", "batch"]),
    countKeys: kernel("count_keys", []),
  };
}

class Misra implements GpuTable {
  readonly nodes = { grow: false, occupancy: () => this.occupancy() };

  constructor(
    private readonly gpu: Owner,
    private readonly layout: Layout,
    private readonly taken: GPUBuffer,
    private readonly status: Status,
    private readonly kernels: Kernels,
    private readonly fill: Step,
  ) {}

  /** Nodes: keys that can be inserted before the table is cleared. */
  get slots(): number {
    return this.layout.nodes;
  }

  get bytes(): number {
    return bytesOf(this.layout);
  }

  async clear(): Promise<void> {
    await this.gpu.run([this.fill]);
    await this.gpu.zero(this.taken);
  }

  async insert(run: RunSteps, { keys, n, first = 0 }: Pairs): Promise<OpResult> {
    const insert = step(await this.kernels.insert(), n, { keys, batch: this.batch(first, n) });
    const { ns, said } = await this.run(run, [insert]);
    return { ns, count: said.refused, restarts: 0, distinct: said.distinct };
  }

  async find(run: RunSteps, { keys, results, n }: Lookups): Promise<OpResult> {
    const find = step(await this.kernels.find(), n, { keys, results, batch: this.batch(0, n) });
    const { ns } = await this.run(run, [find]);
    return { ns, count: 0, restarts: 0 };
  }

  async erase(run: RunSteps, { keys, n }: Erasures): Promise<OpResult> {
    const erase = step(await this.kernels.erase(), n, { keys, batch: this.batch(0, n) });
    const { ns, said } = await this.run(run, [erase]);
    return { ns, count: said.changed, restarts: 0 };
  }

  async mixed(run: RunSteps, { kinds, keys, results, slices }: MixedBatch): Promise<OpResult> {
    const mixed = await this.kernels.mixed();
    const steps = slices.map(({ first, count }) =>
      step(mixed, count, { kinds, keys, results, batch: this.batch(first, count) }),
    );
    const { ns, said } = await this.run(run, steps);
    return { ns, count: said.refused, restarts: 0 };
  }

  /** Of the nodes that were taken; the heads are memory in use, too. */
  private async occupancy(): Promise<Occupancy> {
    const { gpu, layout } = this;
    const count = step(await this.kernels.countKeys(), layout.buckets, {});
    const { said } = await this.run((...pass) => gpu.time(...pass), [count]);
    const [taken = 0] = await gpu.read(this.taken, 1);
    const nodes = Math.min(taken, layout.nodes);
    const pairs = said.distinct;
    const bytes = bytesOf({ ...layout, nodes });
    return { pairs, lists: layout.buckets, nodes, perNode: 1, bytes, utilisation: (pairs * KEY_BYTES) / bytes };
  }

  private batch(first: number, count: number) {
    return { first, count, nodes: this.layout.nodes, zero: 0 };
  }

  /** Throws an Error if a lane reached a bound. */
  private async run(run: RunSteps, steps: readonly Step[]): Promise<Said> {
    const result = await this.status.run(run, steps);
    const { bound } = result.said;
    if (bound) throw new Error(`misra: ${bound} operations went along lists without an end`);
    return result;
  }
}
