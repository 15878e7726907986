/**
 * Every quantity that a row may hold: the one list of their names and units, of those that stand in for another quantity, of
 * what `compare` gates and `history` keeps. results/README.md says what each means; a test holds its table against this list.
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
  /** Of a stand-in, for reports: one line of Markdown. */
  readonly meaning?: string;
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
  mops: { unit: "M op/s", history: true },
  time: { unit: "ns", timed: true },
  limit_mops: { unit: "M op/s" },
  limit_share: { unit: "ratio" },
  bandwidth: { unit: "GB/s" },
  held_per_pair: { unit: "B", gate: { ...MORE_IS_WORSE, ofTable: true } },
  probes: { unit: "1/op", gate: MORE_IS_WORSE, history: true },
  table_reads: { unit: "sectors/op", gate: MORE_IS_WORSE },
  table_writes: { unit: "sectors/op", gate: MORE_IS_WORSE },
  table_rmws: { unit: "1/op", gate: MORE_IS_WORSE, history: true },
  "requests_in_<bytes>": { unit: "1/op" },
  block_requests: { unit: "1/op" },
  block_bytes: { unit: "B" },
  warp_steps: { unit: "1/op" },
  longest_steps: { unit: "1" },
  dispatches: { unit: "1" },
  failed_cas: { unit: "1/op" },
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
  warp_efficiency: { unit: "ratio", gate: { worse: "less", race: 12 }, history: true },
  warp_efficiency_own: { unit: "ratio" },
  warp_efficiency_instructions: {
    unit: "ratio",
    meaning: "active lanes of executed operations, by the number of operations in each region of the linked WGSL",
    standsInFor: "a profiler's warp execution efficiency, which counts machine instructions",
    gate: { worse: "less", race: 12 },
  },
  counted_operations: { unit: "operations" },
  "warp_efficiency_<kernel>": { unit: "ratio" },
  "warp_efficiency_instructions_<kernel>": { unit: "ratio" },
  "operations_<region>": { unit: "operations" },
  "operations_<kernel>_<region>": { unit: "operations" },
  chunk_occupancy: { unit: "ratio" },
  mixing_efficiency: { unit: "ratio", timed: true },
  mixing_efficiency_sliced: { unit: "ratio", timed: true },
  host_reads: { unit: "1/op", gate: MORE_IS_WORSE },
  host_writes: { unit: "1/op", gate: MORE_IS_WORSE },
  host_accesses: { unit: "1/op", gate: MORE_IS_WORSE },
  host_rounds: { unit: "rounds" },
  counted_mops: {
    unit: "M op/s",
    meaning:
      "rate at which a PCIe bus of the stated bandwidth carries the counted transactions with a table in host memory",
    timed: false,
    standsInFor: "a kernel's own accesses to host memory, for which WebGPU needs a Vulkan layer",
    measuredBy: { metric: "mops", where: { allocation: "host" } },
  },
  access_rate: { unit: "M op/s" },
  uncoalesced_access: { unit: "ns" },
  coalesced_access: { unit: "ns" },
  key_access: { unit: "ns" },
  pair_access: { unit: "ns" },
  first_dispatch_time: { unit: "ns" },
  restart_share: { unit: "ratio" },
  builds: { unit: "builds" },
  median_probes: { unit: "1/op" },
  longest_probes: { unit: "1/op" },
  smallest_space: { unit: "ratio" },
  build_time: { unit: "ns", timed: true },
  probe_time: { unit: "ns", timed: true },
  build_share: { unit: "ratio", timed: true },
  build_find_time: { unit: "ns" },
  restarts: { unit: "builds" },
  results: { unit: "1" },
  groups: { unit: "1" },
  group_plan: { unit: "1" },
  load_factor_reached: { unit: "ratio", gate: { worse: "less", race: 0, ofTable: true } },
  refused_share: { unit: "ratio" },
  overflow_share: { unit: "ratio", gate: MORE_IS_WORSE },
  memory_utilisation: { unit: "ratio", gate: { worse: "less", race: 6 } },
  average_slab_count: { unit: "slabs" },
  freed_share: { unit: "ratio", gate: { worse: "less", race: 6 } },
  filled_factor: { unit: "ratio", gate: { worse: "less", race: 6 } },
  filled_factor_step: { unit: "ratio", gate: MORE_IS_WORSE },
  buckets_accessed: { unit: "buckets", gate: MORE_IS_WORSE },
  table_bytes: { unit: "B", gate: { worse: "more", race: 0, ofTable: true } },
  deleted_share: { unit: "ratio", gate: MORE_IS_WORSE },
  most_table_bytes: { unit: "B", gate: { worse: "more", race: 0 } },
  resize_time: { unit: "ns" },
  upsizes: { unit: "resizes" },
  downsizes: { unit: "resizes" },
  upsized_share: { unit: "ratio", gate: MORE_IS_WORSE },
  downsized_share: { unit: "ratio", gate: MORE_IS_WORSE },
  sub_table_ratio: { unit: "ratio", gate: MORE_IS_WORSE },
  sub_table_fill: { unit: "ratio" },
  failed_resizes: { unit: "resizes" },
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

export function within(metric: MetricName, { value, lo, hi }: Pick<Metric, "value" | "lo" | "hi">): Metric {
  return { metric, unit: unitOf(metric), value, lo, hi };
}

export function unitOf(metric: MetricName): string {
  return metricType(metric)?.unit ?? "";
}
