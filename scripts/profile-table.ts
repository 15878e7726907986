/** What `ncu` counted of the originals' kernels, beside what our counters of the ports stand in for. */
import { parse } from "csv-parse/sync";
import { type Block, paragraph, table } from "../bench/base/document.js";
import { significant } from "../bench/base/format.js";
import { groupBy } from "../bench/results/group.js";
import type { MetricName } from "../bench/results/metrics.js";
import type { ResultRow } from "../bench/results/record.js";

const OCCUPANCY = "sm__warps_active.avg.pct_of_peak_sustained_active";
const INSTRUCTIONS = "smsp__inst_executed.sum";
const THREADS = "smsp__thread_inst_executed_per_inst_executed.ratio";
const CYCLES = "smsp__average_warp_latency_per_inst_issued.ratio";
const SECTORS = "lts__t_sectors_srcunit_tex.sum";
const REQUESTS = ["ld", "st", "atom", "red"].map((op) => `l1tex__t_requests_pipe_lsu_mem_global_op_${op}.sum`);
export const NCU_METRICS: readonly string[] = [OCCUPANCY, INSTRUCTIONS, THREADS, CYCLES, SECTORS, ...REQUESTS];

/** The kernels of an original, as its library calls them, by what they do. */
export const KERNELS: Readonly<Record<string, Readonly<Record<Launch["op"], string>>>> = {
  warpcore: { insert: "insert", find: "retrieve" },
  dycuckoo: { insert: "cuckoo_insert", find: "cuckoo_search" },
  cuckoo: { insert: "CuckooHash", find: "hash_retrieve" },
  "slab-hash": { insert: "build_table_kernel", find: "search_table" },
};

/** A kernel that ran on so many items. */
export interface Launch {
  readonly op: "insert" | "find";
  readonly positiveRatio: number | null;
  readonly counts: Readonly<Record<string, number>>;
}

interface Quantity {
  readonly name: string;
  /** Metrics whose sum it is, divided by a number or by the operations. */
  readonly of: readonly string[];
  readonly per: number | "operation";
  readonly standIn: MetricName;
}

const QUANTITIES: readonly Quantity[] = [
  { name: "warp instructions", of: [INSTRUCTIONS], per: "operation", standIn: "warp_operations" },
  { name: "active lanes of an instruction / 32", of: [THREADS], per: 32, standIn: "warp_efficiency_instructions" },
  { name: "sectors between L1 and L2", of: [SECTORS], per: "operation", standIn: "transactions" },
  { name: "memory instructions of warps", of: REQUESTS, per: "operation", standIn: "transactions" },
  { name: "achieved occupancy", of: [OCCUPANCY], per: 100, standIn: "balance" },
  { name: "cycles of a warp / its instructions", of: [CYCLES], per: 1, standIn: "warp_operation_sectors" },
];

/** Without types, names of spaces, parameters and arguments. */
const baseName = (kernel: string) => kernel.replace(/[<(].*$/s, "").replace(/^.*[\s:]/s, "");

/**
 * The launches in what `ncu --csv --page raw` wrote of a program that inserted all pairs, looked as many present keys up, and then absent
 * ones. A build that failed was begun again: the last one counts.
 */
export function launchesIn(csv: string, port: string): Launch[] {
  const lines = csv.split("\n").filter((line) => line.startsWith('"'));
  const [, ...records] = parse(lines.join("\n"), { columns: true }) as Record<string, string>[];
  const of = (op: Launch["op"]) =>
    records.filter((record) => baseName(record["Kernel Name"] ?? "") === KERNELS[port]?.[op]).map(countsOf);
  const inserted = of("insert")
    .slice(-1)
    .map((counts) => ({ op: "insert" as const, positiveRatio: null, counts }));
  return [...inserted, ...of("find").map((counts, i) => ({ op: "find" as const, positiveRatio: 1 - i, counts }))];
}

/** `ncu` groups digits by the locale's commas. */
function countsOf(record: Record<string, string>): Launch["counts"] {
  const numbers = NCU_METRICS.map((name) => [name, Number(record[name]?.replaceAll(",", "") || Number.NaN)] as const);
  return Object.fromEntries(numbers.filter(([, value]) => !Number.isNaN(value)));
}

/** One number of a profiler beside its stand-in. */
interface Pair {
  readonly quantity: string;
  readonly standIn: string;
  readonly cell: readonly string[];
  readonly original: number;
  readonly ours: number;
}

/** @param rows of the ports, of n pairs: a line for each of their series @param n operations of a launch */
export function pairsOf(port: string, launches: readonly Launch[], rows: readonly ResultRow[], n: number): Pair[] {
  return launches.flatMap(({ op, positiveRatio, counts }) =>
    QUANTITIES.filter(({ of }) => of.every((name) => name in counts)).flatMap(({ name, of, per, standIn }) =>
      rows
        .filter((row) => row.table === port && row.op === op && row.positive_ratio === positiveRatio)
        .filter((row) => row.metric === standIn && row.value !== null)
        .map(({ variant, value }) => {
          const original = of.reduce((sum, one) => sum + (counts[one] ?? 0), 0) / (per === "operation" ? n : per);
          const cell = [port, variant, op, positiveRatio === null ? "" : String(positiveRatio)];
          return { quantity: name, standIn, cell, original, ours: value ?? 0 };
        }),
    ),
  );
}

/** A table for each quantity, and how often both order two cells alike. */
export function shownPairs(pairs: readonly Pair[]): Block[] {
  return [...groupBy(pairs, ({ quantity }) => quantity)].flatMap(([quantity, own]) => {
    const { standIn } = own[0];
    const contests = own.flatMap((a, i) => own.slice(i + 1).map((b) => (a.original - b.original) * (a.ours - b.ours)));
    const alike = contests.filter((product) => product > 0).length;
    const numbers = own.map(({ cell, original, ours }) => [
      ...cell,
      ...[original, ours, ours / original].map((value) => significant(value)),
    ]);
    return [
      paragraph(`${quantity} beside ${standIn}: ${alike} of ${contests.length} pairs of cells are in the same order.`),
      table(["port", "series", "operation", "share present", "original", "stand-in", "stand-in / original"], numbers),
    ];
  });
}
