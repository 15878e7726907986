/**
 * Times one resize of a table of sub-tables (DyCuckoo, 6.2), which holds all pairs at the load factor: upsize or downsize, as the
 * table does it or by inserting the pairs anew. An operation is a pair of a sub-table that is resized.
 */
import { DoesNotFit, UsageError } from "../../kernels/device/errors.js";
import type { RunSteps } from "../../kernels/table.js";
import { countMetrics } from "../measure/counting/counters.js";
import { exact, type MetricName } from "../results/metrics.js";
import type { BenchContext, Operation, PreparedCell } from "./benchmark.js";
import type { CellTable } from "./cell-table.js";
import { ofTables } from "./gpu-tables.js";
import { preparePairs } from "./prepared-table.js";

interface Direction extends Operation {
  readonly direction: "up" | "down";
  /** The share of the pairs that one moves. */
  readonly share: MetricName;
}

const UPSIZE: Direction = { id: "upsize", direction: "up", share: "upsized_share" };
const DOWNSIZE: Direction = { id: "downsize", direction: "down", share: "downsized_share" };
/** Beside the tables, a pair: its value, and a query with its answer. */
const BESIDE_BYTES = 12;
const NOT_RESIZED = "is resized only with resize: true";

export const resizeBenchmark = ofTables({
  operations: [UPSIZE, DOWNSIZE],
  parameters: [
    {
      name: "how",
      values: ["relocate", "rehash"],
      meaning: "relocate: as the table resizes itself (default); rehash: the pairs are inserted anew",
    },
  ],
  unfit: ({ parameters }) => (parameters.some(({ name }) => name === "resize") ? "" : NOT_RESIZED),
  byBuckets: true,
  // A whole table may be there twice, the new one with twice the slots.
  bytes: (of) => 3 * of.bytes() + BESIDE_BYTES * of.cell.n,
  prepare,
});

async function prepare(
  of: CellTable,
  context: BenchContext,
  { id, direction, share }: Direction,
): Promise<PreparedCell> {
  const { data, table, pairs, prepared } = await preparePairs(of, context);
  const { resizable } = table;
  if (!resizable) throw new UsageError(`${of.type.id} ${NOT_RESIZED}`);
  const filling = () => resizable.filling();
  /** All pairs with new values, in a table of the size that it began with. */
  const fill = async (): Promise<void> => {
    await prepared.renew();
    const { slots } = table;
    await prepared.insert(prepared.time, pairs);
    if (table.slots !== slots)
      throw new UsageError("the table resized itself as it was filled: alpha or beta is too near");
  };
  /** Nanoseconds. Throws DoesNotFit if the table gave it up, an Error unless it was resized once. */
  const resize = async (run: RunSteps): Promise<number> => {
    const how = of.cell.params.how === "rehash" ? "rehash" : "relocate";
    const { ns, resizing } = await resizable.resize(run, direction, how);
    const { upsizes = 0, downsizes = 0, failed = 0 } = resizing ?? {};
    if (failed > 0) throw new DoesNotFit(`the ${id} was given up: no memory, or no room for a pair that has to move`);
    const [up, down] = direction === "up" ? [1, 0] : [0, 1];
    if (upsizes === up && downsizes === down) return ns;
    throw new Error(`${upsizes} upsizes and ${downsizes} downsizes in place of one ${id}`);
  };

  // The pairs of the sub-tables that change their size: which lane got a slot first changes their number by a few in a million.
  await fill();
  const before = filling().subTables;
  await resize(prepared.time);
  const after = filling().subTables;
  const operations = before.reduce((sum, { pairs, slots }, i) => sum + (slots === after[i]?.slots ? 0 : pairs), 0);
  return {
    mutates: true,
    reset: fill,
    sample: () => resize(prepared.time),
    operations,
    dataHash: data.digest,
    // Buckets are moved as a whole: no random access is the one that cannot be avoided.
    access: null,
    // No pair came or went, every key is found with its value, and no other key.
    verify: async () => {
      const { pairs: left } = filling();
      if (left !== data.unique) return `${left} pairs after the resize, ${data.unique} before`;
      return prepared.checkEvery(data);
    },
    metrics: async () => {
      await fill();
      const { pairs: stored, slots } = filling();
      const counts = await prepared.counted(resize);
      const buckets = [...counts.kernels.values()].reduce((sum, kernel) => sum + kernel.buckets, 0);
      return [
        exact("filled_factor", stored / slots),
        exact(share, operations / stored),
        exact("buckets_accessed", buckets),
        ...(await prepared.occupancy(data.unique)),
        exact("table_bytes", table.bytes),
        ...countMetrics(counts, operations),
      ];
    },
  };
}
