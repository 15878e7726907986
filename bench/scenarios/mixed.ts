/** Times mixed batches: slices of interleaved insertions and retrievals, all in one pass (Stadium hashing, IV.A). */
import { type Owner, scoped } from "../../kernels/device/owned.js";
import type { RunSteps } from "../../kernels/table.js";
import { timeAside } from "../measure/aside.js";
import { exact, type Metric, type MetricName, within } from "../results/metrics.js";
import { ALLOCATION } from "./allocation.js";
import type { BenchContext, Operation, PreparedCell } from "./benchmark.js";
import type { CellTable } from "./cell-table.js";
import { ofTables, type TableCells, withoutValues } from "./gpu-tables.js";
import { MIXED } from "./operations.js";
import { MOST_KEYS, whole } from "./parameters.js";
import { PreparedTable } from "./prepared-table.js";
import { type BatchOptions, type DeviceBatch, deviceBatch } from "./workload/batch.js";
import type { DeviceKeys } from "./workload/keys.js";
import { checkDifferent } from "./workload/pairs.js";

/** Operations of a slice in the paper, about. */
const SLICE = 100_000;
/** A batch has two operations a pair, of four words each. */
const BATCH_BYTES = 2 * 4 * 4;

function optionsOf({ params, positiveRatio, seed }: CellTable["cell"]): BatchOptions {
  return { slice: Number(params.slice ?? SLICE), positiveRatio: positiveRatio ?? 1, seed };
}

export const mixedCells: TableCells<Operation> = {
  operations: [MIXED],
  parameters: [
    whole("slice", 2, MOST_KEYS, `operations of a slice (default: ${SLICE})`),
    {
      name: "apart",
      values: [true, false],
      meaning: "also time insertions and retrievals apart, for the efficiency of mixing",
    },
    ALLOCATION,
  ],
  unfit: withoutValues,
  bytes: (of) => of.bytes() + of.cell.n * BATCH_BYTES,
  prepare,
};

export const mixedBenchmark = ofTables(mixedCells);

async function prepare(of: CellTable, { gpu, keys }: BenchContext): Promise<PreparedCell> {
  const { cell, type } = of;
  const data = await keys.get(cell.dataset, cell.n, cell.seed);
  if (!type.duplicates) checkDifferent(data, `${type.id} takes every key once`);
  const table = await of.create(gpu, { n: data.unique });
  const batch = await deviceBatch(gpu, data, optionsOf(cell), "mixed");
  const prepared = new PreparedTable(of, gpu, table, batch);
  return {
    mutates: true,
    reset: () => prepared.renew(),
    sample: () => does(prepared, batch),
    operations: batch.operations,
    dataHash: data.digest + (await batch.digest()),
    // A batch has no one access that it cannot avoid.
    access: null,
    // Every answer of the batch; then every key has to be found with its newest value, and no other key.
    verify: async () => {
      const wrong = await batch.check(prepared.salt);
      if (wrong) return wrong;
      const lost = await prepared.checkEvery(data);
      return lost && `after the batch ${lost}`;
    },
    metrics: async (ns) => {
      const built = [exact("load_factor_reached", data.unique / table.slots), exact("restarts", prepared.restarts)];
      const efficiencies = cell.params.apart === true ? await efficienciesOf(gpu, prepared, data, ns) : [];
      // All of the batch once more: its insertions find what the others left.
      await table.clear();
      return [
        ...efficiencies,
        ...built,
        ...(await prepared.count(batch.operations, (run) => does(prepared, batch, run))),
      ];
    },
  };
}

/** Nanoseconds. Throws an Error if not all pairs got in. */
async function does(prepared: PreparedTable, batch: DeviceBatch, run: RunSteps = prepared.time): Promise<number> {
  const { ns, count, restarts } = await prepared.does("mixed")(run, batch);
  if (count > 0) throw new Error(`${count} insertions of ${batch.operations} operations found no slot`);
  prepared.restarts += restarts;
  return ns;
}

/** (T_insert + T_retrieve) / T_mixed, all by the kernels of the mix: both in one slice each, and in the slices of the batch. */
async function efficienciesOf(gpu: Owner, prepared: PreparedTable, data: DeviceKeys, ns: number): Promise<Metric[]> {
  const { slice } = optionsOf(prepared.of.cell);
  const over = async (metric: MetricName, length: number) => {
    const times = await apart(gpu, prepared, data, length);
    const sum = (of: "median" | "lo" | "hi") => times.reduce((total, summary) => total + summary[of], 0) / ns;
    return within(metric, { value: sum("median"), lo: sum("lo"), hi: sum("hi") });
  };
  return [await over("mixing_efficiency", 2 * data.n), await over("mixing_efficiency_sliced", slice)];
}

/** Times of all insertions, and of all retrievals after them, in slices as long as these mixed ones, its answers checked. */
function apart(gpu: Owner, prepared: PreparedTable, data: DeviceKeys, slice: number) {
  return scoped(gpu, async (own) => {
    const { table, salt, of } = prepared;
    const make = (content: "insert" | "find") => deviceBatch(own, data, { ...optionsOf(of.cell), slice }, content);
    const [insertions, retrievals] = [await make("insert"), await make("find")];
    await insertions.renew(salt);
    await retrievals.renew(salt);
    // Every turn of the insertions leaves the table full, which the retrievals' turn after it finds.
    const times = await timeAside(gpu, [
      { mutates: true, reset: () => table.clear(), sample: () => does(prepared, insertions) },
      { mutates: false, repeats: false, sample: () => does(prepared, retrievals) },
    ]);
    const wrong = await retrievals.check(salt);
    if (wrong) throw new Error(`insertions and retrievals apart: ${wrong}`);
    return times;
  });
}
