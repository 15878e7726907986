/**
 * How full a table gets before it refuses a pair (GPH, SIGMOD 2025, Fig. 15a). The n pairs of a table that is made for them
 * arrive in equal batches, until one of these has pairs that find no room: `load_factor_reached` is of those before it. A
 * sample inserts these at once into the empty table. Parameter `batches`: what the n pairs are divided into.
 */
import { PAIR_BYTES } from "../../kernels/common/steps.js";
import { scoped } from "../../kernels/device/owned.js";
import { exact } from "../results/metrics.js";
import type { BenchContext, PreparedCell } from "./benchmark.js";
import type { CellTable } from "./cell-table.js";
import { ofTables, withoutLoadFactor } from "./gpu-tables.js";
import { INSERT } from "./operations.js";
import { whole } from "./parameters.js";
import { preparePairs } from "./prepared-table.js";
import { findStored } from "./workload/stored.js";

const BATCHES = 256;

export const reachBenchmark = ofTables({
  operations: [INSERT],
  parameters: [whole("batches", 2, 2 ** 16, `equal parts in which the input arrives (default: ${BATCHES})`)],
  unfit: (type) => (type.incremental ? withoutLoadFactor(type) : "is built in one insertion"),
  limited: true,
  // Values, and the answers of the verification.
  bytes: (of) => of.bytes() + of.cell.n * PAIR_BYTES,
  prepare,
});

async function prepare(of: CellTable, context: BenchContext): Promise<PreparedCell> {
  const { n, params } = of.cell;
  const { data, table, pairs, prepared } = await preparePairs(of, context, "a table is filled with different keys");
  const { slots } = table;
  const { time, find } = prepared;
  /** Pairs first … end - 1; nanoseconds. */
  const insert = async (first: number, end: number): Promise<number> => {
    const some = { ...pairs, first, n: end - first };
    return (await prepared.insert(time, some, { mayRefuse: true })).ns;
  };

  await prepared.renew();
  const batches = Number(params.batches ?? BATCHES);
  const end = (batch: number) => Math.floor((batch * n) / batches);
  let batch = 0;
  while (batch < batches && prepared.refused === 0) {
    await insert(end(batch), end(batch + 1));
    batch += 1;
  }
  // The pairs of the batches before the first one that has refused pairs. Of other groupings into dispatches a few of them may be.
  const inserted = prepared.refused > 0 ? end(batch - 1) : n;
  if (inserted === 0) throw new Error("pairs of the first batch were refused");
  return {
    mutates: true,
    reset: () => prepared.renew(),
    sample: () => insert(0, inserted),
    operations: inserted,
    dataHash: data.digest,
    access: prepared.access(INSERT.id),
    verify: () =>
      scoped(context.gpu, async (own) => {
        const { refused, salt } = prepared;
        return (await findStored(own, data, { inserted, refused, salt }, find)).wrong;
      }),
    metrics: async () => [
      exact("load_factor_reached", inserted / slots),
      exact("refused_share", prepared.refused / inserted),
    ],
  };
}
