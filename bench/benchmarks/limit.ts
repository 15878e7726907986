/** Measures one access pattern of device/limits over a table of a given size. */
import { itemStep } from "../../kernels/common/bulk.js";
import { mix32 } from "../../kernels/common/random.js";
import { groupsFor } from "../../kernels/common/steps.js";
import { DoesNotFit } from "../../kernels/device/errors.js";
import type { Gpu, Step } from "../../kernels/device/gpu.js";
import type { Owner } from "../../kernels/device/owned.js";
import type { CellSpec } from "../experiment.js";
import type { Benchmark, PreparedCell } from "../measure/benchmark.js";
import { repeating } from "../measure/repeating.js";
import { exact, type Metric } from "../results/metrics.js";
import { digestOf } from "../workload/workload.js";
import { type Pattern, patterns } from "./limits/patterns.js";

/** NEEDLE of read.wgsl. */
const NEEDLE = 0x6e656564;
const MIB = 2 ** 20;

export const limitBenchmark: Benchmark = {
  measures: "access pattern",
  operations: [...new Set(patterns.map(({ kind }) => kind))].map((id) => ({ id })),
  series: () => patterns.map(({ id, title, kind }) => ({ id, title, ops: [kind] })),
  parameters: [{ ...{ name: "tableMiB", from: 0, to: 2 ** 24, integer: false }, meaning: "size of the table, MiB" }],
  clock: "gpu",
  // Dawn binds 2 GiB at most.
  exists: (cell) => banksOf(patternOf(cell)) > 1 || wantedBytes(cell) <= 2 ** 31,
  setsLimits: true,
  bytes: (cell) => {
    const pattern = patternOf(cell);
    const table = wantedBytes(cell) * (pattern.kind === "copy" ? 2 : 1);
    return table + (pattern.conditions.LOOKUP ? 8 * itemsOf(pattern, cell) : 0);
  },
  async prepare(cell, { gpu }) {
    const pattern = patternOf(cell);
    const bytes = tableBytes(gpu, cell, banksOf(pattern));
    return pattern.kind === "copy" ? prepareCopy(gpu, pattern, bytes) : prepareRandom(gpu, cell, pattern, bytes);
  },
};

/** A cell of device/limits. */
export function limitCell(pattern: string, tableMiB: number, n: number): CellSpec {
  return {
    experiment: "device/limits",
    bench: "limit",
    table: pattern,
    variant: "",
    op: "",
    dataset: "",
    n,
    loadFactor: null,
    positiveRatio: null,
    seed: 0,
    params: { tableMiB },
  };
}

function patternOf(cell: CellSpec): Pattern {
  const found = patterns.find(({ id }) => id === cell.table);
  if (!found) throw new Error(`no access pattern ${cell.table}`);
  return found;
}

function wantedBytes(cell: CellSpec): number {
  return Number(cell.params.tableMiB) * MIB;
}

function itemsOf({ items }: Pattern, { n }: CellSpec): number {
  return items ?? n;
}

/** Bindings that a table may have. */
function banksOf({ kind }: Pattern): number {
  return kind === "read" || kind === "lookup" ? 2 : 1;
}

/** Bytes of a word of the type that a lane reads. */
function wordBytes({ WORD, PAIR }: Pattern["conditions"]): number {
  return WORD ? 4 : PAIR ? 8 : 16;
}

function largestBinding({ maxBinding }: Gpu): number {
  return Math.floor(maxBinding / 128) * 128;
}

/** The size asked for; one that is less than a MiB beyond the largest binding is measured at the largest binding. */
function tableBytes(gpu: Gpu, cell: CellSpec, banks: number): number {
  const wanted = wantedBytes(cell);
  const largest = largestBinding(gpu);
  if (wanted > largest && wanted - largest < MIB) return largest;
  if (wanted <= banks * largest) return wanted;
  const room = Math.floor((banks * largest) / MIB);
  throw new DoesNotFit(`a table of ${wanted / MIB} MiB; the device binds at most ${room} MiB`);
}

async function randomFill(gpu: Owner, buffer: GPUBuffer, words: number): Promise<void> {
  const kernel = await gpu.kernel({ file: "bench/workload/random-keys.wgsl" });
  await gpu.run([itemStep(kernel, words, { 0: buffer, 1: gpu.constant(words, 0, 1, 2, 3) })]);
}

async function prepareCopy(gpu: Owner, pattern: Pattern, bytes: number): Promise<PreparedCell> {
  const from = await gpu.alloc("copy: source", bytes);
  const to = await gpu.alloc("copy: target", bytes);
  await randomFill(gpu, from, bytes / 4);
  const kernel = await gpu.kernel({ file: pattern.file });
  const step = { kernel, bindings: { 0: from, 1: to }, groups: groupsFor(bytes / 16) };
  const digest = await digestOf(gpu, from, bytes / 4);
  return {
    mutates: false,
    repeats: true,
    sample: async (repetitions = 1) => (await repeating(gpu, repetitions)([step])).ns,
    operations: bytes / 16,
    dataHash: digest,
    access: { pattern: pattern.id, tableBytes: bytes },
    verify: async () => ((await digestOf(gpu, to, bytes / 4)) === digest ? "" : "the copy differs from its source"),
    metrics: async (ns: number) => [bandwidth((2 * bytes) / ns)],
  };
}

function bandwidth(value: number): Metric {
  return exact("bandwidth", value);
}

async function prepareRandom(gpu: Owner, cell: CellSpec, pattern: Pattern, bytes: number): Promise<PreparedCell> {
  const n = itemsOf(pattern, cell);
  const blocks = Math.floor(bytes / pattern.blockBytes);
  const first = Math.min(bytes, largestBinding(gpu));
  const table = await gpu.alloc("table", first);
  await randomFill(gpu, table, first / 4);
  const bindings: Record<number, GPUBuffer> = { 0: table, 3: gpu.constant(n) };
  const reads = pattern.kind !== "modify";
  if (first < bytes) {
    bindings[5] = await gpu.alloc("second bank", bytes - first);
    await randomFill(gpu, bindings[5], (bytes - first) / 4);
  }
  const atOnce = reads && pattern.kind !== "chain";
  const reading = { BANKS: first < bytes, POWER: Number.isInteger(Math.log2(blocks)) };
  const conditions = { ...pattern.conditions, ...(atOnce ? reading : {}) };
  const sizes = { blocks, ...(atOnce ? { first_bank: first / wordBytes(pattern.conditions) } : {}) };
  const kernel = await gpu.kernel({ file: pattern.file, conditions, constants: pattern.constants, sizes });
  const status = await gpu.alloc("status", 16);
  // Of the last item, which shows that all are served; of reads one after another, of the first.
  let needleKey = atOnce ? n - 1 : 0;
  if (pattern.conditions.LOOKUP) {
    const keys = await gpu.alloc("keys", n * 4);
    await randomFill(gpu, keys, n);
    needleKey = (await gpu.read(keys, 1, n - 1))[0] ?? 0;
    bindings[1] = keys;
    bindings[2] = await gpu.alloc("results", n * 4);
  }
  if (reads) {
    bindings[4] = status;
    const at = (mix32(needleKey) % blocks) * pattern.blockBytes;
    const needle = new Uint32Array(pattern.blockBytes / 4).fill(NEEDLE);
    if (at < first) gpu.write(table, at, needle);
    else gpu.write(bindings[5] ?? table, at - first, needle);
  } else {
    await gpu.zero(table);
  }
  const step: Step = { kernel, bindings, groups: pattern.kind === "chain" ? 1 : groupsFor(n) };
  return {
    mutates: false,
    repeats: true,
    sample: async (repetitions = 1) => (await repeating(gpu, repetitions)([step])).ns,
    operations: n,
    dataHash: "",
    access: { pattern: pattern.id, tableBytes: bytes },
    verify: async () => {
      if (reads) return (await sawNeedle(gpu, step, status, pattern)) ? "" : "the needle's block was never read";
      return verifyModified(gpu, cell, table, blocks);
    },
    metrics: async (ns: number) => [bandwidth((n * pattern.blockBytes) / ns)],
  };
}

/** Whether all lanes of the needle's item (at least) saw it in one more run. */
async function sawNeedle(gpu: Gpu, step: Step, status: GPUBuffer, pattern: Pattern): Promise<boolean> {
  await gpu.zero(status);
  const { status: words } = await gpu.time([step], status);
  return (words[0] ?? 0) >= pattern.lanes;
}

/** A word that was written must hold an item (or, for `and`, still zero) whose place it is; place of the last item. */
async function verifyModified(gpu: Gpu, cell: CellSpec, table: GPUBuffer, blocks: number): Promise<string> {
  const item = cell.n - 1;
  const block = mix32(item) % blocks;
  const { PAIR, VALUE } = patternOf(cell).conditions;
  const words = [PAIR ? 2 * block : block, ...(VALUE ? [blocks + block] : [])];
  for (const word of words) {
    const found = (await gpu.read(table, 1, word))[0] ?? 0;
    if (cell.table === "and") return found === 0 ? "" : "atomicAnd changed a zero";
    // Item 0 is what a word holds before, too: the last one is not 0.
    if (found >= cell.n || mix32(found) % blocks !== block)
      return `a written word holds ${found}, which belongs elsewhere`;
  }
  return "";
}
