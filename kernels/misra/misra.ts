/** The class of Misra and Chaudhuri's set. See README.md. */

import { Status, step } from "../common/bulk.js";
import { EMPTY, fillStep, inCache, lazily, variant } from "../common/steps.js";
import { declare, integer } from "../declare.js";
import { defineTable } from "../define.js";
import { DoesNotFit } from "../device/errors.js";
import type { Step } from "../device/gpu.js";
import type { Owner } from "../device/owned.js";
import type { GpuTable, Making, RunSteps } from "../table.js";

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

async function createMisra(
  gpu: Owner,
  { n, insertions = n, loadFactor, counting }: Making,
  asked: number,
): Promise<GpuTable> {
  const layout = layoutOf(n, insertions, loadFactor, asked);
  const { buckets, nodes } = layout;
  if (nodes > MAX_NODES) throw new DoesNotFit(`misra: ${nodes} nodes; links take up to ${MAX_NODES}`);
  const words = await gpu.alloc("misra", bytesOf(layout));
  const taken = await gpu.alloc("misra nodes taken", 4);
  const status = await Status.make(gpu);
  const fill = await fillStep(gpu, words, EMPTY);
  const source = {
    file: "kernels/misra/misra.wgsl",
    sizes: { buckets, base: baseOf(buckets) },
    bound: { words, taken, status: status.buffer },
    fixed: inCache(bytesOf(layout)),
  };
  const kernel = <Takes extends string>(entry: string, takes: readonly Takes[]) =>
    lazily(() => variant(gpu, { ...source, entry, takes }, counting));
  const kernels = {
    insert: kernel("insert_keys", ["keys", "batch"]),
    find: kernel("find_keys", ["keys", "results", "batch"]),
    erase: kernel("erase_keys", ["keys", "batch"]),
    mixed: kernel("mixed", ["kinds", "keys", "results", "batch"]),
    countKeys: kernel("count_keys", []),
  };
  const batchOf = (first: number, count: number) => ({ first, count, nodes, zero: 0 });
  /** Throws an Error if a lane reached a bound. */
  const ended = async (run: RunSteps, steps: readonly Step[]) => {
    const { ns, said } = await status.run(run, steps);
    if (said.bound) throw new Error(`misra: ${said.bound} operations went along lists without an end`);
    return { ns, said };
  };
  return {
    /** Nodes: keys that can be inserted before the table is cleared. */
    slots: nodes,
    bytes: bytesOf(layout),
    async clear() {
      await gpu.run([fill]);
      await gpu.zero(taken);
    },
    async insert(run, { keys, n, first = 0 }) {
      const insert = step(await kernels.insert(), n, { keys, batch: batchOf(first, n) });
      const { ns, said } = await ended(run, [insert]);
      return { ns, count: said.refused, restarts: 0, distinct: said.distinct };
    },
    async find(run, { keys, results, n }) {
      const find = step(await kernels.find(), n, { keys, results, batch: batchOf(0, n) });
      const { ns } = await ended(run, [find]);
      return { ns, count: 0, restarts: 0 };
    },
    async erase(run, { keys, n }) {
      const erase = step(await kernels.erase(), n, { keys, batch: batchOf(0, n) });
      const { ns, said } = await ended(run, [erase]);
      return { ns, count: said.changed, restarts: 0 };
    },
    async mixed(run, { kinds, keys, results, slices }) {
      const mixed = await kernels.mixed();
      const steps = slices.map(({ first, count }) =>
        step(mixed, count, { kinds, keys, results, batch: batchOf(first, count) }),
      );
      const { ns, said } = await ended(run, steps);
      return { ns, count: said.refused, restarts: 0 };
    },
    nodes: {
      grow: false,
      /** Of the nodes that were taken; the heads are memory in use, too. */
      async occupancy() {
        const count = step(await kernels.countKeys(), buckets, {});
        const { said } = await ended((...pass) => gpu.time(...pass), [count]);
        const [used = 0] = await gpu.read(taken, 1);
        const inUse = Math.min(used, nodes);
        const pairs = said.distinct;
        const bytes = bytesOf({ buckets, nodes: inUse });
        return { pairs, lists: buckets, nodes: inUse, perNode: 1, bytes, utilisation: (pairs * KEY_BYTES) / bytes };
      },
    },
  };
}
