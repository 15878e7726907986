/**
 * Times updates at a stride (Alcantara et al., GPU Computing Gems 2011, 4.5.3). `n` is the size of the array in 4-byte words;
 * it has nearly as many lanes as elements, each updates one. Parameter `stride`: elements between those of neighbouring lanes, a
 * power of two.
 */
import { step } from "../../kernels/common/bulk.js";
import { exact } from "../results/metrics.js";
import type { Benchmark, PreparedCell } from "./benchmark.js";
import { stridedUpdates } from "./limits/strided.js";
import { ownOf } from "./parameters.js";

/**
 * Elements by which N is smaller than an even number, by their bytes. Odd, so that a stride, a power of two, comes to every element. They
 * shift each turn through the array against the one before. Both widths shift by about 170 bytes, so that neither finds more of the other
 * turns in caches.
 */
const SHORT = { 4: 43, 8: 21 } as const;

export const stridedBenchmark: Benchmark = {
  measures: "access pattern",
  operations: [{ id: "update" }],
  series: () => stridedUpdates.map(({ id, title }) => ({ id, title, ops: ["update"] })),
  parameters: [
    {
      name: "stride",
      values: Array.from({ length: 32 }, (_, log) => 2 ** log),
      meaning: "elements between those of neighbouring lanes",
    },
  ],
  clock: "gpu",
  bytes: ({ n }) => 4 * n,
  async prepare(cell, { gpu }): Promise<PreparedCell> {
    const { elementBytes, access } = ownOf(cell, stridedUpdates);
    const plain = access === undefined;
    const conditions = { WORD: plain && elementBytes === 4, PAIR: plain && elementBytes === 8, RMW: !plain };
    const elements = Math.floor((4 * cell.n) / elementBytes / 2) * 2 - SHORT[elementBytes];
    const sizes = { elements, log_stride: Math.log2(Number(cell.params.stride)) };
    const data = await gpu.alloc("strided array", elements * elementBytes);
    const failed = await gpu.alloc("failed", 16);
    const turn = gpu.uniform([0]);
    const bound = { data, runs: turn, failed };
    const kernel = (entry: string) =>
      gpu.kernel({
        file: "bench/scenarios/limits/strided.wgsl",
        entry,
        conditions,
        constants: plain ? {} : { ACCESS: access },
        sizes,
        bound,
        takes: [],
      });
    const [update, check] = await Promise.all([kernel("main"), kernel("check")]);
    let runs = 0;
    await gpu.zero(data);
    return {
      // Every run finds what the one before left, and leaves as much to do.
      mutates: false,
      // A run has its number in a uniform, which one pass cannot change.
      repeats: false,
      sample: async () => {
        gpu.write(turn, 0, Uint32Array.of(runs));
        const { ns } = await gpu.time([step(update, elements, {})]);
        runs += 1;
        return ns;
      },
      operations: elements,
      dataHash: "",
      access: null,
      verify: async () => {
        gpu.write(turn, 0, Uint32Array.of(runs));
        await gpu.zero(failed);
        await gpu.run([step(check, elements, {})]);
        const [wrong = 0] = await gpu.read(failed, 1);
        return wrong === 0 ? "" : `${wrong} of ${elements} elements do not hold what ${runs} runs leave`;
      },
      // A read and a write, or one RMW.
      metrics: async (ns) => [exact("access_rate", ((plain ? 2 : 1) * elements * 1e3) / ns)],
    };
  },
};
