/** Operations of the slab hash, and what becomes of those that find no slab. */
import { type Made, recorded, type Status, step } from "../common/bulk.js";
import { rangeOf } from "../common/steps.js";
import type { Bindings, Step } from "../device/gpu.js";
import type { Owner } from "../device/owned.js";
import type {
  Erasures,
  GpuTable,
  Lookups,
  MixedSlice,
  Nodes,
  OpResult,
  Pairs,
  Recordable,
  RunSteps,
} from "../table.js";
import type { makeFindAll } from "./find-all.js";
import type { Kernels, Update } from "./kernels.js";
import type { Sizes } from "./parameters.js";
import type { SlabPool } from "./pool.js";
import { pairsPerSlab, SLAB_BYTES } from "./utilisation.js";

/** LANES of kernels/slab-hash/occupancy.wgsl. */
const OCCUPANCY_LANES = 8;

interface Parts {
  readonly sizes: Sizes;
  /** 4: keys alone. */
  readonly pairBytes: number;
  readonly pool: SlabPool;
  readonly kernels: Kernels;
  readonly status: Status;
  /** Pairs and slabs of all lists, when they are counted. */
  readonly counted: GPUBuffer;
  /** Left out: nobody asks for all values of a key. */
  readonly makeFindAll?: typeof makeFindAll | undefined;
}

export type SlabHash = ReturnType<typeof slabHashOf>;

export function slabHashOf(gpu: Owner, { sizes, pairBytes, pool, kernels, status, counted, makeFindAll }: Parts) {
  const { buckets, expected } = sizes;
  const isSet = pairBytes === 4;
  const perNode = pairsPerSlab(pairBytes);

  const pass = async (run: RunSteps, steps: readonly Step[], more?: GPUBuffer) => {
    const result = await status.run(run, steps, more);
    if (result.said.bound) throw new Error("slab hash: a list has no end");
    return result;
  };
  const changed = async (run: RunSteps, steps: readonly Step[]): Promise<OpResult> => {
    const { ns, said } = await pass(run, steps);
    return { ns, count: said.changed, restarts: 0 };
  };

  const steps = stepsOf(pool, kernels);
  /** Null: no operation is recorded. */
  let recording: Awaited<ReturnType<typeof recordingOf>> | null = null;

  /**
   * Runs the slices. Where one runs out of slabs, those after it do nothing; the pool grows, and what found no slab and the
   * slices after it run again. If it cannot grow, what found no slab is counted, and the slices after it run.
   */
  const updateAll = async (
    run: RunSteps,
    what: "insert" | "mixed",
    slices: readonly MixedSlice[],
    buffers: Bindings,
  ): Promise<OpResult & { readonly changed: number }> => {
    await pool.reserve(Math.max(1, ...slices.map(({ first, count }) => first + count)));
    const result = { ns: 0, count: 0, restarts: 0, changed: 0 };
    let [begin, grown] = [0, false];
    while (begin < slices.length) {
      const update = await kernels.update(what, buffers);
      const { blocks } = pool;
      const [retried, from] = [grown, begin];
      const left = slices.slice(from).map(({ first, count }, i) => {
        const retry = retried && i === 0 ? 1 : 0;
        return update(count, { batch: { first, end: first + count, slice: from + i + 1, retry, blocks } });
      });
      const { ns, said } = await pass(run, left);
      result.ns += ns;
      result.count += said.refused;
      result.changed += said.changed;
      if (said.left === 0) break;
      begin = said.halted - 1;
      // At worst a slab an operation; and a list that wants several fills them.
      grown = await pool.grow(Math.min(said.left, buckets + said.left / perNode));
      if (grown) continue;
      result.count += said.left;
      begin += 1;
      await pool.settle();
    }
    await recording?.refresh();
    return result;
  };

  const findAll = isSet ? undefined : makeFindAll?.(gpu, kernels, pass);
  const nodes: Required<Nodes> = {
    grow: true,
    async occupancy() {
      const count = step(await kernels.occupancy(), OCCUPANCY_LANES * buckets, { slabs: pool.total, counted });
      void gpu.defer([{ buffer: counted, zero: counted.size }]);
      const { more } = await pass((...timed) => gpu.timeNext(...timed), [count], counted);
      const [pairs = 0, slabs = 0] = more;
      const bytes = slabs * SLAB_BYTES;
      return { pairs, lists: buckets, nodes: slabs, perNode, bytes, utilisation: (pairs * pairBytes) / bytes };
    },
    allocated: () => pool.used(),
    /** Gives back the slabs that erased keys have left; `count`: how many. The slots of erased keys can be used again. */
    flush: async (run) => changed(run, [step(await kernels.flush(), buckets, { slabs: pool.total })]),
  };

  return {
    pool,
    buckets,
    pairBytes,
    nodes,
    slots: Math.round((expected * SLAB_BYTES) / pairBytes),
    get bytes() {
      return pool.bytes;
    },
    get storage() {
      // All is in the buffers.
      const remember = () => () => undefined;
      return { marked: Object.values(pool.slabs), restorable: { remember, holding: () => pool.buffers } };
    },
    ...(findAll && {
      multimap: {
        findAll,
        eraseAll: async (run: RunSteps, keys: Erasures) => changed(run, (await steps.eraseAll())(keys)),
      },
    }),
    ...(!isSet && {
      async recordable() {
        recording ??= await recordingOf(pool, () => recorded(status, steps));
        return recording.recordable;
      },
    }),
    clear: () => pool.clear(),
    async insert(run, { keys, values, n, first = 0 }) {
      const { changed, ...result } = await updateAll(run, "insert", [{ first, count: n }], { keys, values });
      return isSet ? { ...result, distinct: changed } : result;
    },
    mixed: (run, { slices, kinds, keys, values, results }) =>
      updateAll(run, "mixed", slices, { kinds, keys, values, results }),
    async find(run, lookups) {
      const { ns } = await pass(run, (await steps.find())(lookups));
      return { ns, count: 0, restarts: 0 };
    },
    erase: async (run, keys) => changed(run, (await steps.erase())(keys)),
  } satisfies GpuTable & Readonly<Record<"pool" | "buckets" | "pairBytes", unknown>>;
}

/** What makes the steps of operations that are one dispatch: they bind the buffers that the pool has when it is asked for. */
function stepsOf(pool: SlabPool, kernels: Kernels) {
  const find: Made<Lookups> = async () => {
    const find = await kernels.find();
    return ({ keys, results, n, first }) => [find(n, { queries: keys, results, range: rangeOf(n, first) })];
  };
  const updating = async <Own extends "keys" | "values">(what: Update, own: readonly Own[]) => {
    const update = await kernels.update(what, {}, own);
    const { blocks } = pool;
    return ({ n, first }: Pick<Pairs, "n" | "first">, buffers: Readonly<Record<Own, GPUBuffer>>) => [
      update(n, { ...buffers, batch: { ...rangeOf(n, first), slice: 1, retry: 0, blocks } }),
    ];
  };
  const erasing = (what: "erase" | "eraseAll"): Made<Erasures> => {
    return async () => {
      const steps = await updating(what, ["keys"]);
      return (erasures) => steps(erasures, { keys: erasures.keys });
    };
  };
  /** What finds no slab is refused: the pool does not grow. */
  const insert: Made<Pairs> = async () => {
    const steps = await updating("insertOnce", ["keys", "values"]);
    return (pairs) => steps(pairs, { keys: pairs.keys, values: pairs.values });
  };
  const clear: Made<void> = async () => {
    const steps = await pool.clearing();
    return () => steps;
  };
  return { clear, insert, find, erase: erasing("erase"), eraseAll: erasing("eraseAll") };
}

/** Operations as they are recorded: their steps bind the buffers that the pool had when `refresh` was called last. */
async function recordingOf(pool: SlabPool, make: () => Promise<Recordable>) {
  const made = async () => ({ ...(await make()), buffers: pool.buffers });
  let now = await made();
  const recordable: Recordable = {
    status: now.status,
    clear: () => now.clear(),
    insert: (pairs) => now.insert(pairs),
    find: (lookups) => now.find(lookups),
    erase: (keys) => now.erase?.(keys) ?? [],
  };
  return {
    recordable,
    /** To be called where the pool may have other buffers. */
    async refresh() {
      const { buffers } = pool;
      if (buffers.length !== now.buffers.length || buffers.some((one, i) => one !== now.buffers[i])) now = await made();
    },
  };
}
