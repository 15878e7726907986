/** The class of the open-addressing tables: they differ in their kernels and in what a probe looks at, not in this. */
import { DoesNotFit } from "../device/errors.js";
import type { Kernel, Step } from "../device/gpu.js";
import type { Owner } from "../device/owned.js";
import type { GpuTable, MixedBatch, Pairs, Params, RunSteps, TableOptions, TableParameter } from "../table.js";
import { banksOf, bindBanks, MAX_BANKS, passesOf } from "./banks.js";
import { bulk, checkSubgroups, itemStep, Status } from "./bulk.js";
import { EMPTY, fillStep, inCache, nextPrime, variant } from "./steps.js";

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
/** Bytes of a table whose kernels number its words by 32 bits, at most; the last number stands for none. */
const MAX_BYTES = (2 ** 32 - 1) * 4;

/** Parameters of these tables. */
export const REUSE: TableParameter = {
  ...{ name: "reuse", default: false, values: [true, false], task: true },
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

/** What kernels of a table's own are made with. */
export interface PlannedTable {
  readonly sizes: Readonly<Record<string, number>>;
  readonly conditions: Readonly<Record<string, boolean>>;
  readonly fixed: boolean;
  readonly slots: number;
  readonly counting: boolean;
}

/** Puts pairs into a table that was cleared. */
export interface Build {
  /** Whether it is worth it for so many pairs. */
  takes(pairs: number): boolean;
  /** Steps for all n pairs. `status` counts in word 0 those that found no slot; word 3: `checkSubgroups`. Throws DoesNotFit. */
  steps(pairs: Pairs, table: GPUBuffer, status: GPUBuffer): Promise<Step[]>;
}

/** Kernels and size of a table whose operations are one kernel each, on one buffer, or on banks of it. */
export interface Plan {
  /** Folder of insert.wgsl, find.wgsl and erase.wgsl, which bind alike in all such tables. */
  readonly folder: string;
  readonly sizes: Readonly<Record<string, number>>;
  readonly conditions?: Readonly<Record<string, boolean>>;
  /** Insertions are insert-reuse.wgsl, and take the slots of erased keys again. */
  readonly reuses?: boolean;
  /** Another way to do the first insertion into a cleared table. */
  readonly build?: ((gpu: Owner, table: PlannedTable) => Promise<Build>) | undefined;
  /** There is mixed.wgsl: insertions and searches in one dispatch, erasures, with condition ERASING, in the next. */
  readonly mixes?: boolean;
  /** With condition BANKED the kernels take a table beyond the largest binding, in MAX_BANKS buffers of BANK_WORDS words. */
  readonly banks?: boolean;
  /**
   * With condition PASSES a dispatch of the kernels, but for mixed.wgsl, serves the keys whose first buckets are those of binding 25: a
   * table in banks is then visited in passes, each of so many bytes at most. 0 or left out: all at once. It has `sizes.buckets`.
   */
  readonly passBytes?: number;
  /** Erasures mark slots, as DELETED. */
  readonly marks?: boolean;
  readonly slots: number;
  readonly bytes: number;
}

/** The table's buffers, by binding, and what has to be filled. Throws DoesNotFit. */
async function allocate(gpu: Owner, folder: string, bytes: number, banked: boolean) {
  if (bytes > MAX_BYTES)
    throw new DoesNotFit(`${bytes} bytes: words of the table have numbers of 32 bits, for ${MAX_BYTES}`);
  const { words, count } = banksOf(bytes, gpu.maxBinding);
  if (!banked || count === 1) {
    const table = await gpu.alloc(`table of ${folder}`, bytes);
    return { buffers: [table], bound: { 0: table }, banking: {}, constants: {} };
  }
  if (count > MAX_BANKS)
    throw new DoesNotFit(`${bytes} bytes: ${MAX_BANKS} banks of the table have ${MAX_BANKS * words * 4}`);
  const buffers: GPUBuffer[] = [];
  for (let i = 0; i < count; i++) {
    buffers.push(await gpu.alloc(`bank ${i} of ${folder}`, Math.min(words * 4, bytes - i * words * 4)));
  }
  return { buffers, bound: await bindBanks(gpu, buffers), banking: { BANKED: true }, constants: { BANK_WORDS: words } };
}

export function createOpenAddressing(gpu: Owner, layout: OpenAddressing, options: TableOptions): Promise<GpuTable> {
  const { n, loadFactor, seed, params, counting } = options;
  const { folder, conditions = {} } = layout;
  const targets = targetsFor(layout, n, loadFactor);
  const plan = {
    ...{ folder, conditions, sizes: { [layout.sizeName]: targets, seed }, reuses: params[REUSE.name] === true },
    build: layout.build?.(params),
    marks: true,
    ...{ slots: targets * layout.pairsPerTarget, bytes: tableBytes(layout, n, loadFactor) },
  };
  return createPlanned(gpu, plan, counting);
}

/** Throws DoesNotFit. An insertion throws an Error where its kernel says in status word 3 that a loop reached its bound. */
export async function createPlanned(gpu: Owner, plan: Plan, counting: boolean): Promise<GpuTable> {
  const { folder, sizes, reuses = false, mixes = false, slots, bytes } = plan;
  const { buffers, bound: banks, banking, constants } = await allocate(gpu, folder, bytes, plan.banks === true);
  const passes = buffers.length > 1 ? passesOf(plan) : [];
  const inPasses = passes.length > 1;
  const source = {
    sizes,
    constants,
    conditions: { ...plan.conditions, ...banking, REUSE: reuses, PASSES: inPasses },
    fixed: inCache(bytes),
  };
  const kernel = (op: string) => variant(gpu, { ...source, file: `${folder}/${op}.wgsl` }, counting);
  const items = (kernel: Kernel, n: number, bindings: Step["bindings"]): Step[] =>
    inPasses
      ? passes.map((buckets) => itemStep(kernel, n, { ...bindings, 25: gpu.constant(...buckets) }))
      : [itemStep(kernel, n, bindings)];
  const status = await Status.make(gpu);
  const fills = await Promise.all(buffers.map((buffer) => fillStep(gpu, buffer, EMPTY)));
  const inserting = reuses ? "insert-reuse" : "insert";
  const [insert, find, erase] = await Promise.all([kernel(inserting), kernel("find"), kernel("erase")]);
  const mixing = (erasing: boolean) =>
    variant(
      gpu,
      { ...source, file: `${folder}/mixed.wgsl`, conditions: { ...source.conditions, ERASING: erasing } },
      counting,
    );
  const reach = reuses ? await gpu.alloc("reach", 4) : null;
  const [table, second] = buffers;
  if (second && plan.build)
    throw new DoesNotFit(`${bytes} bytes: a partitioned build is of one buffer, which binds ${gpu.maxBinding}`);
  const build = await plan.build?.(gpu, { ...source, slots, counting });
  let cleared = false;
  const bound: Record<number, GPUBuffer> = { ...banks, ...(reach && { 5: reach }) };
  return {
    slots,
    bytes,
    ...(inPasses && { reachBytes: Math.ceil(bytes / passes.length) }),
    ...(plan.marks && { marked: buffers }),
    async clear() {
      await gpu.run(fills);
      cleared = true;
      if (reach) await gpu.zero(reach);
    },
    remember() {
      const was = cleared;
      return () => {
        cleared = was;
      };
    },
    async insert(run, { keys, values, n, first = 0 }) {
      const bindings = { ...bound, 1: keys, 2: values, 3: gpu.constant(first, first + n), 4: status.buffer };
      const building = cleared && first === 0 && build?.takes(n) ? build : undefined;
      const steps =
        building && table
          ? await building.steps({ keys, values, n }, table, status.buffer)
          : items(insert, n, bindings);
      cleared = false;
      const { ns, status: said } = await status.run(run, steps);
      checkSubgroups(said);
      if (said[3]) throw new Error(`${folder}: an insertion did not end`);
      return { ns, count: said[0] ?? 0, restarts: 0 };
    },
    find: (run, { keys, results, n }) =>
      bulk(run, ...items(find, n, { ...bound, 1: keys, 2: results, 3: gpu.constant(n) })),
    ...(mixes && {
      async mixed(run: RunSteps, { kinds, keys, values, results, slices }: MixedBatch) {
        const [others, erasures] = await Promise.all([mixing(false), mixing(true)]);
        const bindings = { ...banks, 5: kinds, 6: keys, 8: results };
        const steps = slices.flatMap(({ first, count, only }) => {
          const range = { ...bindings, 9: gpu.constant(first, first + count) };
          return [
            ...(only === "erase" ? [] : [itemStep(others, count, { ...range, 4: status.buffer, 7: values })]),
            ...(only && only !== "erase" ? [] : [itemStep(erasures, count, range)]),
          ];
        });
        cleared = false;
        const { ns, status: said } = await status.run(run, steps);
        if (said[3]) throw new Error(`${folder}: an insertion did not end`);
        return { ns, count: said[0] ?? 0, restarts: 0 };
      },
    }),
    erase(run, { keys, n }) {
      const bindings = { ...bound, 1: keys, 2: gpu.constant(n), 3: status.buffer };
      return status.count(run, items(erase, n, bindings), 1);
    },
  };
}
