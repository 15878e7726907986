/** The class of the table with a fault: see mutant.wgsl. Bulk operations are mixed ones of one kind. */
import { step } from "../../../kernels/common/bulk.js";
import { EMPTY, fillStep } from "../../../kernels/common/steps.js";
import { declare } from "../../../kernels/declare.js";
import { defineTable } from "../../../kernels/define.js";
import { type Owner, scoped } from "../../../kernels/device/owned.js";
import { type GpuTable, MIXED_KINDS, type MixedBatch, type RunSteps } from "../../../kernels/table.js";

const FILE = "bench/verify/mutant/mutant.wgsl";

export const mutant = defineTable({
  id: "mutant",
  title: "Mutant: the first free slot",
  source: "a fault planted on purpose",
  parameters: declare({}),
  configure: () => ({
    ops: ["insert", "find", "erase", "mixed"],
    maxLoadFactor: 1,
    duplicates: true,
    incremental: true,
    reusesSlots: true,
    access: () => ({ pattern: "cas", why: "one slot" }),
    bytes: (n, loadFactor) => 8 * Math.ceil(n / loadFactor),
    async create(gpu, { n, loadFactor }) {
      const slots = Math.ceil(n / loadFactor);
      const table = await gpu.alloc("mutant", 8 * slots);
      return make(gpu, slots, table);
    },
  }),
});

async function make(gpu: Owner, slots: number, table: GPUBuffer): Promise<GpuTable> {
  const takes = ["keys", "values", "kinds", "results", "range"] as const;
  const kernel = await gpu.kernel({ file: FILE, sizes: { slots }, bound: { table }, takes });
  const fill = await fillStep(gpu, table, EMPTY);
  const mixed = async (run: RunSteps, { kinds, keys, values, results, slices }: MixedBatch) => {
    const { ns } = await run(
      slices.map(({ first, count }) =>
        step(kernel, count, { keys, values, kinds, results, range: { first, end: first + count } }),
      ),
    );
    return { ns, count: 0, restarts: 0 };
  };
  /** n operations of one kind; their results, for a moment. */
  const all = (run: RunSteps, kind: keyof typeof MIXED_KINDS, n: number, batch: Partial<MixedBatch>) =>
    scoped(gpu, async (own) => {
      const words = (name: string) => own.alloc(`mutant ${name}`, Math.max(1, n) * 4);
      const [kinds, unused, results] = [await words("kinds"), await words("values"), await words("results")];
      await own.run([await fillStep(own, kinds, MIXED_KINDS[kind])]);
      const { keys = unused, values = unused } = batch;
      const made = { kinds, keys, values, results: batch.results ?? results, slices: [{ first: 0, count: n }] };
      const { ns } = await mixed(run, made);
      const succeeded = kind === "find" ? 0 : (await own.read(results, n)).reduce((sum, word) => sum + word, 0);
      return { ns, count: kind === "insert" ? n - succeeded : succeeded, restarts: 0 };
    });
  return {
    slots,
    bytes: 8 * slots,
    clear: () => gpu.run([fill]),
    insert: (run, { keys, values, n }) => all(run, "insert", n, { keys, values }),
    find: (run, { keys, results, n }) => all(run, "find", n, { keys, results }),
    erase: (run, { keys, n }) => all(run, "erase", n, { keys }),
    mixed,
  };
}
