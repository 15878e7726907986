/** The class of the folder's tables. */
import { bulk } from "../common/bulk.js";
import { rangeOf } from "../common/steps.js";
import type {
  Erasures,
  Filling,
  GpuTable,
  Lookups,
  OpResult,
  Pairs,
  Recordable,
  Resizable,
  RunSteps,
  Storage,
} from "../table.js";
import { type Contents, type Source, Tally } from "./contents.js";
import type { Kernels } from "./kernels.js";
import type { Ordering } from "./order.js";
import type { Resizer } from "./resizer.js";
import type { SubTables } from "./sub-tables.js";

export class CuckooTable implements GpuTable {
  private readonly initial: readonly number[];
  private readonly initialBytes: number;
  readonly resizable?: Resizable;
  readonly recordable?: () => Promise<Recordable>;

  constructor(
    private readonly contents: Contents,
    private readonly kernels: Kernels,
    /** Null: the table keeps its size. */
    private readonly resizer: Resizer | null,
    /** Of large batches; null: these are inserted as they come. */
    private readonly ordering: Ordering | null,
    /** Of a table that keeps its size. */
    recording: () => Promise<Recordable>,
  ) {
    this.initial = [...this.subTables.buckets];
    this.initialBytes = this.bytes;
    if (resizer)
      this.resizable = {
        filling: () => this.filling(),
        stays: (erased) => resizer.stays(erased),
        resize: (run, direction, how = "relocate") => resizer.once(run, direction, how),
      };
    else this.recordable = recording;
  }

  get slots(): number {
    return this.contents.slots;
  }

  get bytes(): number {
    return this.subTables.bytes;
  }

  get storage(): Storage {
    const reads = { blockBytes: this.subTables.keyBytes };
    return { reads, ...(!this.resizer && { restorable: { remember: () => this.remembered() } }) };
  }

  get subTables(): SubTables {
    return this.contents.memory;
  }

  filling(): Filling {
    const { buckets, pairs, bytes, bucketSlots } = this.subTables;
    const subTables = buckets.map((size, i) => ({ pairs: pairs[i] ?? 0, slots: size * bucketSlots }));
    return { pairs: this.contents.pairs, slots: this.slots, bytes, subTables };
  }

  /** Empties the table; one that has been resized gets the size that it began with. Throws DoesNotFit. */
  async clear(): Promise<void> {
    const { contents } = this;
    // Of a table that has come back to its sizes the locks may still be those of a larger one.
    if (this.subTables.buckets.join() !== this.initial.join() || this.bytes > this.initialBytes) {
      const next = await contents.make(this.initial);
      contents.memory.destroy();
      contents.memory = next;
    }
    await contents.memory.clear();
  }

  async insert(run: RunSteps, { keys, values, n, first = 0 }: Pairs): Promise<OpResult> {
    const { contents, resizer, ordering } = this;
    const tally = new Tally(this.bytes);
    let source: Source = { keys, values, n, first, shift: 0 };
    if (ordering?.takes(n, this.slots)) {
      this.subTables.share(n);
      const { steps, ordered } = await ordering.steps(source, this.subTables);
      tally.ns += (await run(steps)).ns;
      source = { ...ordered, n, first: 0, shift: 0 };
    }
    const grow = resizer && ((left: number) => resizer.growFor(run, left, tally));
    const left = await contents.place(run, source, tally, contents.pending, grow);
    await resizer?.settle(run, tally);
    return tally.result(left + tally.refused, resizer !== null);
  }

  async find(run: RunSteps, { keys, results, n, first }: Lookups): Promise<OpResult> {
    const bindings = { queries: keys, results, range: rangeOf(n, first) };
    return bulk(run, await this.kernels.step("find", this.subTables.bound(), n, bindings));
  }

  async erase(run: RunSteps, { keys, n, first }: Erasures): Promise<OpResult> {
    const { contents, resizer } = this;
    const tally = new Tally(this.bytes);
    const bindings = { keys_in: keys, batch: rangeOf(n, first) };
    const erase = await this.kernels.step("erase", this.subTables.bound(), n, bindings);
    const { changed } = await contents.change(run, [erase], tally);
    await resizer?.settle(run, tally);
    return tally.result(changed, resizer !== null);
  }

  private remembered(): () => void {
    const pairs = [...this.subTables.pairs];
    return () => {
      this.subTables.pairs = pairs;
    };
  }
}
