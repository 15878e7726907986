/** A table's pairs in the host's memory, by slot: keyWords of key, then valueWords of value, without padding. */

import { EMPTY } from "../common/steps.js";
import { DoesNotFit } from "../device/errors.js";
import { JOB_WORDS } from "./rounds.js";

/** Largest ArrayBuffer of Node 20, bytes. */
const MAX_BYTES = 2 ** 32;
/** Slots that are brought into the cache before they are used. */
const BLOCK = 64;

export class HostMemory {
  private readonly words: Uint32Array;
  private readonly pairWords: number;
  /** What `touch` has read: reads without a use would be optimised away. */
  private touched = 0;

  /** Throws DoesNotFit beyond what one array holds, or beyond the host's memory. */
  constructor(
    slots: number,
    readonly keyWords: number,
    readonly valueWords: number,
  ) {
    this.pairWords = keyWords + valueWords;
    const bytes = slots * this.pairWords * 4;
    if (bytes > MAX_BYTES) throw new DoesNotFit(`host memory: ${bytes} bytes, but an array holds at most ${MAX_BYTES}`);
    try {
      this.words = new Uint32Array(slots * this.pairWords);
    } catch {
      throw new DoesNotFit(`host memory: no room for ${bytes} bytes`);
    }
  }

  get bytes(): number {
    return this.words.byteLength;
  }

  clear(): void {
    this.words.fill(EMPTY);
  }

  /** Writes pair i to slots[i], unless that is EMPTY. How many were written. */
  store(slots: Uint32Array, keys: Uint32Array, values: Uint32Array): number {
    const { keyWords, valueWords } = this;
    if (keyWords === 1 && valueWords === 1) return this.store8(slots, keys, values);
    if (keyWords === 2 && valueWords === 2) return this.store16(slots, keys, values);
    const { words, pairWords } = this;
    let stored = 0;
    for (let i = 0; i < slots.length; i++) {
      const slot = slots[i] as number;
      if (slot === EMPTY) continue;
      stored++;
      let to = slot * pairWords;
      for (let j = i * keyWords; j < (i + 1) * keyWords; j++) words[to++] = keys[j] as number;
      for (let j = i * valueWords; j < (i + 1) * valueWords; j++) words[to++] = values[j] as number;
    }
    return stored;
  }

  /** Reads the pairs of the jobs' slots, or only their keys if there is no room for values. How many were read. */
  load(jobs: Uint32Array, keys: Uint32Array, values: Uint32Array): number {
    const { keyWords } = this;
    const valueWords = values.length === 0 ? 0 : this.valueWords;
    return this.inBlocks(jobs, (first, end) => {
      if (keyWords === 1 && valueWords === 1) this.load8(jobs, keys, values, first, end);
      else if (keyWords === 2 && valueWords === 2) this.load16(jobs, keys, values, first, end);
      else this.loadWide(jobs, keys, values, valueWords, first, end);
    });
  }

  /** Puts the pair (job[1], job[2]) into the slot of each job, one after another; gives the pairs that were there. */
  exchange(jobs: Uint32Array, keys: Uint32Array, values: Uint32Array): number {
    return this.inBlocks(jobs, (first, end) => this.exchange8(jobs, keys, values, first, end));
  }

  /**
   * Does `work` for blocks of jobs, whose slots it first brings into the cache: a loop that only reads has more cache misses
   * in flight than one that also writes (results/studies/sampling.md, Memory).
   */
  private inBlocks(jobs: Uint32Array, work: (first: number, end: number) => void): number {
    const count = jobs.length / JOB_WORDS;
    for (let first = 0; first < count; first += BLOCK) {
      const end = Math.min(count, first + BLOCK);
      this.touched ^= this.touch(jobs, first, end);
      work(first, end);
    }
    return count;
  }

  private touch(jobs: Uint32Array, first: number, end: number): number {
    const { words, pairWords } = this;
    let sum = 0;
    for (let i = first; i < end; i++) sum ^= words[(jobs[i * JOB_WORDS] as number) * pairWords] as number;
    return sum;
  }

  // Pairs of 8 and of 16 bytes without inner loops: up to twice as fast in V8.

  private store8(slots: Uint32Array, keys: Uint32Array, values: Uint32Array): number {
    const { words } = this;
    let stored = 0;
    for (let i = 0; i < slots.length; i++) {
      const slot = slots[i] as number;
      if (slot === EMPTY) continue;
      stored++;
      words[2 * slot] = keys[i] as number;
      words[2 * slot + 1] = values[i] as number;
    }
    return stored;
  }

  private store16(slots: Uint32Array, keys: Uint32Array, values: Uint32Array): number {
    const { words } = this;
    let stored = 0;
    for (let i = 0; i < slots.length; i++) {
      const slot = slots[i] as number;
      if (slot === EMPTY) continue;
      stored++;
      words[4 * slot] = keys[2 * i] as number;
      words[4 * slot + 1] = keys[2 * i + 1] as number;
      words[4 * slot + 2] = values[2 * i] as number;
      words[4 * slot + 3] = values[2 * i + 1] as number;
    }
    return stored;
  }

  private load8(jobs: Uint32Array, keys: Uint32Array, values: Uint32Array, first: number, end: number): void {
    const { words } = this;
    for (let i = first; i < end; i++) {
      const from = 2 * (jobs[i * JOB_WORDS] as number);
      keys[i] = words[from] as number;
      values[i] = words[from + 1] as number;
    }
  }

  private load16(jobs: Uint32Array, keys: Uint32Array, values: Uint32Array, first: number, end: number): void {
    const { words } = this;
    for (let i = first; i < end; i++) {
      const from = 4 * (jobs[i * JOB_WORDS] as number);
      keys[2 * i] = words[from] as number;
      keys[2 * i + 1] = words[from + 1] as number;
      values[2 * i] = words[from + 2] as number;
      values[2 * i + 1] = words[from + 3] as number;
    }
  }

  private loadWide(
    jobs: Uint32Array,
    keys: Uint32Array,
    values: Uint32Array,
    valueWords: number,
    first: number,
    end: number,
  ): void {
    const { words, keyWords, pairWords } = this;
    for (let i = first; i < end; i++) {
      let from = (jobs[i * JOB_WORDS] as number) * pairWords;
      for (let j = i * keyWords; j < (i + 1) * keyWords; j++) keys[j] = words[from++] as number;
      for (let j = i * valueWords; j < (i + 1) * valueWords; j++) values[j] = words[from++] as number;
    }
  }

  private exchange8(jobs: Uint32Array, keys: Uint32Array, values: Uint32Array, first: number, end: number): void {
    const { words } = this;
    for (let i = first; i < end; i++) {
      const at = i * JOB_WORDS;
      const slot = 2 * (jobs[at] as number);
      keys[i] = words[slot] as number;
      values[i] = words[slot + 1] as number;
      words[slot] = jobs[at + 1] as number;
      words[slot + 1] = jobs[at + 2] as number;
    }
  }
}
