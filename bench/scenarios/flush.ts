/**
 * Times FLUSH (slab hash, IPDPS 2018, IV.C.4) of all lists at once: of a table that was filled with n pairs, and from which the first of
 * them, a share, were erased. An operation is the flush of a list.
 */
import { EMPTY } from "../../kernels/common/steps.js";
import { scoped } from "../../kernels/device/owned.js";
import type { Nodes } from "../../kernels/table.js";
import { exact } from "../results/metrics.js";
import type { BenchContext, PreparedCell } from "./benchmark.js";
import { BulkTable } from "./bulk-table.js";
import type { CellTable } from "./cell-table.js";
import { ofTables, withoutValues } from "./gpu-tables.js";
import { real } from "./parameters.js";

const ERASED = 0.5;
/** Beside the table and its copy, a pair: its value, and its answer. */
const BESIDE_BYTES = 8;

export const flushBenchmark = ofTables({
  operations: [{ id: "flush" }],
  parameters: [real("erased", 0, 1, `share of the pairs that were erased before (default: ${ERASED})`)],
  unfit: (type) => (type.flushes ? withoutValues(type) : "has nothing to flush"),
  byBuckets: true,
  bytes: (of) => 2 * of.bytes() + BESIDE_BYTES * of.cell.n,
  prepare,
});

async function prepare(of: CellTable, context: BenchContext): Promise<PreparedCell> {
  const bulk = await BulkTable.make(of, context, false);
  const { prepared, data } = bulk;
  const { occupancy, flush } = prepared.table.nodes as Required<Nodes>;
  const erased = Math.round(data.n * Number(of.cell.params.erased ?? ERASED));
  const fill = bulk.resetToFull();
  const reset = async () => {
    await fill();
    if (erased === 0) return;
    const { count } = await prepared.does("erase")(prepared.time, { keys: data.keys, n: erased });
    if (count !== erased) throw new Error(`${count} of ${erased} keys were erased`);
  };
  return {
    mutates: true,
    reset,
    sample: async () => (await flush(prepared.time)).ns,
    operations: (await occupancy()).lists,
    dataHash: data.digest,
    access: null,
    verify: () =>
      scoped(context.gpu, async (own) => {
        const { answers, wrong } = await bulk.stored(own, erased);
        if (wrong) return wrong;
        const found = (await own.read(answers, erased)).filter((answer) => answer !== EMPTY).length;
        return found === 0 ? "" : `${found} of ${erased} erased keys were found`;
      }),
    metrics: async () => {
      await reset();
      const { nodes } = await occupancy();
      const { count } = await flush(prepared.time);
      return [exact("freed_share", count / nodes), ...(await prepared.occupancy(data.n - erased))];
    },
  };
}
