/** The class of the open-addressing tables: they differ in their kernels and in what a probe looks at, not in this. */
import type { Owner } from "../device/owned.js";
import type { GpuTable, TableOptions } from "../table.js";
import { bulk, itemStep, Status } from "./bulk.js";
import { EMPTY, fillStep, inCache, nextPrime, variant } from "./steps.js";

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

export async function createOpenAddressing(
  gpu: Owner,
  layout: OpenAddressing,
  options: TableOptions,
): Promise<GpuTable> {
  const targets = targetsFor(layout, options.n, options.loadFactor);
  const sizes = { [layout.sizeName]: targets, seed: options.seed };
  const bytes = tableBytes(layout, options.n, options.loadFactor);
  const fixed = inCache(bytes);
  const kernel = (op: string) => variant(gpu, { file: `${layout.folder}/${op}.wgsl`, sizes, fixed }, options.counting);
  const table = await gpu.alloc(`table of ${layout.folder}`, bytes);
  const status = await Status.make(gpu);
  const fill = await fillStep(gpu, table, EMPTY);
  const [insert, find, erase] = await Promise.all([kernel("insert"), kernel("find"), kernel("erase")]);
  return {
    slots: targets * layout.pairsPerTarget,
    bytes,
    clear: () => gpu.run([fill]),
    remember: () => () => undefined,
    insert(run, { keys, values, n, first = 0 }) {
      const bindings = { 0: table, 1: keys, 2: values, 3: gpu.constant(first, first + n), 4: status.buffer };
      return status.count(run, itemStep(insert, n, bindings), 0);
    },
    find: (run, { keys, results, n }) =>
      bulk(run, itemStep(find, n, { 0: table, 1: keys, 2: results, 3: gpu.constant(n) })),
    erase(run, { keys, n }) {
      const bindings = { 0: table, 1: keys, 2: gpu.constant(n), 3: status.buffer };
      return status.count(run, itemStep(erase, n, bindings), 1);
    },
  };
}
