/** Cuckoo tables of keys that may repeat: the set and the compacting table of section 4.4. See README.md. */

import { PrefixSum } from "../common/scan.js";
import { EMPTY, fillStep, groupsFor, variant } from "../common/steps.js";
import type { Gpu, Kernel, Step } from "../device/gpu.js";
import type { GpuTable, Lookups, OpResult, Pairs, RunSteps, TableOptions, TableType } from "../table.js";
import { Builds } from "./builds.js";
import { cuckoo, type Layout, layoutOf, slotsFor } from "./cuckoo.js";

const shared = {
  source: "Alcantara et al., GPU Computing Gems 2011, 4.4",
  ops: ["insert", "find"],
  maxLoadFactor: cuckoo.maxLoadFactor,
  duplicates: true,
  incremental: false,
  parameters: cuckoo.parameters.filter(({ name }) => name === "functions"),
} satisfies Partial<TableType>;
const exchanged = { pattern: "exchange", why: "one random 32-bit exchange" };

/** Keys alone. */
export const cuckooSet: TableType = {
  ...shared,
  id: "cuckoo-set",
  title: "Cuckoo set",
  answers: "member",
  access: (op) => (op === "find" ? { pattern: "lookup4", why: "one 4-byte slot, the key, the result" } : exchanged),
  bytes: (n, loadFactor) => slotsFor(n, loadFactor) * 4,
  create: async (gpu, options) => {
    const made = await parts(gpu, options, ["exchange", "erase_copies", "contains"]);
    return new CuckooSet(gpu, made);
  },
};

/** Keys and their ids; a list of the keys by id. */
export const cuckooCompacting: TableType = {
  ...shared,
  id: "cuckoo-compacting",
  title: "Compacting cuckoo",
  answers: "id",
  access: (op) => (op === "find" ? { pattern: "lookup8", why: "one 8-byte slot, the key, the result" } : exchanged),
  // Keys, marks, (key, id) pairs; the list.
  bytes: (n, loadFactor) => slotsFor(n, loadFactor) * 16 + n * 4,
  create: createCompacting,
};

interface Parts {
  readonly layout: Layout;
  readonly builds: Builds;
  readonly slots: GPUBuffer;
  readonly clear: Step;
  /** Kernels of set.wgsl by name. */
  readonly kernels: Readonly<Record<string, Kernel>>;
}

async function parts(gpu: Gpu, options: TableOptions, entries: readonly string[]): Promise<Parts> {
  const layout = layoutOf(options);
  const [constants, sizes] = [{ FUNCTIONS: layout.functions }, { slots: layout.slots }];
  const file = "kernels/cuckoo/set.wgsl";
  const made = await Promise.all(
    entries.map(
      async (entry) => [entry, await variant(gpu, { file, entry, constants, sizes }, options.counting)] as const,
    ),
  );
  const slots = await gpu.alloc("cuckoo set", layout.slots * 4);
  const builds = await Builds.make(gpu, layout.chain, options.seed);
  return { layout, builds, slots, clear: await fillStep(gpu, slots, EMPTY), kernels: Object.fromEntries(made) };
}

/** A step of one of the kernels; throws if it was not made. */
function step({ kernels }: Parts, name: string, bindings: Step["bindings"], lanes: number): Step {
  const kernel = kernels[name];
  if (!kernel) throw new Error(`no kernel ${name}`);
  return { kernel, bindings, groups: groupsFor(lanes) };
}

/** The exchange of keys, which both tables begin with. */
function exchange(made: Parts, keys: GPUBuffer, n: number): Step {
  const { slots, builds } = made;
  return step(made, "exchange", { 0: slots, 1: keys, 3: builds.parameters, 4: builds.status }, n);
}

class CuckooSet implements GpuTable {
  constructor(
    private readonly gpu: Gpu,
    private readonly made: Parts,
  ) {}

  get slots(): number {
    return this.made.layout.slots;
  }

  get bytes(): number {
    return this.slots * 4;
  }

  async clear(): Promise<void> {
    await this.gpu.run([this.made.clear]);
  }

  async insert(run: RunSteps, { keys, n }: Pairs): Promise<OpResult> {
    const { slots, builds, clear } = this.made;
    const cleanUp = { 0: slots, 3: builds.parameters, 4: builds.status };
    const steps = [exchange(this.made, keys, n), step(this.made, "erase_copies", cleanUp, this.slots)];
    return builds.attempts(run, steps, clear, n);
  }

  async find(run: RunSteps, { keys, results, n }: Lookups): Promise<OpResult> {
    const { slots, builds } = this.made;
    builds.setItems(n);
    const bindings = { 0: slots, 1: keys, 2: results, 3: builds.parameters };
    const { ns } = await run([step(this.made, "contains", bindings, n)]);
    return { ns, count: 0, restarts: 0 };
  }

  destroy(): void {
    this.made.slots.destroy();
    this.made.builds.destroy();
  }
}

async function createCompacting(gpu: Gpu, options: TableOptions): Promise<GpuTable> {
  const made = await parts(gpu, options, ["exchange", "mark", "settle"]);
  const { slots, functions } = made.layout;
  // A slot may have become empty when copies were erased: a search has to look at all places.
  const conditions = { EARLY_EXIT: false };
  const source = {
    file: "kernels/cuckoo/find.wgsl",
    constants: { FUNCTIONS: functions },
    sizes: { slots },
    conditions,
  };
  return new Compacting(gpu, made, await variant(gpu, source, options.counting), {
    scan: await PrefixSum.make(gpu),
    table: await gpu.alloc("cuckoo ids", slots * 8),
    marks: await gpu.alloc("cuckoo marks", (slots + 1) * 4),
    list: await gpu.alloc("cuckoo list", Math.max(1, options.n) * 4),
  });
}

interface CompactingParts {
  readonly scan: PrefixSum;
  readonly table: GPUBuffer;
  readonly marks: GPUBuffer;
  readonly list: GPUBuffer;
}

class Compacting implements GpuTable {
  constructor(
    private readonly gpu: Gpu,
    private readonly made: Parts,
    private readonly finder: Kernel,
    private readonly own: CompactingParts,
  ) {}

  get slots(): number {
    return this.made.layout.slots;
  }

  get bytes(): number {
    return this.slots * 8;
  }

  get list(): GPUBuffer {
    return this.own.list;
  }

  async clear(): Promise<void> {
    await this.gpu.run([this.made.clear]);
  }

  async insert(run: RunSteps, { keys, n }: Pairs): Promise<OpResult> {
    const { made, slots } = this;
    const { builds, clear } = made;
    const { scan, table, marks, list } = this.own;
    const onSlots = { 0: made.slots, 5: marks };
    const steps = [
      exchange(made, keys, n),
      step(made, "mark", { ...onSlots, 3: builds.parameters }, slots + 1),
      ...scan.steps(marks, slots + 1),
      step(made, "settle", { ...onSlots, 4: builds.status, 6: table, 7: list }, slots + 1),
    ];
    return builds.attempts(run, steps, clear, n);
  }

  async find(run: RunSteps, { keys, results, n }: Lookups): Promise<OpResult> {
    const { builds } = this.made;
    builds.setItems(n);
    const bindings = { 0: this.own.table, 1: keys, 2: results, 3: builds.parameters };
    const { ns } = await run([{ kernel: this.finder, bindings, groups: groupsFor(n) }]);
    return { ns, count: 0, restarts: 0 };
  }

  destroy(): void {
    const { scan, table, marks, list } = this.own;
    for (const buffer of [this.made.slots, table, marks, list]) buffer.destroy();
    scan.destroy();
    this.made.builds.destroy();
  }
}
