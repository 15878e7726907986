/**
 * Times joins as whole problems: two relations on the device, rows of results on the device. The build side has each key `repeats`
 * times; a share `present` of the probe side's rows has partners. An operation is a result, or a row of the probe side if these are more.
 */

import { UsageError } from "../../kernels/device/errors.js";
import { JOIN_KINDS, type Joined, type JoinKind, makeJoin } from "../../kernels/join/join.js";
import type { CellSpec } from "../base/experiment.js";
import { exact } from "../results/metrics.js";
import { type Benchmark, movedBytes } from "./benchmark.js";
import { ofSamples } from "./join.js";
import { real, whole } from "./parameters.js";
import { CHAINED, makeChainJoin } from "./workload/chains.js";
import { GroupedRows } from "./workload/grouped.js";
import { wrongJoin } from "./workload/joined.js";

const INDEX = { id: "join-index", title: "Index by partitions", ops: JOIN_KINDS };
const CHAINS = { id: "join-chains", title: "Chains of slabs", ops: CHAINED };

export const joinRowsBenchmark: Benchmark = {
  measures: "query",
  operations: JOIN_KINDS.map((id) => ({ id })),
  series: () => [INDEX, CHAINS],
  parameters: [
    whole("repeats", 1, 2 ** 20, "rows of the build side that have a key"),
    real("probeRatio", 0, 2 ** 12, "rows of the probe side, for each of the build side (default: 1)"),
    real("present", 0, 1, "share of them that have partners (default: 1)"),
    { name: "equal", values: [true], meaning: "n results: both sides have n / repeats rows" },
    { name: "unique", values: [true, false], meaning: "keys of the build side are expected to be unique" },
  ],
  clock: "gpu",
  limits: { patternsOf: () => ["copy", "read8"] },
  bytes: (cell) => 40 * rowsOf(cell) + 24 * probesOf(cell) * Number(cell.params.repeats ?? 1),
  async prepare(cell, { gpu }) {
    const { seed, params, experiment } = cell;
    const { repeats = 1, present = 1 } = params;
    const n = rowsOf(cell);
    const keys = Math.max(1, Math.round(n / Number(repeats)));
    if (!(Number(present) > 0)) throw new UsageError(`${experiment}: present is ${present}; some rows have partners`);
    const usual = { skew: 0, columns: 0, seed };
    const build = await GroupedRows.make(gpu, { ...usual, n, groups: keys, shape: "turns" });
    const asked = Math.max(keys, Math.round(keys / Number(present)));
    const probe = await GroupedRows.make(gpu, { ...usual, n: probesOf(cell), groups: asked, shape: "even" });
    const kind = cell.op as JoinKind;
    const join =
      cell.table === CHAINS.id
        ? await makeChainJoin(gpu, { kind, n, probes: probe.n, seed })
        : await makeJoin(gpu, { kind, unique: params.unique === true });
    const run = () => join.run((...pass) => gpu.time(...pass), build, probe);
    let joined: Joined = await run();
    const operations = Math.max(joined.results, probe.n);
    const builds: number[] = [];
    const probing: number[] = [];
    return {
      mutates: false,
      repeats: false,
      sample: async () => {
        joined = await run();
        builds.push(joined.build);
        probing.push(joined.probe);
        return joined.build + joined.probe;
      },
      operations,
      dataHash: build.digest + probe.digest,
      // All keys are read and all results written; a row of the probe side looks at a place that its key decides.
      access: movedBytes(
        4 * (n + probe.n) + (kind === "inner" || kind === "left" ? 8 : 4) * joined.results,
        operations,
        {
          pattern: "read8",
          times: probe.n / operations,
          tableBytes: 8 * keys,
        },
      ),
      verify: () => wrongJoin(gpu, { build, probe, numbers: asked }, joined, kind),
      metrics: async () => [
        ofSamples("build_time", builds),
        ofSamples("probe_time", probing),
        exact("results", joined.results),
      ],
    };
  },
};

/** Rows of the build side. */
function rowsOf({ n, params }: CellSpec): number {
  return params.equal === true ? Math.ceil(n / Number(params.repeats ?? 1)) : n;
}
function probesOf(cell: CellSpec): number {
  return Math.max(1, Math.round(rowsOf(cell) * Number(cell.params.probeRatio ?? 1)));
}
