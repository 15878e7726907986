/** Workloads on the device: keys, values, lookups, and the check of what a table answered. */

import type { KeySource } from "../../datasets/dataset.js";
import { openDataset } from "../../datasets/index.js";
import { KEY_SPACE, keyConstants } from "../../datasets/random.js";
import { step } from "../../kernels/common/bulk.js";
import { EMPTY, fillStep } from "../../kernels/common/steps.js";
import type { Bindings, Gpu, KernelSource, Step } from "../../kernels/device/gpu.js";
import { type Owned, type Owner, owned, scoped } from "../../kernels/device/owned.js";
import type { Lookups } from "../../kernels/table.js";
import { bitsFor } from "./shuffle.js";

/** Of lookups. */
const FILE = "bench/workload/lookups.wgsl";
/** Absent keys are drawn from a pool of at most this many: larger than any cache, smaller than the table. */
const MAX_POOL = 2 ** 24;

/** Keys first … first + n - 1 of a data set. */
interface KeyPart {
  readonly keys: GPUBuffer;
  readonly first: number;
  readonly n: number;
}

/** A data set on the device. */
export interface DeviceKeys {
  readonly id: string;
  /** Keys in the stream, duplicates included. */
  readonly n: number;
  /** Distinct keys. */
  readonly unique: number;
  readonly keys: GPUBuffer;
  /** Who asked for a data set in parts has those beyond the largest binding so: `keys` is that of the first. */
  readonly inParts?: {
    readonly parts: readonly KeyPart[];
    /** Number of the first key that lookups may ask for. */
    readonly first: number;
    /** Of key_of.wgsl, by which lookups know what to ask for. */
    readonly constants: readonly number[];
  };
  /** `pool` distinct keys that are not in the stream. */
  readonly absent: GPUBuffer;
  readonly pool: number;
  /** 64-bit digest of keys and pool, hexadecimal. */
  readonly digest: string;
  readonly note: string;
  /** Made or read by the host, which takes seconds where a device takes milliseconds. */
  readonly fromHost?: boolean;
  /** `ranks` of lookups.wgsl, where lookups do not ask evenly. */
  readonly ranks?: GPUBuffer;
}

/** Of equal shares of the lookups: SHARE_BITS of bench/workload/lookups.wgsl. */
const SHARE_BITS = 12;
const SHARES = 2 ** SHARE_BITS;

/** Distinct keys of the data set, where they are known before it is made; else null. */
export function uniqueAhead(dataset: string, n: number): number | null {
  return dataset === "random" ? n : null;
}

/**
 * Makes or loads a data set. Throws UsageError (no such data set, too few keys) or DoesNotFit.
 * @param inParts random keys beyond the largest binding are wanted in several buffers.
 */
export function loadKeys(
  gpu: Gpu,
  dataset: string,
  n: number,
  seed: number,
  inParts = false,
): Promise<Owned<DeviceKeys>> {
  return owned(gpu, async (own) => {
    const pool = Math.max(1024, Math.min(n, MAX_POOL));
    if (inParts && dataset === "random" && n * 4 > gpu.maxBinding) return makeParts(own, n, pool, seed);
    const keys = await own.alloc(`${n} keys`, n * 4);
    const absent = await own.alloc(`${pool} absent keys`, pool * 4);
    const source = await openDataset(dataset, { n, seed });
    const made = source.asRandom
      ? await makeRandom(own, keys, absent, n, pool, seed)
      : await upload(own, source, keys, absent, pool);
    const digest = (await digestOf(own, keys, n)) + (await digestOf(own, absent, made.pool));
    return {
      id: dataset,
      n,
      keys,
      absent,
      digest,
      note: source.note,
      fromHost: !source.asRandom,
      ...made,
      ...(await ranksOf(own, source)),
    };
  });
}

async function makeRandom(gpu: Owner, keys: GPUBuffer, absent: GPUBuffer, n: number, pool: number, seed: number) {
  const available = Math.min(pool, KEY_SPACE - n);
  await writeRandom(gpu, keys, { first: 0, n }, seed);
  await writeRandom(gpu, absent, { first: n, n: available }, seed);
  return { unique: n, pool: available };
}

function writeRandom(gpu: Owner, keys: GPUBuffer, { first, n }: Omit<KeyPart, "keys">, seed: number) {
  const plan = { n, first, constants: keyConstants(seed) };
  return runOnce(gpu, n, { file: "bench/workload/random-keys.wgsl", bound: { keys, plan } });
}

/** Random keys in as few equal parts as can be bound. */
async function makeParts(gpu: Owner, n: number, most: number, seed: number): Promise<DeviceKeys> {
  const largest = Math.floor(gpu.maxBinding / 4);
  const pool = Math.min(most, largest, KEY_SPACE - n);
  const absent = await gpu.alloc(`${pool} absent keys`, pool * 4);
  await writeRandom(gpu, absent, { first: n, n: pool }, seed);
  const count = Math.ceil(n / largest);
  const begin = (part: number) => Math.floor((part * n) / count);
  const parts: KeyPart[] = [];
  let digest = "";
  for (let i = 0; i < count; i++) {
    const of = { first: begin(i), n: begin(i + 1) - begin(i) };
    const keys = await gpu.alloc(`${of.n} keys, part ${i + 1} of ${count}`, of.n * 4);
    await writeRandom(gpu, keys, of, seed);
    parts.push({ keys, ...of });
    digest += await digestOf(gpu, keys, of.n);
  }
  const [first] = parts;
  if (!first) throw new Error("a data set without keys");
  const inParts = { parts, first: 0, constants: keyConstants(seed) };
  digest += await digestOf(gpu, absent, pool);
  return { id: "random", n, unique: n, keys: first.keys, absent, pool, digest, note: "", inParts };
}

/** The parts of a data set that can be bound, each as a data set whose lookups ask for its keys. */
export function partsOf(data: DeviceKeys): readonly DeviceKeys[] {
  const { inParts } = data;
  if (!inParts) return [data];
  return inParts.parts.map(({ keys, first, n }) => ({ ...data, keys, n, unique: n, inParts: { ...inParts, first } }));
}

async function upload(gpu: Owner, source: KeySource, keys: GPUBuffer, absent: GPUBuffer, pool: number) {
  let offset = 0;
  for await (const chunk of source.chunks()) {
    gpu.write(keys, offset, chunk);
    offset += chunk.byteLength;
    await gpu.finished();
  }
  const others = await source.absent(pool);
  gpu.write(absent, 0, others);
  return { unique: source.unique(), pool: others.length };
}

/** Ranks, of a data set whose lookups do not ask evenly. */
async function ranksOf(gpu: Owner, { n, rankAt }: KeySource): Promise<Pick<DeviceKeys, "ranks">> {
  if (!rankAt) return {};
  const ranks = await gpu.alloc("ranks of keys", 4 * (SHARES + 1));
  gpu.write(
    ranks,
    0,
    Uint32Array.from({ length: SHARES + 1 }, (_, i) => (i === SHARES ? n : rankAt(i / SHARES))),
  );
  return { ranks };
}

/** 64-bit digest of the first `words` words of a buffer and their order, hexadecimal. */
export function digestOf(gpu: Gpu, buffer: GPUBuffer, words: number): Promise<string> {
  return scoped(gpu, async (own) => {
    const digest = await own.alloc("digest", 16);
    await runOnce(own, words, { file: "bench/workload/digest.wgsl", bound: { data: buffer, digest, n: words } });
    const [a = 0, b = 0] = await gpu.read(digest, 2);
    return [a, b].map((word) => word.toString(16).padStart(8, "0")).join("");
  });
}

/** Writes the values of this salt: each a function of key and salt, never EMPTY. */
export function writeValues(gpu: Gpu, keys: GPUBuffer, values: GPUBuffer, n: number, salt: number): Promise<void> {
  return scoped(gpu, async (own) => gpu.run([await valuesStep(own, keys, values, n, salt)]));
}

/** The step that does so. @param own of its parameters */
export async function valuesStep(
  own: Owner,
  keys: GPUBuffer,
  values: GPUBuffer,
  n: number,
  salt: number,
): Promise<Step> {
  const kernel = await own.kernel({ file: "bench/workload/values.wgsl", takes: ["keys", "values", "plan"] });
  return step(kernel, n, { keys, values, plan: { n, salt } });
}

/** Overwrites a buffer of answers, so that one which is not written is seen. */
export async function poison(gpu: Gpu, answers: GPUBuffer): Promise<void> {
  await gpu.run([await poisonStep(gpu, answers)]);
}

/** The step that does so. */
export function poisonStep(gpu: Gpu, answers: GPUBuffer): Promise<Step> {
  return fillStep(gpu, answers, 0xdeadbeef);
}

/** What a check found: how many of its items are wrong, and the first of them. */
export class Wrong {
  constructor(
    private readonly gpu: Gpu,
    readonly count: number,
    readonly first: number,
  ) {}

  /** Of the first wrong item, the word that a buffer has for it. */
  async wordOf(buffer: GPUBuffer): Promise<number> {
    const [word = 0] = await this.gpu.read(buffer, 1, this.first);
    return word;
  }

  /** Of the first wrong item: `key 0x…, result 0x…`. */
  async answerIn(keys: GPUBuffer, results: GPUBuffer): Promise<string> {
    return `key ${hex(await this.wordOf(keys))}, result ${hex(await this.wordOf(results))}`;
  }
}

/** A kernel, and all that it binds but its verdict. */
export interface Check extends Pick<KernelSource, "file" | "entry" | "conditions"> {
  readonly bound: Bindings;
}

/**
 * Runs a check, which says in a verdict of two words (verdict.wgsl) how many of `items` items are wrong, and the first of them. Null if
 * none is.
 */
export function firstWrong(gpu: Gpu, items: number, check: Check): Promise<Wrong | null> {
  return scoped(gpu, async (own) => {
    const verdict = await own.alloc("verdict", 16);
    gpu.write(verdict, 0, Uint32Array.of(0, EMPTY));
    const kernel = await own.kernel({ ...check, takes: ["verdict"] });
    await gpu.submit([step(kernel, items, { verdict })]);
    const [wrong = 0, first = 0] = await gpu.read(verdict, 2);
    return wrong === 0 ? null : new Wrong(gpu, wrong, first);
  });
}

/** Runs a kernel of a workload once, a lane an item. */
export function runOnce(gpu: Gpu, items: number, kernel: Check): Promise<void> {
  return scoped(gpu, async (own) => own.run([step(await own.kernel({ ...kernel, takes: [] }), items, {})]));
}

export function hex(word: number): string {
  return `0x${word.toString(16).padStart(8, "0")}`;
}

export interface LookupOptions {
  readonly lookups: number;
  /** Exactly round(lookups · positiveRatio) queries ask for a present key. */
  readonly positiveRatio: number;
  readonly seed: number;
  /** Ask for every key of the stream once, in random order (lookups = n), instead of drawing with replacement. */
  readonly eachOnce: boolean;
}

/** Queries in random order, room for their answers, and the check of those. */
export class DeviceLookups {
  private constructor(
    private readonly gpu: Gpu,
    private readonly data: DeviceKeys,
    private readonly options: LookupOptions,
    readonly keys: GPUBuffer,
    readonly results: GPUBuffer,
    readonly digest: string,
  ) {}

  get n(): number {
    return this.options.lookups;
  }

  /** Throws DoesNotFit. */
  static async make(gpu: Owner, data: DeviceKeys, options: LookupOptions): Promise<DeviceLookups> {
    const { lookups } = options;
    const keys = await gpu.alloc(`${lookups} queries`, lookups * 4);
    const results = await gpu.alloc(`${lookups} results`, lookups * 4);
    const { keys: present, absent, ranks, inParts } = data;
    const plan = planOf(data, options, 0);
    await runOnce(gpu, lookups, {
      file: FILE,
      entry: "ask",
      conditions: { SKEWED: ranks !== undefined, KNOWN: false, COMPUTED: inParts !== undefined },
      bound: {
        plan,
        keys: present,
        absent,
        queries: keys,
        ...(inParts && { part: partOf(inParts) }),
        ...(ranks && { ranks }),
      },
    });
    return new DeviceLookups(gpu, data, options, keys, results, await digestOf(gpu, keys, lookups));
  }

  /** Overwrites all results, so that an answer which is not written is seen. */
  poison(): Promise<void> {
    return poison(this.gpu, this.results);
  }

  /**
   * Compares every result with what was inserted under `salt` or, of a table that refused pairs, with what is `known` of each
   * key by its number. "" if all are right, else one line.
   */
  async check(salt: number, known?: GPUBuffer): Promise<string> {
    return this.checkAs(this.options, salt, known);
  }

  private async checkAs(options: LookupOptions, salt: number, known?: GPUBuffer): Promise<string> {
    const { n, keys, results, data } = this;
    const { ranks } = data;
    const plan = planOf(data, options, salt);
    const found = await firstWrong(this.gpu, n, {
      file: FILE,
      entry: "check",
      conditions: { SKEWED: known !== undefined && ranks !== undefined, KNOWN: known !== undefined, COMPUTED: false },
      bound: { plan, asked: keys, answers: results, ...(known && { known }), ...(ranks && { ranks }) },
    });
    if (!found) return "";
    const answer = await found.answerIn(keys, results);
    return `${found.count} of ${n} results are wrong, the first for query ${found.first} (${answer})`;
  }

  /** Like `check`, after all keys were erased: every result must be EMPTY. */
  async checkAllAbsent(): Promise<string> {
    return this.checkAs({ ...this.options, positiveRatio: 0 }, 0);
  }
}

/** What the answers to a data set's keys have to be. */
export interface Expected {
  /** Of the lookups. */
  readonly seed: number;
  readonly salt: number;
  /** As `DeviceLookups.check` has it. */
  readonly known?: GPUBuffer | undefined;
}

/**
 * Asks for every key of the data set, and for as many that it does not have: the former must be found with their values of
 * `salt`, the latter not at all. "" if they are, else one line. Throws DoesNotFit.
 */
export async function checkEvery(
  gpu: Gpu,
  data: DeviceKeys,
  find: (lookups: Lookups) => Promise<unknown>,
  { seed, salt, known }: Expected,
): Promise<string> {
  for (const part of partsOf(data)) {
    for (const positiveRatio of [1, 0]) {
      const wrong = await scoped(gpu, async (own) => {
        const options = { lookups: part.n, positiveRatio, seed, eachOnce: positiveRatio === 1 };
        const lookups = await DeviceLookups.make(own, part, options);
        await lookups.poison();
        await find(lookups);
        return lookups.check(salt, known);
      });
      if (wrong) return wrong;
    }
  }
  return "";
}

/** Of lookups.wgsl. */
function planOf({ n, pool }: DeviceKeys, { lookups, positiveRatio, seed, eachOnce }: LookupOptions, salt: number) {
  return {
    lookups,
    positives: Math.round(lookups * positiveRatio),
    bits: bitsFor(lookups),
    seed,
    n,
    pool,
    salt,
    each_once: eachOnce ? 1 : 0,
    key_bits: bitsFor(n),
  };
}

const partOf = ({ first, constants }: NonNullable<DeviceKeys["inParts"]>) => ({ first, constants });
