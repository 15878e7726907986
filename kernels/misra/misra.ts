/** The class of Misra and Chaudhuri's set. See README.md. */

import { itemStep, Status } from "../common/bulk.js";
import { EMPTY, fillStep, inCache, variant } from "../common/steps.js";
import { DoesNotFit } from "../device/errors.js";
import type { Kernel, Step } from "../device/gpu.js";
import type { Owner } from "../device/owned.js";
import type {
  Erasures,
  GpuTable,
  Lookups,
  MixedBatch,
  Occupancy,
  OpResult,
  Pairs,
  Params,
  RunSteps,
  TableOptions,
  TableType,
} from "../table.js";

const [KEY_BYTES, LINK_BYTES] = [4, 4];
/** The index after it is END of list.wgsl. */
const MAX_NODES = 2 ** 31 - 2;

export const misra: TableType = {
  id: "misra",
  title: "Misra",
  source: "Misra & Chaudhuri, Lock-free Data Structures on GPUs, ICPADS 2012; as in Ashkiani et al., IPDPS 2018, VI.C",
  ops: ["insert", "find", "erase", "mixed"],
  answers: "member",
  maxLoadFactor: 1,
  duplicates: true,
  incremental: true,
  parameters: [
    {
      ...{ name: "buckets", default: 0, from: 0, to: 2 ** 30, integer: true, size: true },
      meaning: "linked lists; 0: as many as keys that the table is sized for",
    },
  ],
  access: (op) =>
    op === "find"
      ? { pattern: "lookup8", why: "one node, the key, the result (the list's head not counted)" }
      : op === "erase"
        ? { pattern: "and", why: "one random 32-bit AND, which marks the node" }
        : { pattern: "cas", why: "one random 32-bit CAS of a link (the node itself not counted)" },
  bytes: (n, loadFactor, params = {}) => bytesOf(layoutOf(n, n, loadFactor, params)),
  create: createMisra,
};

interface Layout {
  readonly buckets: number;
  readonly nodes: number;
}

/** A node for every planned insertion, and the more, the lower the load factor. */
function layoutOf(n: number, insertions: number, loadFactor: number, params: Params): Layout {
  const nodes = Math.max(1, Math.ceil(Math.max(n, insertions) / loadFactor));
  return { nodes, buckets: Number(params.buckets) || Math.max(1, n) };
}

/** Heads, and nodes; one word between them where the number of heads is odd, so that a node lies in one sector. */
function bytesOf({ buckets, nodes }: Layout): number {
  return baseOf(buckets) * LINK_BYTES + nodes * (KEY_BYTES + LINK_BYTES);
}

/** Words before the first node. */
function baseOf(buckets: number): number {
  return buckets + (buckets % 2);
}

async function createMisra(gpu: Owner, { n, insertions = n, loadFactor, params, counting }: TableOptions) {
  const layout = layoutOf(n, insertions, loadFactor, params);
  if (layout.nodes > MAX_NODES) throw new DoesNotFit(`misra: ${layout.nodes} nodes; links take up to ${MAX_NODES}`);
  const bytes = bytesOf(layout);
  const words = await gpu.alloc("misra", bytes);
  const taken = await gpu.alloc("misra nodes taken", 4);
  const status = await Status.make(gpu);
  const sizes = { buckets: layout.buckets, base: baseOf(layout.buckets) };
  const kernel = (entry: string) =>
    variant(gpu, { file: "kernels/misra/misra.wgsl", entry, sizes, fixed: inCache(bytes) }, counting);
  return new Misra(gpu, layout, { words, taken, status }, kernel, await fillStep(gpu, words, EMPTY));
}

interface Memory {
  readonly words: GPUBuffer;
  readonly taken: GPUBuffer;
  readonly status: Status;
}

class Misra implements GpuTable {
  constructor(
    private readonly gpu: Owner,
    private readonly layout: Layout,
    private readonly memory: Memory,
    private readonly kernel: (entry: string) => Promise<Kernel>,
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
    await this.gpu.zero(this.memory.taken);
  }

  async insert(run: RunSteps, { keys, n, first = 0 }: Pairs): Promise<OpResult> {
    const bindings = { 1: keys, 4: this.parameters(first, n), 6: this.memory.taken };
    const { ns, status } = await this.run(run, [await this.step("insert_keys", n, bindings)]);
    return { ns, count: status[0] ?? 0, restarts: 0, distinct: status[2] ?? 0 };
  }

  async find(run: RunSteps, { keys, results, n }: Lookups): Promise<OpResult> {
    const bindings = { 1: keys, 2: results, 4: this.parameters(0, n) };
    const { ns } = await this.run(run, [await this.step("find_keys", n, bindings)]);
    return { ns, count: 0, restarts: 0 };
  }

  async erase(run: RunSteps, { keys, n }: Erasures): Promise<OpResult> {
    const { ns, status } = await this.run(run, [
      await this.step("erase_keys", n, { 1: keys, 4: this.parameters(0, n) }),
    ]);
    return { ns, count: status[1] ?? 0, restarts: 0 };
  }

  async mixed(run: RunSteps, { kinds, keys, results, slices }: MixedBatch): Promise<OpResult> {
    const bindings = { 1: keys, 2: results, 3: kinds, 6: this.memory.taken };
    const steps: Step[] = [];
    for (const { first, count } of slices) {
      steps.push(await this.step("mixed", count, { ...bindings, 4: this.parameters(first, count) }));
    }
    const { ns, status } = await this.run(run, steps);
    return { ns, count: status[0] ?? 0, restarts: 0 };
  }

  /** Of the nodes that were taken; the heads are memory in use, too. */
  async occupancy(): Promise<Occupancy> {
    const { gpu, memory, layout } = this;
    const step = await this.step("count_keys", layout.buckets, {});
    const { status } = await this.run((steps, words) => gpu.time(steps, words), [step]);
    const [[taken = 0], pairs] = [await gpu.read(memory.taken, 1), status[2] ?? 0];
    const nodes = Math.min(taken, layout.nodes);
    const bytes = bytesOf({ ...layout, nodes });
    return { pairs, lists: layout.buckets, nodes, perNode: 1, bytes, utilisation: (pairs * KEY_BYTES) / bytes };
  }

  private parameters(first: number, count: number): GPUBuffer {
    return this.gpu.constant(first, count, this.layout.nodes, 0);
  }

  private async step(entry: string, items: number, bindings: Step["bindings"]): Promise<Step> {
    const { words, status } = this.memory;
    return itemStep(await this.kernel(entry), items, { 0: words, 5: status.buffer, ...bindings });
  }

  /** Throws an Error if a lane reached a bound. */
  private async run(run: RunSteps, steps: readonly Step[]): ReturnType<RunSteps> {
    const result = await this.memory.status.run(run, steps);
    if (result.status[3]) throw new Error(`misra: ${result.status[3]} operations went along lists without an end`);
    return result;
  }
}
