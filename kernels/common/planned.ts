/** Tables of one kernel an operation, as data: `Plan` says with what the kernels are made, and what they bind is the same in all of them. */
import { flag } from "../declare.js";
import { dispatch } from "../device/bind.js";
import { DoesNotFit } from "../device/errors.js";
import type { Bindings, Kernel, KernelSource, Step } from "../device/gpu.js";
import type { Owner } from "../device/owned.js";
import type { OpOf } from "../operations.js";
import type { Erasures, GpuTable, Lookups, Pairs, Recordable, RunSteps, TableOp } from "../table.js";
import { allocBanks, checkSlots, fittingBanks } from "./banks.js";
import { answering, type Made, recorded, Status } from "./bulk.js";
import { EMPTY, fillStep, inCache, lazily, rangeOf, variant, WORKGROUP } from "./steps.js";

/** Storage buffers that insert.wgsl binds beside the table: keys, values and status. */
const OTHER_BUFFERS = 3;

/** Parameter of tables that have insert-reuse.wgsl. */
export const REUSE = flag({
  default: false,
  task: true,
  meaning: "insertions take the slots of erased keys again; searches go as far as any key ever got",
});

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
  /** Steps for all n pairs, of which a few may be inserted as usual. The status counts those that were refused. Throws DoesNotFit. */
  steps(pairs: Pairs, table: GPUBuffer, status: GPUBuffer, usual: Made<Pairs>): Promise<readonly Step[]>;
}

/** How the kernel of an operation is made, where it is not as the others. */
interface Compiling {
  readonly conditions?: Readonly<Record<string, boolean>>;
  readonly constants?: Readonly<Record<string, number>>;
  /** Items of a workgroup. Default: WORKGROUP. */
  readonly groupLanes?: number;
  /**
   * Dispatches for so many items, most of the largest: with condition PASSES each serves the keys whose hashes are `pass_hashes`
   * (passes.wgsl). Default: 1.
   */
  passes?(items: number): number;
}

/** Operations that not all planned tables have. */
export type MoreOp = Exclude<OpOf<"lookups" | "keys" | "batch" | "rows" | "room">, "find" | "erase">;

/** How insertions go, where they are not one dispatch of insert.wgsl. */
export interface Inserting {
  /** They are insert-reuse.wgsl, and take the slots of erased keys again. */
  readonly reuses?: boolean;
  /** Another way to do the first insertion into a cleared table. */
  readonly build?: ((gpu: Owner, table: PlannedTable) => Promise<Build>) | undefined;
  /**
   * They claim slots in an index of so many bytes beside the table, which kernels bind as `index`: in the device's memory, wherever the
   * table lies. It is EMPTY at first in place of the table.
   */
  readonly indexBytes?: number;
}

/**
 * Kernels and size of a table: insert.wgsl, find.wgsl and erase.wgsl, and one of that form for each of the operations `more`. Insertions
 * take `keys` and `values`, lookups `queries` and `results`, others `keys`, and each `range`; those that begin with the first item may
 * have `n` in its place. All have the table by words.wgsl or parts.wgsl, `status` and `longest_probe` (reach.wgsl), as far as they use them.
 */
export interface Plan {
  readonly folder: string;
  /**
   * Operations that the table has beside insert, find and erase. mixed.wgsl does insertions and searches in one dispatch, erasures, with
   * condition ERASING, in the next.
   */
  readonly more?: readonly MoreOp[];
  readonly sizes: Readonly<Record<string, number>>;
  readonly conditions?: Readonly<Record<string, boolean>>;
  compiling?(op: TableOp): Compiling;
  readonly inserting?: Inserting;
  /**
   * Keys of a block, where the table is blocks of keys, of which erased ones become DELETED, and as many values. Left out: the table has an
   * export.wgsl, if it has that operation.
   */
  readonly block?: number;
  readonly slots: number;
  readonly bytes: number;
  /** Of what its kernels number: a bucket, window or slot, which lies in one bank. Left out: kernels know one buffer, `table`. */
  readonly blockBytes?: number;
}

/** The table's banks. Throws DoesNotFit. */
function allocate(gpu: Owner, plan: Plan, counting: boolean) {
  const { folder, slots, bytes, blockBytes, inserting: { reuses = false, indexBytes = 0 } = {} } = plan;
  checkSlots(slots);
  const others = OTHER_BUFFERS + Number(indexBytes > 0) + Number(reuses) + Number(counting);
  const one = { blocks: 0, sizes: [bytes] };
  return allocBanks(gpu, folder, blockBytes === undefined ? one : fittingBanks(gpu, { bytes, blockBytes }, others));
}

/** Hashes of the keys that each of so many passes serves. */
function passesOf(count: number) {
  const from = (i: number) => Math.ceil((i * 2 ** 32) / count);
  return Array.from({ length: count }, (_, i) => ({ first: from(i), last: from(i + 1) - 1 }));
}

/** Bytes of host memory that kernels reach at random as fast as the bus allows (results/studies/host-memory.md). */
const REGION_BYTES = 2 ** 28;
/** Items for which another pass, whose lanes look at all of them, costs less than it gains. */
const PASS_ITEMS = 2 ** 12;

/** Passes of an operation on so many items, as of {@link Compiling}: in the host's memory they visit regions one after another. */
export function hostParts(gpu: Owner, bytes: number, items: number): number {
  if (gpu.memory !== "host") return 1;
  return Math.max(1, Math.min(Math.ceil(bytes / REGION_BYTES), Math.floor(items / PASS_ITEMS)));
}

/** A table, for those who make its operations `more`. */
export interface Planned {
  readonly gpu: Owner;
  readonly plan: Plan;
  readonly counting: boolean;
  readonly status: Status;
  readonly buffers: readonly GPUBuffer[];
  /** Of all its kernels. */
  readonly shared: Required<Pick<KernelSource, "sizes" | "fixed" | "conditions" | "constants" | "bound">>;
  /** What makes the steps of an operation that answers keys, or is given keys alone. */
  asking(op: TableOp): Made<Lookups>;
  ofKeys(op: TableOp): Made<Erasures>;
  /** Of the steps of {@link ofKeys}. */
  changing(steps: Made<Erasures>): NonNullable<GpuTable["erase"]>;
  /** It is not as it was when it was cleared. */
  changed(): void;
}

/** Makes the operations `more` of a table, what is recorded of them, and the steps that clear what they have beside it. */
export type Further = (planned: Planned) => Promise<{
  readonly operations: Partial<GpuTable>;
  readonly recordable: Pick<Recordable, "upserting" | "exporting" | "moving">;
  readonly clearing: readonly Step[];
}>;

/**
 * The table's words are EMPTY at first. Throws DoesNotFit. An insertion throws an Error where its kernel says that a loop reached its bound.
 * @param own.further Left out: the table has no operation of `more`.
 * @param own.roundKeys Of the keyed hash (keyed.ts): its kernels have the condition KEYED. Left out: they have not.
 */
export async function planned(
  gpu: Owner,
  plan: Plan,
  counting: boolean,
  { further, roundKeys }: { further?: Further | undefined; roundKeys?: readonly number[] | undefined } = {},
): Promise<Omit<GpuTable, "multimap">> {
  const { folder, sizes, inserting = {}, slots, bytes } = plan;
  const { reuses = false, indexBytes = 0 } = inserting;
  // Before the table, which is larger: what does not fit is known at once.
  const index = indexBytes > 0 ? await gpu.alloc(`index of ${folder}`, indexBytes, "device") : null;
  const memory = await allocate(gpu, plan, counting);
  const { buffers } = memory;
  const [table, second] = buffers;
  if (second && inserting.build)
    throw new DoesNotFit(`${bytes} bytes: a partitioned build is of one buffer, which binds ${gpu.maxBinding}`);
  const status = await Status.make(gpu);
  const reach = reuses ? await gpu.alloc("reach", 4) : null;
  const shared = {
    sizes,
    fixed: inCache(bytes),
    conditions: { ...plan.conditions, ...memory.conditions, REUSE: reuses, ...(roundKeys && { KEYED: true }) },
    constants: memory.constants,
    bound: {
      ...memory.bound,
      status: status.buffer,
      ...(index && { index }),
      ...(reach && { longest_probe: reach }),
      ...(roundKeys && { round_keys: { words: roundKeys } }),
    },
  };

  /** What makes steps of the operation: one or, of an insertion, one a pass. */
  async function operation(op: TableOp) {
    const { conditions, constants, groupLanes = WORKGROUP, passes = () => 1 } = plan.compiling?.(op) ?? {};
    const name = op === "insert" && reuses ? "insert-reuse" : op;
    const inPasses = passes(Number.POSITIVE_INFINITY) > 1;
    const kernel: Kernel = await variant(
      gpu,
      {
        ...shared,
        file: `${folder}/${name}.wgsl`,
        conditions: { ...shared.conditions, PASSES: inPasses, ...conditions },
        constants: { ...shared.constants, ...constants },
      },
      counting,
    );
    return ({ n, first }: Pick<Pairs, "n" | "first">, buffers: Readonly<Record<string, GPUBuffer>>): Step[] => {
      const groups = Math.max(1, Math.ceil(n / groupLanes));
      const range = rangeOf(n, first);
      const [one] = kernel.resources?.get("n")?.fields ?? [];
      const bindings: Bindings = { ...buffers, ...(one ? { n: one.name === "" ? n : range } : { range }) };
      if (!inPasses) return [dispatch(kernel, groups, bindings)];
      return passesOf(passes(n)).map((pass_hashes) => dispatch(kernel, groups, { ...bindings, pass_hashes }));
    };
  }

  const asking = (op: TableOp): Made<Lookups> =>
    lazily(async () => {
      const steps = await operation(op);
      return (lookups) => steps(lookups, { queries: lookups.keys, results: lookups.results });
    });
  const ofKeys = (op: TableOp): Made<Erasures> =>
    lazily(async () => {
      const steps = await operation(op);
      return (erasures) => steps(erasures, { keys: erasures.keys });
    });

  const insert: Made<Pairs> = lazily(async () => {
    const steps = await operation("insert");
    return (pairs) => {
      changed();
      return steps(pairs, { keys: pairs.keys, values: pairs.values });
    };
  });
  const find = asking("find");
  const erase = ofKeys("erase");
  const build = lazily(async () => inserting.build?.(gpu, { ...shared, slots, counting }));
  let cleared = false;
  const changed = () => {
    cleared = false;
  };
  const parts = plan.compiling?.("find").passes?.(Number.POSITIVE_INFINITY) ?? 1;
  const remember = () => {
    const was = cleared;
    return () => {
      cleared = was;
    };
  };

  const changing = (steps: typeof erase) => async (run: RunSteps, keys: Erasures) =>
    status.count(run, (await steps())(keys), "changed");

  const more = await further?.({ gpu, plan, counting, status, buffers, shared, asking, ofKeys, changing, changed });
  const clearing = await Promise.all([
    ...(index ? [index] : buffers).map((buffer) => fillStep(gpu, buffer, EMPTY)),
    ...(reach ? [fillStep(gpu, reach, 0)] : []),
    ...(more?.clearing ?? []),
  ]);
  return {
    slots,
    bytes: bytes + indexBytes,
    storage: {
      ...(plan.block !== undefined && { marked: buffers }),
      reads: { ...(index && { indexBytes }), ...((index || parts > 1) && { partBytes: bytes / parts }) },
      restorable: { remember },
      shader: { ...shared, folder, bound: () => shared.bound },
    },
    async clear() {
      await gpu.submit(clearing);
      cleared = true;
    },
    async recordable() {
      const made = await recorded(status, { clear: async () => () => clearing, insert, find, erase });
      return { ...made, ...more?.recordable };
    },
    async insert(run, pairs) {
      const building = cleared && !pairs.first ? await build() : undefined;
      const steps =
        building?.takes(pairs.n) && table
          ? await building.steps(pairs, table, status.buffer, insert)
          : (await insert())(pairs);
      changed();
      return status.insert(run, steps, folder);
    },
    find: answering(find),
    erase: changing(erase),
    ...more?.operations,
  };
}
