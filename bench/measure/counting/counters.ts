/** Runs the counting variants of kernels and adds up their records: probes, transactions, warp efficiency. */
import { ownWidth, variant } from "../../../kernels/common/steps.js";
import {
  type CountedKernel,
  type Gpu,
  gridOf,
  type Kernel,
  type Part,
  type Step,
} from "../../../kernels/device/gpu.js";
import { scoped } from "../../../kernels/device/owned.js";
import type { GpuTable, RunSteps } from "../../../kernels/table.js";
import { onceEach } from "../../base/once.js";
import { sourceOf } from "../../device/gpu.js";
import { exact, type Metric } from "../../results/metrics.js";
import { countersOf } from "./own.js";
import { RECORD_WORDS, REGIONS_AT, sumRecords, WORDS } from "./sums.js";
import { type KernelText, REGION_NAMES, regionOperations } from "./weights.js";

/** Bytes of a cache line. */
const LINE = 128;
/** The papers' warp width: WARP of kernels/common/warp.wgsl. */
const WARP = 32;

type Word = (typeof WORDS)[number];
/** What follows from several words. */
const DERIVED = ["probes", "balanceSlots", "laneOperations", "warpOperations"] as const;
/**
 * Counters of one kernel, summed over its workgroups and dispatches; longestWarp: the most of all workgroups, summed over
 * dispatches.
 * probes: steps, counted once where the TILE lanes of a tile make a step together.
 * balanceSlots: Σ over workgroups of the longest warp's steps times its warps, the denominator of balance.
 * laneOperations, warpOperations: Σ over regions of static operations times executions, by lanes and by warps.
 */
type KernelCounts = Record<Word | (typeof DERIVED)[number], number>;

export interface Counts {
  /** Lanes of the adapter's own warps. */
  readonly ownWidth: number;
  dispatches: number;
  /** By the kernel's name: its entry point, or its file where that is `main`. */
  readonly kernels: Map<string, KernelCounts>;
  /** Static operations of the regions that were executed, by kernel and region. */
  readonly weights: Map<string, ReadonlyMap<string, number>>;
  /** Of plug-ins, by their names. */
  readonly own: Map<string, number>;
}

const OWN_AT = WORDS.indexOf("own0");

const none = () => Object.fromEntries([...WORDS, ...DERIVED].map((name) => [name, 0])) as KernelCounts;

/**
 * Of more independent operations than these (retrievals, deletions) only the first ones are counted. Their order is random,
 * so they are a random sample. A mean over 4,194,304 operations is within 0.1 % of that over all where a single operation
 * differs from it by as much as the mean itself (1 / √4194304 = 0.05 %, twice). Insertions are counted all: each finds what
 * the others left.
 */
export const COUNTED_OPERATIONS = 2 ** 22;

/** How many of so many independent operations are counted. */
export function countedOf(operations: number): number {
  return Math.min(operations, COUNTED_OPERATIONS);
}

/** Whether an operation was to be counted, but none of its kernels counts. */
export function isUncounted(metrics: readonly Metric[]): boolean {
  return metrics.some(({ metric, value }) => metric === "counted_operations" && value === 0);
}

/** The counting variant of a kernel; the kernel itself where it is one, or has none (`variant` makes those that have one). */
async function countingVariant(gpu: Gpu, kernel: Kernel): Promise<Kernel> {
  const source = kernel.counted ? undefined : sourceOf(kernel);
  return source?.conditions?.COUNT === false ? variant(gpu, source, true) : kernel;
}

/** Begins to compile the counting variant of every kernel that it is told of, while the kernel itself is timed. */
export function countAhead(gpu: Gpu): (kernel: Kernel) => void {
  // A kernel is an object of its own for every request.
  const known = new WeakSet<GPUComputePipeline>();
  return (kernel) => {
    if (known.has(kernel.pipeline)) return;
    known.add(kernel.pipeline);
    // An error shows again where the variant is wanted.
    countingVariant(gpu, kernel).catch(() => undefined);
  };
}

/**
 * A runner that collects the counters of every step that counts, in `counts`. It runs the counting variants in place of timed
 * kernels, and so any operation of any table.
 */
export function countingRunner(gpu: Gpu): { run: RunSteps; counts: Counts } {
  const counts: Counts = {
    ownWidth: ownWidth(gpu.info),
    dispatches: 0,
    kernels: new Map(),
    weights: new Map(),
    own: new Map(),
  };
  const run: RunSteps = (steps, ...read) =>
    scoped(gpu, async (own) => {
      counts.dispatches += steps.length;
      const kernels: Kernel[] = [];
      for (const { kernel } of steps) kernels.push(await countingVariant(gpu, kernel));
      // Workgroups past the last item write a record too. A mixed batch has a thousand steps: they share one buffer.
      const places = placesOf(steps.map(({ groups }, i) => (kernels[i]?.counted ? product(gridOf(groups)) : 0)));
      const buffer = await own.alloc("records", Math.max(places.bytes, 4));
      const bound = steps.map((step, i): Step => {
        const { kernel = step.kernel, place } = { kernel: kernels[i], place: places.of[i] };
        return { ...step, kernel, ...(kernel.counted && place && { counters: { buffer, ...place } }) };
      });
      const result = await gpu.time(bound, ...read);
      const counting = bound.flatMap(({ kernel: { counted }, counters, groups }) =>
        counted && counters ? [{ source: counted, offset: counters.offset, groups }] : [],
      );
      const sums = counting.length > 0 ? await sumRecords(own, buffer, counting) : [];
      for (const [i, { source }] of counting.entries()) addSums(counts, sums[i] ?? [], source);
      return result;
    });
  return { run, counts };
}

const ALIGNMENT = 256;
const product = ([x, y]: readonly [number, number]) => x * y;

/** Where so many records of each step lie in a buffer that all steps share. */
function placesOf(records: readonly number[]): {
  readonly of: readonly Omit<Part, "buffer">[];
  readonly bytes: number;
} {
  let bytes = 0;
  const of = records.map((count) => {
    const place = { offset: bytes, size: count * RECORD_WORDS * 4 };
    bytes += Math.ceil(place.size / ALIGNMENT) * ALIGNMENT;
    return place;
  });
  return { of, bytes };
}

/** Equal kernels are one object, whose text is too long to be compared for each of a mixed batch's steps. */
const weighed = onceEach((source: KernelText) => regionOperations(source));

function addSums(counts: Counts, total: readonly number[], source: CountedKernel): void {
  const name = source.entry === "main" ? source.file.replace(/^.*\/|\.wgsl$/g, "") : source.entry;
  const sums = counts.kernels.get(name) ?? none();
  counts.kernels.set(name, sums);
  for (const [i, word] of WORDS.entries()) sums[word] += total[i] ?? 0;
  sums.probes += (total[WORDS.indexOf("steps")] ?? 0) / (source.constants.TILE ?? 1);
  sums.balanceSlots += total[RECORD_WORDS] ?? 0;
  for (const [i, own] of countersOf(source.file).entries())
    counts.own.set(own, (counts.own.get(own) ?? 0) + (total[OWN_AT + i] ?? 0));
  const lanes = REGION_NAMES.map((_, region) => total[REGIONS_AT + 2 * region] ?? 0);
  const warps = REGION_NAMES.map((_, region) => total[REGIONS_AT + 2 * region + 1] ?? 0);
  const operations = weighed(source);
  const weights = new Map(counts.weights.get(name));
  for (const [region, label] of REGION_NAMES.entries()) {
    if (!warps[region]) continue;
    const weight = operations[region] ?? 0;
    sums.laneOperations += weight * (lanes[region] ?? 0);
    sums.warpOperations += weight * (warps[region] ?? 0);
    weights.set(label, weight);
  }
  counts.weights.set(name, weights);
}

/** Counters that follow from steps: of kernels that count none, they are unknown, which is not 0. */
const OF_STEPS = /^(probes$|balance$|longest_steps$|warp_|operations_)/;

/** part / whole; 0 where there is nothing. */
const share = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);

/** What the model of a retrieval's time asks of a table: how much memory its requests go to. */
export type RequestedTable = Pick<GpuTable, "bytes" | "storage">;

/**
 * Metrics of `operations` operations, which are all or so many of `of`. Where several kernels made steps, each one's warp efficiency
 * and weights follow those of all, with its name. With a table, of retrievals from it: what the model of their time is made
 * of. Where no kernel counts, nothing is known of them, which is not 0: `counted_operations` is.
 */
export function countMetrics(
  { kernels, weights, own, ownWidth, dispatches }: Counts,
  operations: number,
  table?: RequestedTable,
  of = operations,
): Metric[] {
  if (kernels.size === 0) return [exact("counted_operations", 0)];
  const all = none();
  for (const sums of kernels.values()) {
    for (const key of Object.keys(all) as (keyof KernelCounts)[]) all[key] += sums[key];
  }
  const stepping = [...kernels].filter(([, { steps }]) => steps > 0);
  const per = (value: number) => value / operations;
  const transactions = all.reads + all.writes + all.rmws;
  // No operation does nothing: the kernels forgot to count.
  if (all.steps + transactions === 0 && ![...own.values()].some((value) => value > 0))
    return [exact("counted_operations", 0)];
  const metrics = [
    ...(operations < of ? [exact("counted_operations", operations)] : []),
    exact("probes", per(all.probes)),
    exact("table_reads", per(all.reads)),
    exact("table_writes", per(all.writes)),
    exact("table_rmws", per(all.rmws)),
    exact("failed_cas", per(all.failedCas)),
    exact("transactions", per(transactions)),
    ...[...own].map(([metric, value]) => ({ metric, unit: "1/op", value: per(value), lo: null, hi: null })),
    exact("warp_operations", per(all.warpOperations)),
    exact("warp_operation_sectors", share(transactions, all.warpOperations)),
    ...(table ? [exact("dispatches", dispatches), ...requestMetrics(all, operations, table)] : []),
    exact("balance", share(all.warpSteps, all.balanceSlots)),
    exact("warp_efficiency_own", share(all.steps, ownWidth * all.ownWarpSteps)),
    ...efficiencies(all, ""),
    ...(stepping.length > 1 ? stepping.flatMap(([name, sums]) => efficiencies(sums, `_${name}`)) : []),
    ...[...weights].flatMap(([name, regions]) =>
      [...regions].map(([region, weight]) => {
        const kernel = stepping.length > 1 ? `${name}_` : "";
        return exact(`operations_${kernel}${region}`, weight);
      }),
    ),
  ];
  return all.steps > 0 ? metrics : metrics.filter(({ metric }) => own.has(metric) || !OF_STEPS.test(metric));
}

/** Requests an operation makes, by the bytes of the memory that they go to. */
function requestMetrics(all: KernelCounts, operations: number, table: RequestedTable): Metric[] {
  const { bytes, storage: { reads = {} } = {} } = table;
  const { indexBytes = 0, blockBytes = bytes, sorted = false } = reads;
  const requests = new Map<number, number>();
  const add = (to: number, count: number) => requests.set(to, (requests.get(to) ?? 0) + count / operations);
  if (sorted) {
    // Half of the bytes are of the keys. Step i has 2^i places, each in a cache line of its own, until these are all lines. A
    // cache has room for so many lines, however few of their sectors are asked for.
    for (let step = 0; step < all.probes / operations; step++)
      add(Math.min(bytes / 2, LINE * 2 ** step), Math.min(operations, all.probes - step * operations));
    add(bytes / 2, all.singleRequests - all.probes);
  } else {
    add(bytes - indexBytes, all.singleRequests);
    add(indexBytes, all.indexRequests);
  }
  return [
    exact("table_bytes", bytes),
    exact("block_bytes", blockBytes),
    exact("warp_steps", all.warpSteps / operations),
    exact("longest_steps", all.longestWarp),
    exact("block_requests", all.blockRequests / operations),
    ...[...requests].flatMap(([to, count]) => (count > 0 ? [exact(`requests_in_${to}`, count)] : [])),
  ];
}

/** Σ active lane-steps / (32 · Σ warp steps), and the same with each region's executions times its operations. */
function efficiencies(sums: KernelCounts, suffix: "" | `_${string}`): Metric[] {
  return [
    exact(`warp_efficiency${suffix}`, share(sums.steps, WARP * sums.warpSteps)),
    exact(`warp_efficiency_instructions${suffix}`, share(sums.laneOperations, WARP * sums.warpOperations)),
  ];
}
