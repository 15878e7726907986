/** Operations of the folder's tables. */
import { answering, type Made, recorded, type Status } from "../common/bulk.js";
import { refusing } from "../common/refusing.js";
import { fillStep, lazily, rangeOf } from "../common/steps.js";
import type { Owner } from "../device/owned.js";
import type { Erasures, Filling, GpuTable, Lookups, Pairs } from "../table.js";
import { batchOf, type Contents, type Source, Tally } from "./contents.js";
import type { Kernels } from "./kernels.js";
import type { Ordering } from "./order.js";
import type { Resizer } from "./resizer.js";
import type { SubTables } from "./sub-tables.js";

/** Pairs that share a word of bits with an insertion's first one may come before it: see kernels/dycuckoo/pending.wgsl. */
const BEFORE = 31;

interface Parts {
  readonly contents: Contents;
  readonly kernels: Kernels;
  readonly status: Status;
  /** Null: the table keeps its size. */
  readonly resizer: Resizer | null;
  /** Of large batches; null: these are inserted as they come. */
  readonly ordering: Ordering | null;
  /** Pairs of an insertion that is recorded, at most. */
  readonly most: number;
}

export interface CuckooTable extends GpuTable {
  readonly subTables: SubTables;
  filling(): Filling;
}

export function cuckooOf(gpu: Owner, { contents, kernels, status, resizer, ordering, most }: Parts): CuckooTable {
  const initial = [...contents.memory.buckets];
  const initialBytes = contents.memory.bytes;

  const steps = stepsOf(gpu, { contents, kernels, status, most });
  const filling = (): Filling => {
    const { buckets, pairs, bytes, bucketSlots } = contents.memory;
    const subTables = buckets.map((size, i) => ({ pairs: pairs[i] ?? 0, slots: size * bucketSlots }));
    return { pairs: contents.pairs, slots: contents.slots, bytes, subTables };
  };
  const remember = () => {
    const pairs = [...contents.memory.pairs];
    return () => {
      contents.memory.pairs = pairs;
    };
  };

  return {
    filling,
    get subTables() {
      return contents.memory;
    },
    get slots() {
      return contents.slots;
    },
    get bytes() {
      return contents.memory.bytes;
    },
    get storage() {
      const reads = { blockBytes: contents.memory.keyBytes };
      return { reads, ...(!resizer && { restorable: { remember } }) };
    },
    ...(resizer
      ? {
          resizable: {
            filling,
            stays: (erased) => resizer.stays(erased),
            resize: (run, direction, how = "relocate") => resizer.once(run, direction, how),
          },
        }
      : {
          recordable: lazily(() => recorded(status, steps, most)),
        }),
    /** One that has been resized gets the size that it began with. Throws DoesNotFit. */
    async clear() {
      // Of a table that has come back to its sizes the locks may still be those of a larger one.
      if (contents.memory.buckets.join() !== initial.join() || contents.memory.bytes > initialBytes) {
        const next = await contents.make(initial);
        contents.memory.destroy();
        contents.memory = next;
      }
      await contents.memory.clear();
    },
    async insert(run, { keys, values, n, first = 0 }) {
      const { memory, slots } = contents;
      const tally = new Tally(memory.bytes);
      let source: Source = { keys, values, n, first, shift: 0 };
      if (ordering?.takes(n, slots)) {
        memory.share(n);
        const { steps, ordered } = await ordering.steps(source, memory);
        tally.ns += (await run(steps)).ns;
        source = { ...ordered, n, first: 0, shift: 0 };
      }
      const grow = resizer && ((left: number) => resizer.growFor(run, left, tally));
      const left = await contents.place(run, source, tally, contents.pending, grow);
      await resizer?.settle(run, tally);
      return tally.result(left + tally.refused, resizer !== null);
    },
    find: answering(steps.find),
    async erase(run, keys) {
      const tally = new Tally(contents.memory.bytes);
      const { changed } = await contents.change(run, (await steps.erase())(keys), tally);
      await resizer?.settle(run, tally);
      return tally.result(changed, resizer !== null);
    },
  };
}

/** What makes the steps of operations in which the host has no part: they are of the sub-tables that there are when it is asked for. */
function stepsOf(gpu: Owner, { contents, kernels, status, most }: Omit<Parts, "resizer" | "ordering">) {
  const find: Made<Lookups> = async () => {
    const step = await kernels.ready("find", contents.memory.bound(), most);
    return ({ keys, results, n, first }) => [step(n, { queries: keys, results, range: rangeOf(n, first) })];
  };
  const erase: Made<Erasures> = async () => {
    const step = await kernels.ready("erase", contents.memory.bound(), most);
    return ({ keys, n, first }) => [step(n, { keys_in: keys, batch: rangeOf(n, first) })];
  };
  /**
   * Batches as they come. The shares of the sub-tables are those of the last operation that the host had a part in: they decide how evenly
   * pairs are spread, not where searches look. Throws DoesNotFit.
   */
  const insert: Made<Pairs> = async () => {
    const bound = contents.memory.bound();
    const { pending, refuse } = await refusing(gpu, status.buffer, most + BEFORE);
    const [vacant, place, evict] = await Promise.all([
      kernels.vacant(bound),
      kernels.ready("insertAsking", bound, most),
      kernels.ready("evict", bound, most),
    ]);
    return ({ first = 0, ...pairs }) => {
      contents.recorded = true;
      const batch = { ...batchOf({ ...pairs, first, shift: 0 }, { refuses: 1 }), pending };
      return [vacant, place(pairs.n, batch), evict(pairs.n, batch), refuse];
    };
  };
  const clear: Made<void> = async () => {
    const { memory } = contents;
    const steps = [...(await memory.clearing()), await fillStep(gpu, memory.counts, 0)];
    return () => steps;
  };
  return { clear, insert, find, erase };
}
