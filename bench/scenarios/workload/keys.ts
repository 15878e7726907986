/** Data sets on the device: their keys, keys that are not in them, and their digest. */

import type { MadeAhead } from "../../../datasets/ahead.js";
import type { KeySource } from "../../../datasets/dataset.js";
import { openDataset } from "../../../datasets/index.js";
import { KEY_SPACE, keyConstants } from "../../../datasets/random.js";
import type { Gpu } from "../../../kernels/device/gpu.js";
import { type Owned, type Owner, owned, scoped } from "../../../kernels/device/owned.js";
import { upload } from "../../device/upload.js";
import { runOnce } from "./check.js";

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
  /** Parts of a data set beyond the largest binding, for a caller that asked for parts: `keys` is the buffer of the first. */
  readonly inParts?: {
    readonly parts: readonly KeyPart[];
    /** Number of the first key that lookups may ask for. */
    readonly first: number;
    /** Constants of key_of.wgsl, by which lookups find the keys to ask for. */
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

/** Bits of the number of equal shares of lookups: SHARE_BITS of bench/scenarios/workload/lookups.wgsl. */
const SHARE_BITS = 12;
const SHARES = 2 ** SHARE_BITS;

/** Keys of the absent pool that a data set is asked for. */
export function poolOf(n: number): number {
  return Math.max(1024, Math.min(n, MAX_POOL));
}

/** Distinct keys of the data set, where they are known before it is made; else null. */
export function uniqueAhead(dataset: string, n: number): number | null {
  return dataset === "random" ? n : null;
}

/**
 * Makes or loads a data set. Throws UsageError (no such data set, too few keys) or DoesNotFit.
 * @param inParts random keys beyond the largest binding are wanted in several buffers. @param ahead what was begun before
 */
export function loadKeys(
  gpu: Gpu,
  dataset: string,
  n: number,
  seed: number,
  inParts = false,
  ahead?: Pick<MadeAhead, "take">,
): Promise<Owned<DeviceKeys>> {
  return owned(gpu, async (own) => {
    const pool = poolOf(n);
    if (inParts && dataset === "random" && n * 4 > gpu.maxBinding) return makeParts(own, n, pool, seed);
    const keys = await own.alloc(`${n} keys`, n * 4);
    const absent = await own.alloc(`${pool} absent keys`, pool * 4);
    const opened = await openDataset(dataset, { n, seed });
    const source = ahead?.take({ dataset, n, seed }, opened) ?? opened;
    const made = source.asRandom
      ? await makeRandom(own, keys, absent, n, pool, seed)
      : await brought(own, source, keys, absent, pool);
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
  return runOnce(gpu, n, { file: "bench/scenarios/workload/random-keys.wgsl", bound: { keys, plan } });
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

async function brought(gpu: Owner, source: KeySource, keys: GPUBuffer, absent: GPUBuffer, pool: number) {
  const chunks = source.chunks()[Symbol.asyncIterator]();
  let rest = new Uint32Array();
  await upload(gpu, keys, source.n, async (piece) => {
    for (let at = 0; at < piece.length; ) {
      if (rest.length === 0) rest = await nextOf(chunks, source);
      const some = rest.subarray(0, piece.length - at);
      piece.set(some, at);
      at += some.length;
      rest = rest.subarray(some.length);
    }
  });
  // A source may know only at its end how many keys are different.
  await chunks.next();
  const others = await source.absent(pool);
  gpu.write(absent, 0, others);
  return { unique: source.unique(), pool: others.length };
}

async function nextOf(chunks: AsyncIterator<Uint32Array>, { id, n }: KeySource): Promise<Uint32Array<ArrayBuffer>> {
  const { done, value } = await chunks.next();
  if (done) throw new Error(`${id} has less than ${n} keys`);
  return value as Uint32Array<ArrayBuffer>;
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
    await runOnce(own, words, {
      file: "bench/scenarios/workload/digest.wgsl",
      bound: { data: buffer, digest, n: words },
    });
    const [a = 0, b = 0] = await gpu.read(digest, 2);
    return [a, b].map((word) => word.toString(16).padStart(8, "0")).join("");
  });
}
