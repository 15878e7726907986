/** Checks and copies a caller's arguments: WebGPU would clamp accesses beyond a buffer without a word. */
import { USAGE } from "../device/commands.js";
import { UsageError } from "../device/errors.js";
import type { Part } from "../device/gpu.js";
import { STATUS_BYTES } from "../device/status.js";
import { shown, suggestion } from "../parameters.js";
import type { Erasures, Lookups, Pairs } from "../table.js";
import type { DeviceCount, OutcomePlace } from "./types.js";

const WORD = 4;
/** Where a part of a buffer may begin on every device. */
const ALIGNED_BYTES = 256;
/** Members that operations write. */
export const WRITTEN = ["results", "states"] as const;

/** Throws a UsageError for what is no object, or has a member of another name. @param params names that are members of `params` */
export function checkMembers<T extends object>(
  whose: string,
  given: T,
  names: readonly string[],
  params: readonly string[] = [],
): T {
  if (Object(given) !== given) throw new UsageError(`${whose} takes an object: ${names.join(", ")}`);
  const unknown = Object.keys(given).find((name) => !names.includes(name));
  if (unknown === undefined) return given;
  const near = params.includes(unknown) ? `; did you mean params.${unknown}?` : suggestion(unknown, names);
  throw new UsageError(`${whose} has no ${unknown}${near}`);
}

/** By which a buffer is written. */
type Usage = "STORAGE" | "COPY_DST";

/** The kind of a value, for messages about a wrong one. */
export function kindOf(value: unknown): string {
  if (value === undefined || value === null) return "missing";
  const kind = value.constructor?.name ?? typeof value;
  // An Array, but a Uint32Array.
  return `a${/^[AEIO]/.test(kind) ? "n" : ""} ${kind}`;
}

/** Throws a UsageError for what is no whole number of 32 bits. */
export function checkWhole(whose: string, name: string, n: number, from = 0): void {
  if (!Number.isSafeInteger(n) || n < from || n >= 2 ** 32)
    throw new UsageError(`${whose}: ${name} is ${shown(n)}; it takes a whole number from ${from} to 2^32 - 1`);
}

/** A buffer, and the items of it that an operation reads or writes. */
export interface Used {
  readonly name: string;
  readonly buffer: GPUBuffer;
  readonly first: number;
  readonly end: number;
  /** Of an item. Default: 1. */
  readonly words?: number;
}

/** Where the part of a buffer begins that has item `first` and the ones after it, in bytes. */
const partAt = (first: number) => Math.floor((WORD * first) / ALIGNED_BYTES) * ALIGNED_BYTES;

export type BufferCheck = ReturnType<typeof bufferCheck>;

/**
 * Checks that throw a UsageError which names the operation and the buffer, and return copies. @param label of the table
 * @param keyWords of a key
 */
export function bufferCheck({ maxStorageBufferBindingSize: most }: GPUSupportedLimits, label: string, keyWords = 1) {
  const wordsOf = (name: string) => (name === "keys" ? keyWords : 1);
  const has = (whose: string, name: string, buffer: GPUBuffer, usage: Usage) => {
    if (typeof buffer?.size !== "number")
      throw new UsageError(`${whose}: ${name} is ${kindOf(buffer)}; it takes a GPUBuffer`);
    if ((buffer.usage & USAGE[usage]) === 0)
      throw new UsageError(`${whose}: ${name}: the buffer lacks the usage ${usage}`);
  };
  const holds = (whose: string, { name, buffer, first, end, words = 1 }: Used, usage: Usage = "STORAGE") => {
    has(whose, name, buffer, usage);
    const bytes = WORD * words * end;
    if (buffer.size < bytes)
      throw new UsageError(`${whose}: ${name}: the buffer has ${buffer.size} bytes; ${end} items take ${bytes}`);
    const bound = bytes - words * partAt(first);
    if (bound > most)
      throw new UsageError(
        `${whose}: ${name}: ${end - first} items take ${bound} bytes; the device binds at most ${most}`,
      );
  };
  /** A kernel cannot read and write one buffer, nor write to it by two names. */
  const apart = (whose: string, buffers: Readonly<Record<string, GPUBuffer>>, written: readonly string[] = WRITTEN) => {
    for (const own of written.filter((name) => name in buffers))
      for (const [name, buffer] of Object.entries(buffers))
        if (name !== own && buffer === buffers[own])
          throw new UsageError(`${whose}: ${own} and ${name} are one buffer; they have to be two`);
  };
  /** The operation's own name and what it takes, of one that has n items. */
  function items<T extends { readonly n: number; readonly first?: number }>(
    op: string,
    given: T,
    names: readonly string[],
  ) {
    const whose = `${label}.${op}`;
    checkMembers(whose, given, [...names, "n", "first"]);
    const { n, first = 0 } = given;
    checkWhole(whose, "n", n);
    checkWhole(whose, "first", first);
    checkWhole(whose, "first + n", first + n);
    const buffers = Object.fromEntries(
      names.map((name) => [name, (given as Record<string, unknown>)[name] as GPUBuffer]),
    );
    apart(whose, buffers);
    const end = first + n;
    for (const [name, buffer] of Object.entries(buffers))
      holds(whose, { name, buffer, first, end, words: wordsOf(name) });
    if (WORD * keyWords * end <= most) return { ...given, first };
    // What binds a part of a buffer as all of one need not know which it has.
    const offset = partAt(first);
    const parts = Object.entries(buffers).map(([name, buffer]): [string, Part] => {
      const words = wordsOf(name);
      return [name, { buffer, offset: words * offset, size: words * (WORD * end - offset) }];
    });
    return { ...given, ...Object.fromEntries(parts), first: first - offset / WORD };
  }
  return {
    has,
    wordsOf,
    items,
    holds,
    apart,
    pairs: (op: string, pairs: Pairs) => items(op, pairs, ["keys", "values"]),
    lookups: (op: string, lookups: Lookups) => items(op, lookups, ["keys", "results"]),
    erasures: (op: string, erasures: Erasures) => items(op, erasures, ["keys"]),
  };
}

/** The same of what recorded operations take beside. */
export function recordedCheck({ has, wordsOf, holds }: BufferCheck, label: string) {
  /** n as a number: of items on the device, the most that there may be. */
  const sized = <T extends { readonly n: number | DeviceCount }>(op: string, given: T) => {
    if (typeof given?.n !== "object" || given.n === null) return given as T & { readonly n: number };
    const whose = `the n of ${label}.${op}`;
    const { buffer, offset = 0, most: n } = checkMembers(whose, given.n, ["buffer", "offset", "most"]);
    checkWhole(whose, "offset", offset);
    holds(whose, { name: "buffer", buffer, first: 0, end: offset / WORD + 1 });
    if (offset % WORD !== 0) throw new UsageError(`${whose}: offset is ${offset}; it takes a multiple of ${WORD}`);
    return { ...given, n };
  };
  return {
    sized,
    /** @param read what the operation reads */
    outcome(op: string, place: OutcomePlace | undefined, usage: Usage, read?: Pairs | Erasures) {
      if (place === undefined) return;
      const whose = `${label}.${op}`;
      const { buffer, offset = 0 } = checkMembers(`the outcome of ${whose}`, place, ["buffer", "offset"]);
      has(whose, "outcome", buffer, usage);
      if (!(offset >= 0) || offset % WORD !== 0 || buffer.size < offset + STATUS_BYTES)
        throw new UsageError(
          `${whose}: outcome: ${STATUS_BYTES} bytes from ${offset} on are not in a buffer of ${buffer.size}`,
        );
      const { n = 0, first = 0, ...buffers } = read ?? {};
      for (const [name, one] of Object.entries<GPUBuffer | Part>(buffers)) {
        const { buffer: own, offset: before } = "buffer" in one ? one : { buffer: one, offset: 0 };
        const [from, end] = [first, first + n].map((item) => before + WORD * wordsOf(name) * item) as [number, number];
        if (own === buffer && offset < end && offset + STATUS_BYTES > from)
          throw new UsageError(`${whose}: outcome and ${name} overlap in one buffer`);
      }
    },
  };
}
