/** Random mixed batches over a universe of keys, and which answers each operation may give. The oracle is on the host. */
import { keyConstants, keyOfWith, mix } from "../../datasets/random.js";
import { type Uniform, uniform } from "../../datasets/rng.js";
import { EMPTY } from "../../kernels/common/steps.js";
import { MIXED_KINDS, type MixedSlice } from "../../kernels/table.js";
import { hex, Mismatch } from "./harness.js";

const { insert: INSERT, find: FIND, erase: ERASE } = MIXED_KINDS;
/** What happened to a key in this slice; FOUND only where searches must not race. */
const UNTOUCHED = 0;
const INSERTED = 1;
const ERASED = 2;
const FOUND = 3;

export interface HistoryOptions {
  /** Keys that may be inserted; a tenth as many more are only ever asked for. */
  readonly universe: number;
  /** Operations of a slice, at most. */
  readonly slice: number;
  readonly erase: boolean;
  /** Searches may ask for keys that their own slice inserts or erases. */
  readonly races: boolean;
  readonly seed: number;
  /** The table is a set: a present key is answered by 1. */
  readonly member?: boolean;
}

/** One batch on the host, and each operation's two allowed answers. */
export interface HostBatch {
  readonly kinds: Uint32Array;
  readonly keys: Uint32Array;
  readonly values: Uint32Array;
  readonly slices: readonly MixedSlice[];
  /** Number of the key in the universe. */
  readonly items: Uint32Array;
  readonly either: Uint32Array;
  readonly or: Uint32Array;
}

/**
 * In a slice a key is inserted (if it was absent, once), or erased (by several lanes), or only searched: then every answer
 * has to be one of two, whatever the order in which the lanes run. Keys come back in later slices, with other values.
 */
export class MixedHistory {
  readonly keys: Uint32Array;
  /** By number of the key; EMPTY if it is absent. */
  readonly values: Uint32Array;
  private readonly coming: Uint32Array;
  private readonly touched: Uint8Array;
  private readonly draw: Uniform;
  private slicesMade = 0;

  constructor(private readonly options: HistoryOptions) {
    const all = options.universe + Math.ceil(options.universe / 10);
    const constants = keyConstants(options.seed);
    this.keys = Uint32Array.from({ length: all }, (_, i) => keyOfWith(i, constants));
    this.values = new Uint32Array(all).fill(EMPTY);
    this.coming = new Uint32Array(all);
    this.touched = new Uint8Array(all);
    this.draw = uniform(options.seed);
  }

  /** Numbers of the keys that are present. */
  present(): number[] {
    return [...this.values.keys()].filter((item) => this.values[item] !== EMPTY);
  }

  /** The next slices; the history goes on as if they had run. */
  next(slices: number): HostBatch {
    const sizes = Array.from({ length: slices }, () => 1 + this.below(this.options.slice));
    const total = sizes.reduce((sum, size) => sum + size, 0);
    const words = () => new Uint32Array(total);
    const made: MixedSlice[] = [];
    const batch = { kinds: words(), keys: words(), values: words(), items: words(), either: words(), or: words() };
    let first = 0;
    for (const count of sizes) {
      this.fillSlice(batch, first, count);
      made.push({ first, count });
      first += count;
    }
    return { ...batch, slices: made };
  }

  private fillSlice(batch: Omit<HostBatch, "slices">, first: number, count: number): void {
    const { kinds, keys, values, items, either, or } = batch;
    const salt = Math.imul(++this.slicesMade, 0x9e3779b1);
    for (let at = first; at < first + count; at++) {
      const item = this.pick(items, first, at);
      const key = this.keys[item] ?? 0;
      const kind = this.kindFor(item);
      items[at] = item;
      kinds[at] = kind;
      keys[at] = key;
      // The top bit is clear: no value is EMPTY.
      values[at] = this.options.member ? 1 : mix(key ^ salt) >>> 1;
      if (kind === INSERT) this.coming[item] = values[at] ?? 0;
    }
    for (let at = first; at < first + count; at++) {
      const [low, high] = this.allowed(kinds[at] ?? FIND, items[at] ?? 0);
      either[at] = low;
      or[at] = high;
    }
    for (let at = first; at < first + count; at++) this.settle(items[at] ?? 0);
  }

  /** What an operation of this slice may answer. */
  private allowed(kind: number, item: number): [number, number] {
    const before = this.values[item] ?? EMPTY;
    if (kind === INSERT) return [1, 1];
    if (kind === ERASE) return [0, before === EMPTY ? 0 : 1];
    if (this.touched[item] === ERASED) return [EMPTY, before];
    return [before, this.touched[item] === INSERTED ? (this.coming[item] ?? 0) : before];
  }

  /** The slice has run. */
  private settle(item: number): void {
    const touched = this.touched[item];
    if (touched === INSERTED) this.values[item] = this.coming[item] ?? 0;
    else if (touched === ERASED) this.values[item] = EMPTY;
    this.touched[item] = UNTOUCHED;
  }

  private below(count: number): number {
    return Math.floor(this.draw() * count);
  }

  /** Any key; where there may be races, half the time one that the slice has already, often of the same warp. */
  private pick(items: Uint32Array, first: number, at: number): number {
    const { races, universe } = this.options;
    if (races && at > first && this.draw() < 0.5) {
      const back = this.draw() < 0.5 ? Math.min(32, at - first) : at - first;
      return items[at - 1 - this.below(back)] ?? 0;
    }
    const item = this.below(this.keys.length);
    const changed = this.touched[item] === INSERTED || this.touched[item] === ERASED;
    return changed && !races ? universe + this.below(this.keys.length - universe) : item;
  }

  private kindFor(item: number): number {
    const { erase, races, universe } = this.options;
    const { touched } = this;
    if (touched[item] === UNTOUCHED && item < universe) {
      const present = this.values[item] !== EMPTY;
      const dice = this.draw();
      if (!present && dice < 0.8) {
        touched[item] = INSERTED;
        return INSERT;
      }
      if (erase && (present ? dice < 0.2 : dice < 0.9)) {
        touched[item] = ERASED;
        return ERASE;
      }
    }
    if (!races) touched[item] = touched[item] || FOUND;
    return touched[item] === ERASED && this.draw() < 0.75 ? ERASE : FIND;
  }
}

/** Throws Mismatch at the first answer that is none of the two allowed ones, or if not exactly one lane erased a key. */
export function checkAnswers({ kinds, keys, items, either, or, slices }: HostBatch, results: Uint32Array): void {
  const name = (at: number) =>
    `${kinds[at] === INSERT ? "insert" : kinds[at] === ERASE ? "erase" : "find"}(${hex(keys[at] ?? 0)}), operation ${at}`;
  for (const { first, count } of slices) {
    const erasedBy = new Map<number, number>();
    for (let at = first; at < first + count; at++) {
      const result = results[at] ?? 0;
      const [a = 0, b = 0, item = 0] = [either[at], or[at], items[at]];
      if (result !== a && result !== b) {
        throw new Mismatch(`${name(at)}: ${hex(result)}, expected ${hex(a)}${a === b ? "" : ` or ${hex(b)}`}`);
      }
      if (kinds[at] !== ERASE || b === 0) continue;
      const before = erasedBy.get(item) ?? 0;
      if (before + result > 1) throw new Mismatch(`${name(at)}: erased twice in one slice`);
      erasedBy.set(item, before + result);
    }
    for (const [item, times] of erasedBy) {
      if (times === 0) throw new Mismatch(`key ${item} of the slice at ${first} was present, and no lane erased it`);
    }
  }
}
