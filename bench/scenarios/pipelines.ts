/**
 * What comes before the first answer of a table: compiling the kernels of an operation, and their first dispatch. Each sample compiles
 * other programs of the same instructions, so that none comes from what an implementation or a driver has kept.
 */
import { median } from "simple-statistics";
import { PAIR_BYTES } from "../../kernels/common/steps.js";
import type { Kernel } from "../../kernels/device/gpu.js";
import { allTables, tableType } from "../../kernels/index.js";
import type { RunSteps } from "../../kernels/table.js";
import { sourceOf } from "../device/gpu.js";
import { exact } from "../results/metrics.js";
import type { BenchContext, Operation, PreparedCell } from "./benchmark.js";
import { BulkTable } from "./bulk-table.js";
import type { CellTable } from "./cell-table.js";
import { ofTables, withoutValues } from "./gpu-tables.js";
import { FIND, INSERT } from "./operations.js";
import { LOOKUPS, lookupsOf } from "./parameters.js";

export const pipelinesBenchmark = ofTables(
  {
    operations: [INSERT, FIND] satisfies readonly Operation[],
    parameters: [LOOKUPS],
    unfit: (type) => (type.api ? "has no kernels of WebGPU" : withoutValues(type)),
    bytes: (of) => of.bytes() + (of.cell.n + lookupsOf(of.cell)) * PAIR_BYTES,
    prepare,
  },
  { all: allTables, byId: tableType, clock: "cpu" },
);

/** Nanoseconds of one sample. */
interface Start {
  compile: number;
  /** From the first submission of the new kernels until what they left is read. */
  first: number;
}

async function prepare(of: CellTable, context: BenchContext, { id }: Operation): Promise<PreparedCell> {
  const { gpu } = context;
  const bulk = await BulkTable.make(of, context, false);
  const { prepared, data } = bulk;
  await bulk.fill();
  const lookups = id === FIND.id ? await bulk.lookupsOf(of.cell, gpu) : null;
  const starts: Start[] = [];
  const again = async (kernel: Kernel, fresh: number): Promise<Kernel> => {
    const source = sourceOf(kernel);
    if (!source) throw new Error(`${kernel.file}: nobody knows what it was compiled from`);
    return gpu.kernel({ ...source, fresh });
  };
  const running = (start: Start): RunSteps => {
    const fresh = starts.length + 1;
    return async (steps, ...more) => {
      const began = performance.now();
      const kernels = await Promise.all(steps.map(({ kernel }) => again(kernel, fresh)));
      const compiled = performance.now();
      const pass = await gpu.time(
        steps.map((step, i) => ({ ...step, kernel: kernels[i] ?? step.kernel })),
        ...more,
      );
      start.compile += (compiled - began) * 1e6;
      start.first ||= (performance.now() - compiled) * 1e6;
      return pass;
    };
  };
  return {
    ...bulk.common(id),
    mutates: true,
    reset: () => (lookups ? Promise.resolve() : prepared.renew()),
    sample: async () => {
      const start: Start = { compile: 0, first: 0 };
      const run = running(start);
      await (lookups ? prepared.does("find")(run, lookups) : bulk.build(run));
      starts.push(start);
      return start.compile;
    },
    access: null,
    operations: 1,
    dataHash: data.digest,
    verify: () => (lookups ? bulk.check(lookups, "find") : bulk.checkAll()),
    // The first one warms up.
    metrics: async () => [exact("first_dispatch_time", median(starts.slice(1).map(({ first }) => first)))],
  };
}
