/** The benchmarks by the name that cells use. */
import type { Benchmark } from "../measure/benchmark.js";
import { cpuBenchmark } from "./cpu.js";
import { hostBenchmark, hostMixedBenchmark } from "./host.js";
import { limitBenchmark } from "./limit.js";
import { mixedBenchmark } from "./mixed.js";
import { modelBenchmark } from "./model.js";
import { repeatedBenchmark } from "./repeated.js";
import { restartsBenchmark } from "./restarts.js";
import { stridedBenchmark } from "./strided.js";
import { tableBenchmark } from "./table.js";

export const benchmarks: Readonly<Record<string, Benchmark>> = {
  table: tableBenchmark,
  mixed: mixedBenchmark,
  repeated: repeatedBenchmark,
  host: hostBenchmark,
  "host-mixed": hostMixedBenchmark,
  limit: limitBenchmark,
  strided: stridedBenchmark,
  model: modelBenchmark,
  restarts: restartsBenchmark,
  cpu: cpuBenchmark,
};
