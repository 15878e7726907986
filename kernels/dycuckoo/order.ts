/**
 * A batch in the order of the buckets that its pairs go to first, as far as it has to be: what pairs in flight together go to lies in
 * the cache. Ours, not the paper's. See results/studies/dycuckoo.md, "Ordered batches".
 */
import { fillStep, WORKGROUP } from "../common/steps.js";
import { dispatch } from "../device/bind.js";
import type { Step } from "../device/gpu.js";
import type { Owner } from "../device/owned.js";
import type { Pairs, UnavoidableAccess } from "../table.js";
import { BUCKET, slotsOf } from "./filling.js";
import type { Kernels } from "./kernels.js";
import { bucketBytes, type SubTables } from "./sub-tables.js";

/** REGIONS of kernels/dycuckoo/regions.wgsl. */
const REGIONS = 128;
/** A table of fewer is in the cache anyway. */
const LEAST_REGIONS = 4;
/** Keys that a lane counts. */
const KEYS_A_LANE = 16;
/** Pairs of a lane, in a tile. */
const LANE_PAIRS = 4;
/** Lanes of a tile, where the device has workgroups so large, of so much memory. */
const LANES = 512;
/** A batch for fewer of a table's slots is inserted as it comes: its pairs rarely share a sector. */
const LEAST_LOAD = 1 / 8;
const WORD = 4;

/** Workgroup memory of order.wgsl. */
const tileBytes = (lanes: number) => WORD * (3 * LANE_PAIRS * lanes + 4 * REGIONS);

/** Bytes that ordering a batch of n pairs takes. */
export const orderingBytes = (n: number) => 2 * n * WORD + 2 * REGIONS * WORD;

/** Of an insertion of a batch that is ordered. A copy of four words reads and writes 32 bytes. */
export const orderedAccess: UnavoidableAccess = {
  pattern: "copy",
  times: (4 + 16 + 8 + 20) / 32,
  why: "48 bytes, read and written in a row: keys, pairs to their places, pairs, the table at load factor 0.8 both ways",
};

export type Ordering = Awaited<ReturnType<typeof orderingFor>>;

/** @param regionBytes of keys and values, at least; more where there would be too many regions. Throws DoesNotFit. */
export async function orderingFor(gpu: Owner, kernels: Kernels, memory: SubTables, regionBytes: number) {
  const buckets = slotsOf(memory.buckets) / BUCKET;
  const size = Math.max(regionBytes / bucketBytes(1), buckets / REGIONS);
  // Buckets of a region are 2^shift.
  const shift = Math.ceil(Math.log2(size));
  const regions = Math.ceil(buckets / 2 ** shift);
  const bytes = REGIONS * WORD;
  const [totals, cursors] = [await gpu.alloc("pairs of regions", bytes), await gpu.alloc("cursors", bytes)];
  const { maxComputeInvocationsPerWorkgroup: most = 0, maxComputeWorkgroupStorageSize: room = 0 } = gpu.info.limits;
  const lanes = most >= LANES && room >= tileBytes(LANES) ? LANES : WORKGROUP;
  const rooms = gpu.kept(async (own, n: number) => ({
    keys: await own.alloc("keys by region", n * WORD),
    values: await own.alloc("values by region", n * WORD),
  }));
  return {
    /** Whether a batch of n pairs is worth ordering. */
    takes: (n: number, slots: number) => regions >= LEAST_REGIONS && n >= LEAST_LOAD * slots,
    /** The batch in order, after these steps. They go by the shares of the sub-tables as of now. Throws DoesNotFit. */
    async steps({ keys, values, n, first = 0 }: Pairs, memory: SubTables) {
      const ordered = await rooms.get(n);
      const bound = memory.bound();
      const takes = ["keys_in", "order", "totals"] as const;
      const moves = ["values_in", "cursors", "keys_out", "values_out"] as const;
      const [count, order] = await Promise.all([
        kernels.plain("count-regions", bound, takes, { TURNS: KEYS_A_LANE }),
        kernels.plain("order", bound, [...takes, ...moves], { LANES: lanes }),
      ]);
      const shared = { keys_in: keys, order: { first, n, shift, regions }, totals };
      const steps: Step[] = [
        await fillStep(gpu, totals, 0),
        await fillStep(gpu, cursors, 0),
        dispatch(count, Math.ceil(n / (WORKGROUP * KEYS_A_LANE)), shared),
        dispatch(order, Math.ceil(n / (LANE_PAIRS * lanes)), {
          ...shared,
          values_in: values,
          cursors,
          keys_out: ordered.keys,
          values_out: ordered.values,
        }),
      ];
      return { steps, ordered };
    },
  };
}
