/**
 * Times a hash join without partitions (Crystal: Shanbhag et al., SIGMOD 2020, 4.3; GPH, SIGMOD 2025, 7.3). A table is built of the n
 * rows of R. The rows of S probe it, and their partners are aggregated. Parameter `probeRatio`: |S| / |R|. A sample is the build and all
 * probes; S is made part by part, of n rows each, which is not timed, and neither is emptying the table.
 */
import { UsageError } from "../../kernels/device/errors.js";
import { summarise } from "../measure/statistics.js";
import { exact, type Metric, type MetricName, within } from "../results/metrics.js";
import type { BenchContext, PreparedCell } from "./benchmark.js";
import type { CellTable } from "./cell-table.js";
import { ofTables, withoutLoadFactor } from "./gpu-tables.js";
import { whole } from "./parameters.js";
import { preparePairs } from "./prepared-table.js";
import { probeRelation } from "./workload/join.js";

/** Values of R; keys, payloads and answers of a part of S. */
const ROW_BYTES = 4 * 4;

export const joinBenchmark = ofTables({
  operations: [{ id: "join" }],
  parameters: [whole("probeRatio", 1, 2 ** 12, "rows of S, for each of R")],
  unfit: withoutLoadFactor,
  bytes: (of) => of.bytes() + of.cell.n * ROW_BYTES,
  prepare,
});

async function prepare(of: CellTable, context: BenchContext): Promise<PreparedCell> {
  const { cell } = of;
  const ratio = Number(cell.params.probeRatio);
  if (!(ratio >= 1)) throw new UsageError(`${cell.experiment}: parameter probeRatio is missing`);
  const { data, table, pairs, prepared } = await preparePairs(of, context, "R has every key once");
  const relation = await probeRelation(context.gpu, data, ratio, cell.seed);
  const { time } = prepared;
  /** Nanoseconds of each sample's build and probes. */
  const builds: number[] = [];
  const probes: number[] = [];
  return {
    mutates: true,
    reset: async () => {
      await prepared.renew();
      await relation.clear();
    },
    sample: async () => {
      const { ns: build } = await prepared.insert(time, pairs);
      let probe = 0;
      for (let number = 0; number < relation.parts; number++) {
        const { lookups, aggregate } = await relation.part(number);
        const { ns: search } = await prepared.find(lookups);
        // In a pass of its own: what a table answers is in its place when `find` has returned, not after each of its passes.
        const { ns: added } = await time([aggregate]);
        probe += search + added;
      }
      builds.push(build);
      probes.push(probe);
      return build + probe;
    },
    operations: data.n + relation.rows,
    dataHash: data.digest,
    // A sample inserts and searches: no pattern of device/limits is both.
    access: null,
    verify: async () => {
      const [is, expected] = [await relation.aggregated(), await relation.expected(pairs.values)];
      if (is.rows === expected.rows && is.sum === expected.sum) return "";
      return `the join has ${is.rows} rows and the sum ${is.sum}; right are ${expected.rows} and ${expected.sum}`;
    },
    metrics: async () => [
      ofSamples("build_time", builds),
      ofSamples("probe_time", probes),
      ofSamples(
        "build_share",
        builds.map((build, i) => build / (build + (probes[i] ?? 0))),
      ),
      exact("load_factor_reached", data.n / table.slots),
    ],
  };
}

/** The median of a value of each sample, and its range. */
export function ofSamples(metric: MetricName, values: readonly number[]): Metric {
  const { median, lo, hi } = summarise(values);
  return within(metric, { value: median, lo, hi });
}
