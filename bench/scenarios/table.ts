/** Times one operation of one GPU table in bulk: insert, find, erase, upsert or export. */
import { PAIR_BYTES } from "../../kernels/common/steps.js";
import { scoped } from "../../kernels/device/owned.js";
import { LOOKUP_OPS, type LookupOp } from "../../kernels/operations.js";
import type { RunSteps, TableOp } from "../../kernels/table.js";
import type { CellSpec } from "../base/experiment.js";
import { exact, type Metric } from "../results/metrics.js";
import { ALLOCATION, DEVICE_SHARE, memoryOf } from "./allocation.js";
import type { BenchContext, Operation, PreparedCell } from "./benchmark.js";
import { BulkTable, datasetOf } from "./bulk-table.js";
import { type CellTable, PARTS } from "./cell-table.js";
import { CHUNK, chunks, isChunk } from "./chunks.js";
import { ofTables, type TableBenchmark, type TableCells, withoutValues } from "./gpu-tables.js";
import { ERASE, INSERT, timed } from "./operations.js";
import { LOOKUPS, lookupsOf, real, whole } from "./parameters.js";
import { historyOf, prepareScenario, scenarioBytes } from "./scenario-cells.js";
import { MOST_DISORDER, orderBytes } from "./workload/ordered.js";

/** An operation in bulk, with all that the benchmark has to know of it. */
interface BulkOperation extends Operation {
  readonly id: TableOp;
  /** Every sample of the cell begins with a table that was built once, of which a copy is kept. */
  readonly restores?: true;
  /** As `Benchmark` has it. */
  sharedBytes?(table: CellTable): Readonly<Record<string, number>>;
  prepare(table: CellTable, context: BenchContext): Promise<PreparedCell>;
}

const insert: BulkOperation = {
  ...INSERT,
  async prepare(of, context) {
    if (isChunk(of.cell)) return prepareScenario(of, context, chunks);
    const bulk = await BulkTable.make(of, context, true);
    const { prepared, data } = bulk;
    return {
      ...bulk.common(INSERT.id),
      mutates: true,
      reset: () => prepared.renew(),
      sample: () => bulk.build(),
      operations: data.n,
      dataHash: data.digest,
      verify: () => bulk.checkAll(),
      metrics: async () => {
        const counted = await prepared.count(data.n, async (run) => {
          await prepared.renew();
          return bulk.build(run);
        });
        return [...(await bulk.built()), ...counted];
      },
    };
  },
};

/** `find`, and each other operation that answers keys. */
const asking = (op: LookupOp): BulkOperation => ({
  ...timed(op),
  sharedBytes: (of) => ({
    [builtName(of)]: of.bytes() + of.cell.n * 4,
    [lookupsName(of.cell)]: lookupsOf(of.cell) * PAIR_BYTES,
  }),
  /** Cells that differ in what they ask ask one table, and all tables are asked the same: who verifies asks anew. */
  async prepare(of, context) {
    const { gpu, shared } = context;
    const bulk = await shared.get(gpu, builtName(of), async (own) => {
      const made = await BulkTable.make(of, { ...context, gpu: own }, true);
      await made.fill();
      return made;
    });
    const lookups = await shared.get(gpu, lookupsName(of.cell), (own) => bulk.lookupsOf(of.cell, own));
    const { prepared, data } = bulk;
    return {
      ...bulk.common(op, of.cell),
      ...prepared.searches(lookups, op),
      operations: lookups.n,
      dataHash: data.digest + lookups.digest,
      verify: () => bulk.check(lookups, op),
      metrics: async (ns) => {
        const { keys, results } = lookups;
        const ask = (run: RunSteps, n: number) => prepared.does(op)(run, { keys, results, n });
        const asked = await prepared.countSome(lookups.n, ask, prepared.table);
        return withTimeBalance([...(await bulk.built()), ...asked], ns);
      },
    };
  },
});

const erase: BulkOperation = {
  ...ERASE,
  restores: true,
  async prepare(of, context) {
    const bulk = await BulkTable.make(of, context, false);
    const { prepared, data } = bulk;
    const lookups = await bulk.everyKey();
    const run = (by: RunSteps, n = data.n) => prepared.does("erase")(by, { keys: lookups.keys, n });
    return {
      ...bulk.common(ERASE.id),
      mutates: true,
      reset: bulk.resetToFull(),
      sample: async () => {
        const { ns, count } = await run(prepared.time);
        if (count !== data.unique) throw new Error(`${count} of ${data.unique} keys were erased`);
        return ns;
      },
      operations: data.n,
      dataHash: data.digest + lookups.digest,
      verify: async () => {
        await lookups.poison();
        await prepared.find(lookups);
        return lookups.checkAllAbsent();
      },
      metrics: async () => {
        await bulk.fill();
        return [...(await bulk.built()), ...(await prepared.countSome(data.n, run))];
      },
    };
  },
};

/** Every key once more, in random order; what is added is 0, so that the table stays as it is. */
const upsert: BulkOperation = {
  ...timed("upsert"),
  async prepare(of, context) {
    const bulk = await BulkTable.make(of, context, false);
    await bulk.fill();
    const { prepared, data } = bulk;
    const lookups = await bulk.everyKey();
    const values = await context.gpu.alloc("values to add", 4 * data.n);
    const run = async (by: RunSteps, n = data.n) => {
      const { ns, count } = await prepared.does("upsert")(by, { keys: lookups.keys, values, n, rule: "add" });
      if (count > 0) throw new Error(`${count} of ${n} rows were refused`);
      return ns;
    };
    return {
      ...bulk.common("upsert"),
      mutates: false,
      repeats: false,
      sample: () => run(prepared.time),
      operations: data.n,
      dataHash: data.digest + lookups.digest,
      verify: () => bulk.checkAll(),
      metrics: async () => [...(await bulk.built()), ...(await prepared.countSome(data.n, run))],
    };
  },
};

const exporting: BulkOperation = {
  ...timed("export"),
  async prepare(of, context) {
    const { gpu } = context;
    const bulk = await BulkTable.make(of, context, false);
    await bulk.fill();
    const { prepared, data } = bulk;
    const n = data.unique;
    const [keys, values] = [await gpu.alloc("exported keys", 4 * n), await gpu.alloc("exported values", 4 * n)];
    return {
      ...bulk.common("export"),
      mutates: false,
      repeats: false,
      sample: async () => {
        const { ns, count } = await prepared.does("export")(prepared.time, { keys, values, n });
        if (count !== n) throw new Error(`${count} of ${n} pairs were exported`);
        return ns;
      },
      operations: n,
      dataHash: data.digest,
      verify: () =>
        scoped(gpu, async (own) => {
          const results = await own.alloc("answers", 4 * n);
          await prepared.find({ keys, results, n });
          const [given, found] = [await gpu.read(values, n), await gpu.read(results, n)];
          const wrong = given.findIndex((value, i) => value !== found[i]);
          if (wrong >= 0) return `pair ${wrong} is not the table's`;
          const sorted = (await gpu.read(keys, n)).sort();
          const again = sorted.findIndex((key, i) => i > 0 && key === sorted[i - 1]);
          return again < 0 ? "" : `key ${sorted[again]} was exported twice`;
        }),
      metrics: () => bulk.built(),
    };
  },
};

const OPERATIONS = [insert, ...LOOKUP_OPS.map(asking), erase, upsert, exporting];

/** Cells of one operation in bulk. */
export const bulkCells = {
  operations: OPERATIONS,
  kind: "in bulk",
  parameters: [
    LOOKUPS,
    ...CHUNK,
    whole("disorder", 0, MOST_DISORDER, "queries are sorted, but in random order within blocks of 2^disorder"),
    real("skew", 0, 16, "exponent of the data set zipf"),
    ALLOCATION,
    DEVICE_SHARE,
    PARTS,
  ],
  unfit(type) {
    const unfit = withoutValues(type);
    return unfit && `${unfit}: the benchmark of such tables is "repeated"`;
  },
  byBuckets: true,
  bytes(table, { restores, lookups }) {
    const { cell, type } = table;
    if (isChunk(cell)) return scenarioBytes(table, chunks.scenario(table));
    const asked = (lookups ? lookupsOf(cell) : cell.n) * PAIR_BYTES;
    const ordering = cell.params.disorder === undefined ? 0 : orderBytes(lookupsOf(cell));
    // The program of a native table has queries and answers on its device too.
    const copied = type.api === "cuda" || type.api === "hip" ? asked : 0;
    return (restores ? 2 : 1) * table.bytes() + cell.n * 4 + asked + copied + ordering;
  },
  prepare: (table, context, operation) => operation.prepare(table, context),
} satisfies TableCells<BulkOperation>;

const bulk = ofTables({
  ...bulkCells,
  limited: true,
  sharedBytes: (table, operation) => operation.sharedBytes?.(table) ?? {},
  history: (table) => historyOf(table, chunks),
});

export const tableBenchmark: TableBenchmark = {
  ...bulk,
  history: (cell) => (isChunk(cell) ? (bulk.history?.(cell) ?? null) : null),
};

/** Cells for which this is equal ask one table. */
function builtName({ cell, type, loadFactor }: CellTable): string {
  return JSON.stringify([
    "table",
    type.id,
    datasetOf(cell),
    cell.n,
    loadFactor,
    cell.seed,
    type.params,
    memoryOf(cell),
    cell.params[DEVICE_SHARE.name],
    cell.params[PARTS.name],
  ]);
}

/** Cells for which this is equal ask the same. */
function lookupsName(cell: CellSpec): string {
  const { n, positiveRatio, seed, params } = cell;
  return JSON.stringify(["lookups", datasetOf(cell), n, positiveRatio, seed, params.lookups, params.disorder]);
}

/** Adds time × balance, the y axis of gph/fig3. */
function withTimeBalance(metrics: readonly Metric[], ns: number): Metric[] {
  const balance = metrics.find(({ metric }) => metric === "balance");
  return [...metrics, ...(balance ? [exact("time_balance", ns * balance.value)] : [])];
}
