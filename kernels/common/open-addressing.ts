/** What open-addressing tables have in common: they differ in their kernels and in what a probe looks at. */
import type { Owner } from "../device/owned.js";
import type { GpuTable, Params, TableOptions, TableParameter } from "../table.js";
import { createPlanned, type Plan } from "./planned.js";
import { nextPrime } from "./steps.js";

export interface OpenAddressing {
  /** Folder of insert.wgsl, insert-reuse.wgsl, find.wgsl and erase.wgsl. */
  readonly folder: string;
  /** The size that holds the (prime) number of probe targets. */
  readonly sizeName: string;
  /** Pairs a probe target (slot or bucket) holds. */
  readonly pairsPerTarget: number;
  readonly conditions?: Readonly<Record<string, boolean>>;
  /** As in `Plan`, if the parameters say so. */
  build?(params: Params): Plan["build"];
}

const PAIR_BYTES = 8;

/** Parameters of these tables. */
export const REUSE: TableParameter = {
  name: "reuse",
  default: false,
  values: [true, false],
  task: true,
  meaning: "insertions take the slots of erased keys again; searches go as far as any key ever got",
};
/** The parameters with which slots are reused. */
export const REUSES = { [REUSE.name]: true };

/** Probe targets for n pairs at a load factor: the next prime, so that double hashing reaches all. */
export function targetsFor(layout: OpenAddressing, n: number, loadFactor: number): number {
  return nextPrime(n / loadFactor / layout.pairsPerTarget);
}

export function tableBytes(layout: OpenAddressing, n: number, loadFactor: number): number {
  return targetsFor(layout, n, loadFactor) * layout.pairsPerTarget * PAIR_BYTES;
}

/** Throws as `createPlanned` does. */
export function createOpenAddressing(gpu: Owner, layout: OpenAddressing, options: TableOptions): Promise<GpuTable> {
  const { n, loadFactor, seed, params, counting } = options;
  const { folder, conditions = {} } = layout;
  const targets = targetsFor(layout, n, loadFactor);
  const plan = {
    folder,
    conditions,
    sizes: { [layout.sizeName]: targets, seed },
    reuses: params[REUSE.name] === true,
    build: layout.build?.(params),
    marks: true,
    slots: targets * layout.pairsPerTarget,
    bytes: tableBytes(layout, n, loadFactor),
  };
  return createPlanned(gpu, plan, counting);
}
