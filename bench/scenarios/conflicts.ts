/**
 * Times RMWs that meet at one word (DyCuckoo, 5.2 and Fig. 5). `n` operations, a lane each, go to `words` words in turn; parameter
 * `conflicts`: how many neighbouring lanes go to one word. `sequential` reads and writes n neighbouring words, whatever these are.
 */
import { step } from "../../kernels/common/bulk.js";
import { UsageError } from "../../kernels/device/errors.js";
import type { CellSpec } from "../base/experiment.js";
import type { BenchContext, Benchmark, PreparedCell } from "./benchmark.js";
import { ownOf, whole } from "./parameters.js";

const SERIES = [
  { id: "cas", title: "atomicCompareExchange", conditions: { RMW: true, CAS: true, EXCHANGE: false } },
  { id: "exchange", title: "atomicExchange", conditions: { RMW: true, CAS: false, EXCHANGE: true } },
  { id: "sequential", title: "Coalesced read and write", conditions: { RMW: false, CAS: false, EXCHANGE: false } },
] as const;
const UPDATE = "update";
/** From one word to the next that RMWs go to: a sector. */
const WORD_BYTES = 32;

/** Bytes of the words that RMWs or plain accesses go to. */
function bytesOf({ table, n, params }: CellSpec): number {
  return table === "sequential" ? 4 * n : WORD_BYTES * Number(params.words);
}

export const conflictsBenchmark: Benchmark = {
  measures: "access pattern",
  operations: [{ id: UPDATE }],
  series: () => SERIES.map(({ id, title }) => ({ id, title, ops: [UPDATE] })),
  parameters: [
    whole("conflicts", 1, 2 ** 20, "neighbouring lanes that go to one word"),
    whole("words", 1, 2 ** 26, "words that lanes go to in turn"),
  ],
  clock: "gpu",
  bytes: bytesOf,
  prepare,
};

async function prepare(cell: CellSpec, { gpu }: BenchContext): Promise<PreparedCell> {
  const { n, params } = cell;
  const { conditions } = ownOf(cell, SERIES);
  const [conflicts, words] = [Number(params.conflicts ?? 0), Number(params.words ?? 0)];
  if (!(conflicts >= 1 && words >= 1)) {
    throw new UsageError(`${cell.experiment}: parameter ${conflicts >= 1 ? "words" : "conflicts"} is missing`);
  }
  const sizes = { operations: n, conflicts, words };
  const data = await gpu.alloc("words", bytesOf(cell));
  const failed = await gpu.alloc("failed", 16);
  const bound = { data, failed };
  const kernel = (entry: string) =>
    gpu.kernel({ file: "bench/scenarios/limits/conflicts.wgsl", entry, conditions, sizes, bound, takes: [] });
  const [update, check] = await Promise.all([kernel("main"), kernel("check")]);
  return {
    mutates: true,
    reset: () => gpu.zero(data),
    sample: async () => (await gpu.time([step(update, n, {})])).ns,
    operations: n,
    dataHash: "",
    access: null,
    verify: async () => {
      await gpu.zero(failed);
      await gpu.run([step(check, n, {})]);
      const [wrong = 0] = await gpu.read(failed, 1);
      return wrong === 0 ? "" : `the words of ${wrong} of ${n} lanes hold what none of their lanes left`;
    },
    metrics: async () => [],
  };
}
