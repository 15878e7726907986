/**
 * Every quantity that a row may hold: the one list of their names, units and meanings, of those that stand in for another
 * quantity, of what `compare` gates and `history` keeps. results/README.md prints it, which a test checks.
 */

import type { Scalar } from "../../kernels/table.js";

/** How `compare` decides a counter. */
export interface Gate {
  readonly worse: "more" | "less";
  /**
   * Equal code may differ by race / √n, relative, in n operations: which lane wins a race for a slot differs from run to run.
   * Twice what software adapters showed (results/studies/compare.md) or, where they were not asked, that of the likes.
   */
  readonly race: number;
  /** It is the same whatever the kernels do: alone it says nothing of their work. */
  readonly ofTable?: true;
}

export interface MetricType {
  readonly name: string;
  readonly unit: string;
  /** One line of Markdown. */
  readonly meaning: string;
  /** What it stands in for, and why. */
  readonly standsInFor?: string;
  /** The rows that measure what it stands in for, on devices that have such: a metric, and parameters of their cells. */
  readonly measuredBy?: { readonly metric: string; readonly where: Readonly<Record<string, Scalar>> };
  /** It is timed: figures that measure it of one configuration have to agree in it, which `report` looks at. By default the unit says. */
  readonly timed?: boolean;
  /** Left out where counters vary too much, or say too little, to be compared. */
  readonly gate?: Gate;
  /** Whether `hashbench history` keeps it: the rate, and what tells why a rate changed. */
  readonly history?: boolean;
}

const MORE_IS_WORSE: Gate = { worse: "more", race: 6 };

/** By the value of the column `metric`. A part in angle brackets is any name: `operations_<region>` is a family. */
const METRICS = {
  mops: { unit: "M op/s", meaning: "operations of a sample / median time", history: true },
  time: {
    unit: "ns",
    timed: true,
    meaning:
      "median time of an operation on all items, over `repetitions`: of the GPU, from the first pass' begin to the last pass' " +
      "end; of the benches `cpu`, `host`, `host-mixed` and `pipelines` by the CPU's clock; of a native table by the `clock` of `system`",
  },
  limit_mops: {
    unit: "M op/s",
    meaning: "rate that device/limits measured for the access the operation cannot avoid, at the table's size",
  },
  limit_share: { unit: "ratio", meaning: "`mops` / `limit_mops`" },
  bandwidth: { unit: "GB/s", meaning: "bytes touched / median time, of access patterns" },
  held_per_pair: {
    unit: "B",
    meaning:
      "bytes that the table keeps for each pair stored, with locks, tickets, stashes and indexes, by the declaration of its " +
      "type, or as a native table's program says; what operations take for themselves is left out",
    gate: { ...MORE_IS_WORSE, ofTable: true },
  },
  probes: { unit: "1/op", meaning: "probe steps", gate: MORE_IS_WORSE, history: true },
  table_reads: { unit: "sectors/op", meaning: "32-byte sectors of the table that are read", gate: MORE_IS_WORSE },
  table_writes: { unit: "sectors/op", meaning: "32-byte sectors of the table that are written", gate: MORE_IS_WORSE },
  table_rmws: { unit: "1/op", meaning: "atomic read-modify-writes of the table", gate: MORE_IS_WORSE, history: true },
  "requests_in_<bytes>": {
    unit: "1/op",
    meaning:
      "requests of a retrieval for one sector of so many bytes of memory: of the table, of an index beside it, of what a step " +
      "of a binary search chooses from",
  },
  block_requests: {
    unit: "1/op",
    meaning: "requests of a retrieval for several adjacent sectors of the table at once",
  },
  block_bytes: { unit: "B", meaning: "bytes of the part of the table that these requests go to" },
  warp_steps: { unit: "1/op", meaning: "steps of the longest lane of each warp of 32 lanes, of retrievals" },
  longest_steps: {
    unit: "1",
    meaning: "steps of the lane that makes most of them, of retrievals; where they take several dispatches, their sum",
  },
  dispatches: { unit: "1", meaning: "dispatches that all retrievals of a sample take together" },
  failed_cas: { unit: "1/op", meaning: "compare-and-swaps that found another value" },
  transactions: {
    unit: "sectors/op",
    meaning: "32-byte sectors of the table that an operation reads, writes or modifies",
    standsInFor: "a profiler's count of executed memory instructions",
    gate: MORE_IS_WORSE,
    history: true,
  },
  balance: {
    unit: "ratio",
    meaning: "warp steps / (warps × the longest warp's steps), by workgroup",
    standsInFor: "achieved occupancy, which WebGPU does not expose",
  },
  time_balance: {
    unit: "ns",
    timed: true,
    meaning: "`time` × `balance`, of retrievals",
    standsInFor: "time × achieved occupancy",
  },
  warp_operations: {
    unit: "operations/op",
    meaning: "operations of the linked WGSL that warps of 32 lanes execute, by region",
    standsInFor: "a profiler's count of executed warp instructions",
  },
  warp_operation_sectors: {
    unit: "sectors",
    meaning: "`transactions` / `warp_operations`",
    standsInFor: "cycles per instruction, which rise with the memory accesses that an instruction waits for",
  },
  warp_efficiency: {
    unit: "ratio",
    meaning: "Σ active lane-steps / (32 · Σ warp steps): step-weighted, for the papers' warp width 32",
    gate: { worse: "less", race: 12 },
    history: true,
  },
  warp_efficiency_own: {
    unit: "ratio",
    meaning: "the same for the adapter's own warp width, or 32 where it does not say",
  },
  warp_efficiency_instructions: {
    unit: "ratio",
    meaning: "active lanes of executed operations, by the number of operations in each region of the linked WGSL",
    standsInFor: "a profiler's warp execution efficiency, which counts machine instructions",
    gate: { worse: "less", race: 12 },
  },
  counted_operations: {
    unit: "operations",
    meaning:
      "how many were counted, where not all were; 0: the kernels count nothing, or have no counting variant, and the cell no counters",
  },
  "warp_efficiency_<kernel>": { unit: "ratio", meaning: "of each kernel, where several make steps" },
  "warp_efficiency_instructions_<kernel>": { unit: "ratio", meaning: "of each kernel, where several make steps" },
  "operations_<region>": {
    unit: "operations",
    meaning:
      "static operations of a region (prologue, probe, claim, step, next, epilogue, fetch, wait) in the linked WGSL, a division by what is no constant as 20",
  },
  "operations_<kernel>_<region>": { unit: "operations", meaning: "of each kernel, where several make steps" },
  chunk_occupancy: { unit: "ratio", meaning: "share of the slots that are taken when half of the timed chunk is in" },
  mixing_efficiency: {
    unit: "ratio",
    timed: true,
    meaning:
      "time of inserting all pairs, then retrieving all queries, each in one slice by the kernels of the mix / time of the mixed slices",
  },
  mixing_efficiency_sliced: {
    unit: "ratio",
    timed: true,
    meaning: "the same with insertions alone, then retrievals alone, in the same slices",
  },
  host_reads: { unit: "1/op", meaning: "pairs of a table in host memory that were read", gate: MORE_IS_WORSE },
  host_writes: { unit: "1/op", meaning: "pairs of a table in host memory that were written", gate: MORE_IS_WORSE },
  host_accesses: {
    unit: "1/op",
    meaning: "accesses to a table in host memory; an exchange is one, a read and a write",
    gate: MORE_IS_WORSE,
  },
  host_rounds: { unit: "rounds", meaning: "trips between GPU and host" },
  counted_mops: {
    unit: "M op/s",
    meaning:
      "rate at which a PCIe bus of the stated bandwidth carries the counted transactions with a table in host memory",
    timed: false,
    standsInFor: "a kernel's own accesses to host memory, for which WebGPU needs a Vulkan layer",
    measuredBy: { metric: "mops", where: { allocation: "host" } },
  },
  access_rate: {
    unit: "M op/s",
    meaning: "memory accesses that the kernel of a strided update issues: two a plain update, one an atomic one",
  },
  uncoalesced_access: {
    unit: "ns",
    meaning: "an uncoalesced access of the cost model, measured with its rows; their `limit_mops` is 1 / this",
  },
  coalesced_access: { unit: "ns", meaning: "a coalesced access of the cost model" },
  key_access: { unit: "ns", meaning: "reading a key that is moved, of the cost model with all accesses" },
  pair_access: { unit: "ns", meaning: "reading a pair at the end, of the cost model with all accesses" },
  first_dispatch_time: {
    unit: "ns",
    meaning:
      "median wall time from the first submission of kernels that were compiled anew until what they left is read",
  },
  restart_share: {
    unit: "ratio",
    meaning:
      "builds that had to start again / all that were tried, each with hash functions of its own; Wilson's interval",
  },
  builds: { unit: "builds", meaning: "how many were tried" },
  median_probes: {
    unit: "1/op",
    meaning:
      "median of an insertion's iterations, over all insertions of the builds that ended; `probes` is their mean",
  },
  longest_probes: { unit: "1/op", meaning: "the most iterations that one of these insertions took" },
  smallest_space: {
    unit: "ratio",
    meaning:
      "slots per pair of the smallest table in which at most a tenth of the builds starts again, in steps of 0.005",
  },
  build_time: { unit: "ns", timed: true, meaning: "median time of building the table, or the index, of a join" },
  probe_time: {
    unit: "ns",
    timed: true,
    meaning:
      "median time of probing it by all rows of the other relation, and of aggregating their partners or writing the results",
  },
  build_share: { unit: "ratio", timed: true, meaning: "median share of building in a join" },
  build_find_time: {
    unit: "ns",
    meaning: "median time of a build + that of the retrieval measured, of tables whose keys repeat",
  },
  restarts: {
    unit: "builds",
    meaning:
      "builds that began again with new hash functions, sorts by another way, or group-bys with a larger table, all samples and warm-up runs of the cell together",
  },
  results: { unit: "1", meaning: "rows that a join gives" },
  groups: { unit: "1", meaning: "groups that a group-by found" },
  group_plan: { unit: "1", meaning: "its plan: 0 few, 1 local, 2 global, 3 partition, 4 sort" },
  load_factor_reached: {
    unit: "ratio",
    meaning: "distinct pairs stored, or different keys, / slots at the end",
    gate: { worse: "less", race: 0, ofTable: true },
  },
  refused_share: {
    unit: "ratio",
    meaning: "pairs that the table refused, of one that may / pairs; `load_factor_reached` is without them",
  },
  overflow_share: {
    unit: "ratio",
    meaning: "pairs whose only bucket was full when they came (GPH) / pairs",
    gate: MORE_IS_WORSE,
  },
  memory_utilisation: {
    unit: "ratio",
    meaning: "bytes of the keys and values stored (of a set: of its keys) / bytes of the nodes in use",
    gate: { worse: "less", race: 6 },
  },
  average_slab_count: { unit: "slabs", meaning: "pairs, or keys of a set, / (room of a slab × lists)" },
  freed_share: {
    unit: "ratio",
    meaning: "slabs that a flush gave back / slabs that were in use before it",
    gate: { worse: "less", race: 6 },
  },
  filled_factor: {
    unit: "ratio",
    meaning:
      "pairs / slots after the last batch of a dynamic workload, or before a resize; of slabs, the slots of those in use",
    gate: { worse: "less", race: 6 },
  },
  filled_factor_step: {
    unit: "ratio",
    meaning: "largest change of `filled_factor` from one batch to the next",
    gate: MORE_IS_WORSE,
  },
  buckets_accessed: {
    unit: "buckets",
    meaning:
      "accesses of buckets in a resize: one for each pair that is moved, and each bucket that an insertion looks at with its lock",
    gate: MORE_IS_WORSE,
  },
  table_bytes: {
    unit: "B",
    meaning:
      "bytes that the table holds, after the last batch, round, or resize if there are some; of slabs in a dynamic workload, " +
      "those in use",
    gate: { worse: "more", race: 0, ofTable: true },
  },
  deleted_share: {
    unit: "ratio",
    meaning:
      "slots marked as those of erased keys, which searches have to pass / slots that the table was made with, after the last round",
    gate: MORE_IS_WORSE,
  },
  most_table_bytes: {
    unit: "B",
    meaning: "the most bytes that it held after any batch, or in a resize",
    gate: { worse: "more", race: 0 },
  },
  resize_time: { unit: "ns", meaning: "GPU time of all resizes of a dynamic workload, part of `time`; of one run" },
  upsizes: { unit: "resizes", meaning: "resizes that made a table larger, over all batches" },
  downsizes: { unit: "resizes", meaning: "resizes that made it smaller" },
  upsized_share: {
    unit: "ratio",
    meaning: "pairs that an upsize moved / pairs of the table; of several, the largest",
    gate: MORE_IS_WORSE,
  },
  downsized_share: {
    unit: "ratio",
    meaning: "the same of downsizes",
    gate: MORE_IS_WORSE,
  },
  sub_table_ratio: {
    unit: "ratio",
    meaning: "slots of the largest sub-table / those of the smallest, the most after any batch",
    gate: MORE_IS_WORSE,
  },
  sub_table_fill: {
    unit: "ratio",
    meaning:
      "filled factor of the largest sub-tables / that of the smallest, after the last batch, where sub-tables are of two sizes",
  },
  failed_resizes: {
    unit: "resizes",
    meaning: "resizes that were taken back, for want of memory or of room for a pair in the other sub-tables",
  },
} as const satisfies Readonly<Record<string, Omit<MetricType, "name">>>;

const types: MetricType[] = Object.entries(METRICS).map(([name, type]) => ({ name, ...type }));

/** In the order of results/README.md; after them those that were registered. */
export const metricTypes: readonly MetricType[] = types;

/** Adds a metric at run time: a plug-in's counter. */
export function registerMetric(type: MetricType): void {
  types.push(type);
}

/** `operations_${string}` of `operations_<region>`. */
type Filled<Name extends string> = Name extends `${infer Before}<${string}>${infer After}`
  ? `${Before}${string}${Filled<After>}`
  : Name;

/** A name of the list, or one of a family. */
export type MetricName = Filled<keyof typeof METRICS>;

/** How much of the name is fixed: of the families that a name fits, the narrowest is its own. */
const fixed = ({ name }: MetricType): number => name.replace(/<.*?>/g, "").length;
const families = metricTypes
  .filter(({ name }) => name.includes("<"))
  .sort((a, b) => fixed(b) - fixed(a))
  .map((type) => ({ type, pattern: new RegExp(`^${type.name.replace(/<.*?>/g, "[\\w-]+")}$`) }));

/** The entry of a value of the column `metric`; undefined for one that hashbench does not know. */
export function metricType(name: string): MetricType | undefined {
  return metricTypes.find((type) => type.name === name) ?? families.find(({ pattern }) => pattern.test(name))?.type;
}

/** Units of rates and times. */
const CLOCK_UNITS: ReadonlySet<string> = new Set(["M op/s", "ns", "GB/s"]);

/** Whether a clock decides the quantity: a rate, a time, or a share of one. On a software adapter that is a CPU's speed. */
export function byClock(name: string): boolean {
  const type = metricType(name);
  return type !== undefined && (type.timed ?? (CLOCK_UNITS.has(type.unit) || name === "limit_share"));
}

/** One measured quantity of a cell, before it becomes a row. */
export interface Metric {
  readonly metric: string;
  readonly unit: string;
  readonly value: number;
  /** Ends of the range of its samples, of a share that is counted of its 95 % interval; null where the value is exact or of one sample. */
  readonly lo: number | null;
  readonly hi: number | null;
}

/** A metric without a range: it is counted, computed, or one number of its own. */
export function exact(metric: MetricName, value: number): Metric {
  return within(metric, { value, lo: null, hi: null });
}

/** A metric with the range of its samples. */
export function within(metric: MetricName, { value, lo, hi }: Pick<Metric, "value" | "lo" | "hi">): Metric {
  return { metric, unit: unitOf(metric), value, lo, hi };
}

export function unitOf(metric: MetricName): string {
  return metricType(metric)?.unit ?? "";
}
