/**
 * The time that building a cuckoo table would take by the model of Alcantara et al., GPU Computing Gems 2011, 4.5.3. Every sample
 * measures the model's constants on this device by the access benchmarks. As in the chapter they are those of strided updates of one
 * array, whatever the table's size. Parameter `gathers`: with the accesses that our build makes beside the chapter's, and the attempts in
 * vain, all at this table's size.
 */

import { median } from "simple-statistics";
import { PAIR_BYTES } from "../../kernels/common/steps.js";
import { cuckoo, slotsFor } from "../../kernels/cuckoo/cuckoo.js";
import { UsageError } from "../../kernels/device/errors.js";
import type { CellSpec } from "../base/experiment.js";
import { exact } from "../results/metrics.js";
import type { BenchContext, Benchmark, PreparedCell } from "./benchmark.js";
import { limitBenchmark } from "./limit.js";
import { attempts, type BuildSize, chapterTime, type GatherCosts, ownTime, turnAttempts } from "./limits/cost-model.js";
import { INSERT } from "./operations.js";
import { stridedBenchmark } from "./strided.js";

const MIB = 2 ** 20;
/** Words a pair of the array on which the chapter's constants are measured: 512 MB, as the chapter's, at 32 million pairs. */
const WORDS_A_PAIR = 4;
/** Elements between those of neighbouring lanes, enough that each lane has a cache line of its own. */
const NO_LOCALITY = 2 ** 10;
/** Fewer accesses than this take no longer than these. */
const FEWEST = 1024;

/** How a constant is measured: a cell of an access benchmark, and accesses of one of its operations. */
interface Probe {
  readonly constant: keyof GatherCosts;
  readonly benchmark: Benchmark;
  readonly cell: CellSpec;
  readonly accesses: number;
}

export const modelBenchmark: Benchmark = {
  measures: "GPU table",
  operations: [INSERT],
  series: () => [{ id: cuckoo.id, title: cuckoo.title, ops: [INSERT.id] }],
  parameters: [
    { name: "gathers", values: [true, false], meaning: "with the accesses that our build makes beside the chapter's" },
    ...cuckoo.parameters.filter(({ name }) => name === "functions"),
  ],
  clock: "gpu",
  bytes: (cell) => probesOf(cell).reduce((sum, { benchmark, cell: own }) => sum + benchmark.bytes(own), 0),
  prepare,
};

function sizeOf({ n, loadFactor, experiment }: CellSpec): BuildSize {
  if (loadFactor === null || loadFactor >= 1)
    throw new UsageError(`${experiment}: the model needs a load factor below 1`);
  return { n, slots: slotsFor(n, loadFactor) };
}

/** Attempts of the cell's model to insert all pairs. */
function triesOf(cell: CellSpec): number {
  return cell.params.gathers === true
    ? turnAttempts(sizeOf(cell), Number(cell.params.functions ?? 4))
    : attempts(sizeOf(cell));
}

/** In the order in which a build makes such accesses: each finds in the caches what the one before left. */
function probesOf(cell: CellSpec): Probe[] {
  const { n, slots } = sizeOf(cell);
  const tries = triesOf(cell);
  const random = (table: string, bytes: number, count: number) => {
    const own = { n: Math.max(FEWEST, Math.round(count)), params: { tableMiB: bytes / MIB } };
    return { benchmark: limitBenchmark, cell: { ...cell, bench: "limit", table, ...own }, accesses: 1 };
  };
  const strided = (table: string, words: number, stride: number, accesses: number) => {
    const own = { bench: "strided", table, n: words, params: { stride } };
    return { benchmark: stridedBenchmark, cell: { ...cell, ...own }, accesses };
  };
  if (cell.params.gathers !== true) {
    const words = WORDS_A_PAIR * n;
    return [
      { constant: "coalesced", ...strided("update8", words, 1, 2) },
      { constant: "uncoalesced", ...strided("exchange", words, NO_LOCALITY, 1) },
    ];
  }
  // A word a slot and a word a key share the caches while pairs are moved.
  const moved = 4 * (slots + n);
  return [
    { constant: "coalesced", ...strided("update8", 2 * slots, 1, 2) },
    { constant: "uncoalesced", ...random("exchange", moved, tries) },
    { constant: "key", ...random("read4", moved, tries - n) },
    { constant: "pair", ...random("read8", PAIR_BYTES * n, n) },
  ];
}

async function prepare(cell: CellSpec, context: BenchContext): Promise<PreparedCell> {
  const size = sizeOf(cell);
  const tries = triesOf(cell);
  const measured: Record<keyof GatherCosts, number[]> = { coalesced: [], uncoalesced: [], key: [], pair: [] };
  const probes: (Probe & { readonly prepared: PreparedCell })[] = [];
  for (const probe of probesOf(cell))
    probes.push({ ...probe, prepared: await probe.benchmark.prepare(probe.cell, context) });
  return {
    mutates: false,
    repeats: false,
    sample: async () => {
      const costs = { coalesced: 0, uncoalesced: 0, key: 0, pair: 0 };
      for (const { constant, prepared, accesses } of probes) {
        costs[constant] = (await prepared.sample()) / (accesses * prepared.operations);
        measured[constant].push(costs[constant]);
      }
      return cell.params.gathers === true ? ownTime(size, tries, costs) : chapterTime(size, costs);
    },
    operations: cell.n,
    dataHash: "",
    access: null,
    verify: async () => {
      for (const { prepared } of probes) {
        const wrong = await prepared.verify();
        if (wrong) return wrong;
      }
      return "";
    },
    metrics: async (ns) => {
      // The bound that the chapter sets any hash table: an update a pair.
      const update = median(measured.uncoalesced);
      return [
        exact("limit_mops", 1e3 / update),
        exact("limit_share", (size.n * update) / ns),
        exact("probes", tries / size.n),
        ...probes.map(({ constant }) => exact(`${constant}_access`, median(measured[constant]))),
      ];
    },
  };
}
