/** Measures one access pattern of device/limits over a table of a given size. */
import { bankConditions, mostBanks, namedBanks } from "../../kernels/common/banks.js";
import { step } from "../../kernels/common/bulk.js";
import { mix32 } from "../../kernels/common/random.js";
import { groupsFor } from "../../kernels/common/steps.js";
import { dispatch } from "../../kernels/device/bind.js";
import { DoesNotFit } from "../../kernels/device/errors.js";
import type { Gpu, Step } from "../../kernels/device/gpu.js";
import type { Owner } from "../../kernels/device/owned.js";
import type { CellSpec } from "../base/experiment.js";
import { repeating } from "../measure/repeating.js";
import { exact } from "../results/metrics.js";
import { ALLOCATION, memoryOf } from "./allocation.js";
import type { BenchContext, Benchmark, PreparedCell } from "./benchmark.js";
import { CHAIN_READS, type Pattern, patterns } from "./limits/patterns.js";
import { ownOf, real, whole } from "./parameters.js";
import { digestOf } from "./workload/keys.js";

/** NEEDLE of bench/scenarios/limits/read.wgsl. */
const NEEDLE = 0x6e656564;
const MIB = 2 ** 20;
const BENCH = "limit";

export const limitBenchmark: Benchmark = {
  measures: "access pattern",
  operations: [...new Set(patterns.map(({ kind }) => kind))].map((id) => ({ id })),
  series: () => patterns.map(({ id, title, kind }) => ({ id, title, ops: [kind] })),
  parameters: [
    real("tableMiB", 0, 2 ** 24, "size of the table, MiB"),
    whole("lanes", 1, 2 ** 22, "lanes of chain4, of which each has one request in flight"),
    ALLOCATION,
  ],
  clock: "gpu",
  // Dawn binds 2 GiB at most.
  exists: (cell) => takesBanks(patternOf(cell)) || wantedBytes(cell) <= 2 ** 31,
  limits: { sets: true },
  bytes: (cell) => {
    const pattern = patternOf(cell);
    const table = wantedBytes(cell) * (pattern.kind === "copy" ? 2 : 1);
    return table + (pattern.conditions.LOOKUP ? 8 * itemsOf(pattern, cell) : 0);
  },
  sharedBytes(cell) {
    const pattern = patternOf(cell);
    if (!changesNothing(pattern)) return {};
    const keys = pattern.conditions.LOOKUP ? { [keysName(itemsOf(pattern, cell))]: 8 * itemsOf(pattern, cell) } : {};
    return { [tableName(wantedBytes(cell))]: wantedBytes(cell), ...keys };
  },
  async prepare(cell, context) {
    const pattern = patternOf(cell);
    const bytes = tableBytes(context.gpu, cell, banksOf(pattern, context.gpu));
    if (pattern.kind === "copy") return prepareCopy(context.gpu, cell, pattern, bytes);
    return changesNothing(pattern)
      ? prepareReads(context, cell, pattern, bytes)
      : prepareModifications(context.gpu, cell, pattern, bytes);
  },
};

/** Whether a row, or a cell, is of an access to the device's memory as it is at its best; chains are those of one lane. */
export function isLimit(of: Pick<CellSpec, "bench" | "params">): boolean {
  return of.bench === BENCH && memoryOf(of) === "device" && Number(of.params.lanes ?? 1) === 1;
}

/** A cell of device/limits. */
export function limitCell(pattern: string, tableMiB: number, n: number): CellSpec {
  return {
    experiment: "device/limits",
    bench: BENCH,
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

const patternOf = (cell: CellSpec) => ownOf(cell, patterns);

function wantedBytes(cell: CellSpec): number {
  return Number(cell.params.tableMiB) * MIB;
}

function itemsOf({ items }: Pattern, { n }: CellSpec): number {
  return items ?? n;
}

/** Of chain4. */
function lanesOf({ params }: CellSpec): number {
  return Number(params.lanes ?? 1);
}

/** Whether it writes words of the table. */
function modifies({ kind }: Pattern): boolean {
  return kind === "modify" || kind === "move";
}

/** Whether cells may read one table: all but those that modify or copy it. */
function changesNothing(pattern: Pattern): boolean {
  return !modifies(pattern) && pattern.kind !== "copy";
}

/** Cells for which these are equal share a table of random words, and random keys with room for what is found. */
const tableName = (bytes: number) => `limit: ${bytes} bytes`;
const keysName = (n: number) => `limit: ${n} keys`;

/** Bytes from one block of a table to the next: they lie side by side, but where 32 bits do not number as many. */
export function pitchOf(blockBytes: number, tableBytes: number): number {
  let pitch = blockBytes;
  while (tableBytes / pitch >= 2 ** 32) pitch *= 2;
  return pitch;
}

function countsOf(pattern: Pattern, cell: CellSpec, bytes: number) {
  const pitch = pitchOf(pattern.blockBytes, bytes);
  return { n: itemsOf(pattern, cell), blocks: Math.floor(bytes / pitch), pitch };
}

function takesBanks(pattern: Pattern): boolean {
  const { kind, conditions } = pattern;
  return kind === "read" || kind === "lookup" || (modifies(pattern) && !conditions.VALUE);
}

/** Bindings that a table may have, beside those of read.wgsl: `seen`, and of lookups keys and results. */
function banksOf(pattern: Pattern, { info }: Pick<Gpu, "info">): number {
  const { kind } = pattern;
  if (!takesBanks(pattern)) return 1;
  return Math.max(1, mostBanks(info, modifies(pattern) ? 0 : kind === "lookup" ? 3 : 1));
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
  const kernel = await gpu.kernel({ file: "bench/scenarios/workload/random-keys.wgsl", takes: ["keys", "plan"] });
  await gpu.run([step(kernel, words, { keys: buffer, plan: { n: words, first: 0, constants: [1, 2, 3] } })]);
}

async function prepareCopy(gpu: Owner, cell: CellSpec, pattern: Pattern, bytes: number): Promise<PreparedCell> {
  const from = await gpu.alloc("copy: source", bytes, placeOf(cell));
  const to = await gpu.alloc("copy: target", bytes);
  await randomFill(gpu, from, bytes / 4);
  const kernel = await gpu.kernel({ file: pattern.file, takes: ["from_here", "to_here"] });
  const copying = dispatch(kernel, groupsFor(bytes / 16), { from_here: from, to_here: to });
  const digest = await digestOf(gpu, from, bytes / 4);
  return {
    ...timed(gpu, copying, bytes / 16, pattern, bytes),
    dataHash: digest,
    verify: async () => ((await digestOf(gpu, to, bytes / 4)) === digest ? "" : "the copy differs from its source"),
  };
}

/** Where the table lies; undefined: as its owner's other buffers. */
function placeOf(cell: CellSpec): "host" | undefined {
  return memoryOf(cell) === "host" ? "host" : undefined;
}

type Banks = Awaited<ReturnType<typeof allocBanks>>;

/** A table in as many banks as it needs. */
async function allocBanks(
  gpu: Owner,
  cell: CellSpec,
  bytes: number,
  filled: (bank: GPUBuffer, bytes: number) => Promise<void>,
) {
  const size = Math.min(bytes, largestBinding(gpu));
  const banks: GPUBuffer[] = [];
  for (let first = 0; first < bytes; first += size) {
    const inBank = Math.min(size, bytes - first);
    const bank = await gpu.alloc(`table from byte ${first} on`, inBank, placeOf(cell));
    await filled(bank, inBank);
    banks.push(bank);
  }
  /** Where the byte of that number lies. */
  const at = (byte: number) => {
    const buffer = banks[Math.floor(byte / size)];
    if (!buffer) throw new Error(`a table of ${bytes} bytes has no byte ${byte}`);
    return { buffer, offset: byte % size };
  };
  /** Conditions and constants of kernels that bind it, for blocks of that size. */
  const made = (blockBytes: number) => ({
    conditions: bankConditions(banks.length),
    constants: banks.length > 1 ? { BANK_BLOCKS: size / blockBytes } : {},
  });
  return { bound: namedBanks(banks), made, at };
}

async function randomLookups(gpu: Owner, n: number) {
  const keys = await gpu.alloc("keys", n * 4);
  await randomFill(gpu, keys, n);
  const results = await gpu.alloc("results", n * 4);
  return { bound: { keys, results }, last: (await gpu.read(keys, 1, n - 1))[0] ?? 0 };
}

async function prepareReads(
  { gpu, shared }: Pick<BenchContext, "gpu" | "shared">,
  cell: CellSpec,
  pattern: Pattern,
  bytes: number,
): Promise<PreparedCell> {
  const { blocks, pitch } = countsOf(pattern, cell, bytes);
  const atOnce = pattern.kind !== "chain";
  const lanes = atOnce ? itemsOf(pattern, cell) : lanesOf(cell);
  const { one, all, least } = CHAIN_READS;
  // Of a lane.
  const n = atOnce ? lanes : Math.min(one, Math.max(least, Math.ceil(all / lanes)));
  const random = (own: Owner) => allocBanks(own, cell, bytes, (bank, inBank) => randomFill(own, bank, inBank / 4));
  const banks = await shared.get(gpu, tableName(wantedBytes(cell)), random);
  const made = banks.made(pitch);
  const powerful = { ...made.conditions, POWER: Number.isInteger(Math.log2(blocks)) };
  const conditions = { ...pattern.conditions, ...(atOnce ? powerful : {}) };
  const { file } = pattern;
  const constants = { ...pattern.constants, ...made.constants, SPREAD: pitch / pattern.blockBytes };
  const seen = await gpu.alloc("seen", atOnce ? 16 : 4 * (1 + lanes));
  const lookups = pattern.conditions.LOOKUP
    ? await shared.get(gpu, keysName(n), (own) => randomLookups(own, n))
    : undefined;
  // The key of the last item, which shows that all are served; of the first for reads one after another.
  const needleKey = lookups?.last ?? (atOnce ? n - 1 : 0);
  const kernel = await gpu.kernel({
    file,
    conditions,
    constants,
    sizes: { blocks, ...(!atOnce && { lanes }) },
    bound: { ...banks.bound, ...lookups?.bound, seen },
    takes: ["n"],
  });
  const reading = dispatch(kernel, groupsFor(lanes), { n });
  const needleAt = (mix32(needleKey) % blocks) * pitch;
  return {
    ...timed(gpu, reading, atOnce ? n : n * lanes, pattern, bytes),
    verify: async () => {
      const { buffer, offset } = banks.at(needleAt);
      const words = pattern.blockBytes / 4;
      const was = await gpu.read(buffer, words, offset / 4);
      gpu.write(buffer, offset, new Uint32Array(words).fill(NEEDLE));
      const saw = await sawNeedle(gpu, reading, seen, pattern);
      // Other cells look for needles of their own.
      gpu.write(buffer, offset, was);
      return saw ? "" : "the needle's block was never read";
    },
  };
}

async function prepareModifications(
  gpu: Owner,
  cell: CellSpec,
  pattern: Pattern,
  bytes: number,
): Promise<PreparedCell> {
  const { n, blocks, pitch } = countsOf(pattern, cell, bytes);
  const banks = await allocBanks(gpu, cell, bytes, (bank) => gpu.zero(bank));
  const made = banks.made(pitch);
  const conditions = { ...pattern.conditions, ...made.conditions };
  const constants = { ...pattern.constants, ...made.constants, SPREAD: pitch / pattern.blockBytes };
  const { file } = pattern;
  const kernel = await gpu.kernel({ file, conditions, constants, sizes: { blocks }, bound: banks.bound, takes: ["n"] });
  return {
    ...timed(gpu, step(kernel, n, { n }), n, pattern, bytes),
    verify: () => verifyModified(gpu, cell, banks, { blocks, pitch }),
  };
}

function timed(gpu: Owner, access: Step, n: number, pattern: Pattern, bytes: number) {
  /** How often a block's bytes are: a copy and a move read them, and write them elsewhere. */
  const moved = pattern.kind === "move" || pattern.kind === "copy" ? 2 : 1;
  return {
    mutates: false,
    repeats: true,
    sample: async (repetitions = 1) => (await repeating(gpu, repetitions)([access])).ns,
    operations: n,
    dataHash: "",
    access: { pattern: pattern.id, tableBytes: bytes },
    metrics: async (ns: number) => [exact("bandwidth", (moved * n * pattern.blockBytes) / ns)],
  } as const;
}

/** Whether all lanes of the needle's item (at least) saw it in one more run. */
async function sawNeedle(gpu: Gpu, reading: Step, seen: GPUBuffer, pattern: Pattern): Promise<boolean> {
  await gpu.zero(seen);
  await gpu.time([reading]);
  const [needles = 0] = await gpu.read(seen, 1);
  return needles >= pattern.lanes;
}

/** A word that was written must hold an item (or, for `and`, still zero) whose place it is; place of the last item. */
async function verifyModified(
  gpu: Gpu,
  cell: CellSpec,
  banks: Banks,
  { blocks, pitch }: Pick<ReturnType<typeof countsOf>, "blocks" | "pitch">,
): Promise<string> {
  const item = cell.n - 1;
  const block = mix32(item) % blocks;
  const { blockBytes, conditions } = patternOf(cell);
  const { VALUE, LINE } = conditions;
  const first = pitch * block;
  const places = VALUE ? [4 * block, 4 * (blocks + block)] : LINE ? [first, first + blockBytes / 2] : [first];
  for (const place of places) {
    const { buffer, offset } = banks.at(place);
    const found = (await gpu.read(buffer, 1, offset / 4))[0] ?? 0;
    if (cell.table === "and") return found === 0 ? "" : "atomicAnd changed a zero";
    // Item 0 is what a word holds before, too: the last one is not 0.
    if (found >= cell.n || mix32(found) % blocks !== block)
      return `a written word holds ${found}, which belongs elsewhere`;
  }
  return "";
}
