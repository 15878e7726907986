/** What `widened` makes of a table of records (wide.ts). */
import type { Step } from "../device/gpu.js";
import type { Owner } from "../device/owned.js";
import type { Erasures, GpuTable, Lookups, MixedBatch, OpResult, Pairs, RunSteps } from "../table.js";
import { step } from "./bulk.js";
import { chunkOf } from "./record-bytes.js";

interface Records {
  readonly keyBytes: number;
  readonly valueBytes: number;
  /** Keys have two words, of which many have the first in common. Default: no. */
  readonly shared?: boolean;
}

/** The table, for callers that have words. */
export async function ofRecords(
  gpu: Owner,
  table: GpuTable,
  { keyBytes, valueBytes, shared }: Records,
): Promise<GpuTable> {
  const chunk = chunkOf(keyBytes, valueBytes);
  /** A kernel between words and records, from record 0 on. */
  const converter = async (entry: string, bytes: number, SHARED = false) => {
    const kernel = await gpu.kernel({
      file: "kernels/common/wide.wgsl",
      entry,
      conditions: { SHARED },
      constants: { WORDS: bytes / 4 },
      takes: ["words", "records", "range"],
    });
    return (words: GPUBuffer, records: GPUBuffer, first: number, n: number): Step =>
      step(kernel, n, { words, records, range: { first, end: first + n } });
  };
  const [widenKeys, widenValues, narrowValues] = await Promise.all([
    converter("widen", keyBytes, shared),
    converter("widen", valueBytes),
    converter("narrow", valueBytes),
  ]);
  // Kept between operations: buffers made anew would cost more than many of those. In the device's memory, as words are.
  const room = (use: string) => gpu.kept((own, bytes: number) => own.alloc(`wide ${use}`, bytes, "device"));
  const rooms = { keys: room("keys"), values: room("values"), results: room("results") };

  /** Does `work` for every chunk, with room for its records, and adds up what it says. */
  async function chunked(
    n: number,
    work: (first: number, count: number, keys: GPUBuffer, values: GPUBuffer) => Promise<OpResult>,
  ): Promise<OpResult> {
    const largest = Math.min(n, chunk);
    const keys = await rooms.keys.get(largest * keyBytes);
    const values = await rooms.values.get(largest * valueBytes);
    let sum: OpResult = { ns: 0, count: 0, restarts: 0 };
    for (let first = 0; first < n; first += chunk) {
      const { ns, count, restarts, overflowed } = await work(first, Math.min(chunk, n - first), keys, values);
      sum = {
        ns: sum.ns + ns,
        count: sum.count + count,
        restarts: sum.restarts + restarts,
        ...(overflowed !== undefined && { overflowed: (sum.overflowed ?? 0) + overflowed }),
      };
    }
    return sum;
  }

  const { erase, mixed } = table;
  const own: Partial<GpuTable> = {
    insert: (run: RunSteps, { keys, values, n, first = 0 }: Pairs) =>
      chunked(n, async (at, count, wideKeys, wideValues) => {
        await gpu.run([
          widenKeys(keys, wideKeys, first + at, count),
          widenValues(values, wideValues, first + at, count),
        ]);
        return table.insert(run, { keys: wideKeys, values: wideValues, n: count });
      }),
    find: (run: RunSteps, { keys, results, n }: Lookups) =>
      chunked(n, async (at, count, wideKeys, wideResults) => {
        await gpu.run([widenKeys(keys, wideKeys, at, count)]);
        const result = await table.find(run, { keys: wideKeys, results: wideResults, n: count });
        await gpu.run([narrowValues(results, wideResults, at, count)]);
        return result;
      }),
    ...(erase && {
      erase: (run: RunSteps, { keys, n }: Erasures) =>
        chunked(n, async (at, count, wideKeys) => {
          await gpu.run([widenKeys(keys, wideKeys, at, count)]);
          return erase.call(table, run, { keys: wideKeys, n: count });
        }),
    }),
    ...(mixed && {
      mixed: async (run: RunSteps, batch: MixedBatch) => {
        const n = Math.max(...batch.slices.map(({ first, count }) => first + count));
        const keys = await rooms.keys.get(n * keyBytes);
        const values = await rooms.values.get(n * valueBytes);
        const results = await rooms.results.get(n * valueBytes);
        await gpu.run([widenKeys(batch.keys, keys, 0, n), widenValues(batch.values, values, 0, n)]);
        const result = await mixed.call(table, run, { ...batch, keys, values, results });
        await gpu.run([narrowValues(batch.results, results, 0, n)]);
        return result;
      },
    }),
  };
  return new Proxy(table, {
    get(target, name) {
      if (name in own) return own[name as keyof GpuTable];
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
