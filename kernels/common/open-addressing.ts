/** The host class of the open-addressing tables: they differ in their kernels and in what a probe looks at, not in this. */
import type { Gpu, Step } from "../device/gpu.js";
import type { Erasures, GpuTable, Lookups, OpResult, Pairs, RunSteps, TableOptions } from "../table.js";
import { EMPTY, fillStep, groupsFor, nextPrime, variant } from "./steps.js";

export interface OpenAddressing {
  /** Folder of insert.wgsl, find.wgsl and erase.wgsl. */
  readonly folder: string;
  /** The size that holds the (prime) number of probe targets. */
  readonly sizeName: string;
  /** Pairs a probe target (slot or bucket) holds. */
  readonly pairsPerTarget: number;
}

const PAIR_BYTES = 8;

/** Probe targets for n pairs at a load factor: the next prime, so that double hashing reaches all. */
export function targetsFor(layout: OpenAddressing, n: number, loadFactor: number): number {
  return nextPrime(n / loadFactor / layout.pairsPerTarget);
}

export function tableBytes(layout: OpenAddressing, n: number, loadFactor: number): number {
  return targetsFor(layout, n, loadFactor) * layout.pairsPerTarget * PAIR_BYTES;
}

export async function createOpenAddressing(gpu: Gpu, layout: OpenAddressing, options: TableOptions): Promise<GpuTable> {
  const targets = targetsFor(layout, options.n, options.loadFactor);
  const sizes = { [layout.sizeName]: targets, seed: options.seed };
  const kernel = (op: string) => variant(gpu, { file: `${layout.folder}/${op}.wgsl`, sizes }, options.counting);
  const bytes = tableBytes(layout, options.n, options.loadFactor);
  const table = await gpu.alloc(`table of ${layout.folder}`, bytes);
  const status = await gpu.alloc("status", 16);
  const owned = [table, status];
  const fill = await fillStep(gpu, table, EMPTY);
  const [insert, find, erase] = await Promise.all([kernel("insert"), kernel("find"), kernel("erase")]);
  const counts = new Map<number, GPUBuffer>();
  const countOf = (n: number): GPUBuffer => {
    const known = counts.get(n);
    if (known) return known;
    const made = gpu.uniform([n]);
    counts.set(n, made);
    owned.push(made);
    return made;
  };
  const timed = async (run: RunSteps, step: Step, word: number): Promise<OpResult> => {
    await gpu.zero(status);
    const { ns, status: words } = await run([step], status);
    return { ns, count: words[word] ?? 0, restarts: 0 };
  };
  return {
    slots: targets * layout.pairsPerTarget,
    bytes,
    clear: () => gpu.run([fill]),
    insert: (run, { keys, values, n }: Pairs) => {
      const bindings = { 0: table, 1: keys, 2: values, 3: countOf(n), 4: status };
      return timed(run, { kernel: insert, bindings, groups: groupsFor(n) }, 0);
    },
    find: async (run, { keys, results, n }: Lookups) => {
      const bindings = { 0: table, 1: keys, 2: results, 3: countOf(n) };
      const { ns } = await run([{ kernel: find, bindings, groups: groupsFor(n) }]);
      return { ns, count: 0, restarts: 0 };
    },
    erase: (run, { keys, n }: Erasures) => {
      const bindings = { 0: table, 1: keys, 2: countOf(n), 3: status };
      return timed(run, { kernel: erase, bindings, groups: groupsFor(n) }, 1);
    },
    destroy: () => {
      for (const buffer of owned) buffer.destroy();
    },
  };
}
