/** A table's pairs in the host's memory, by slot: keyWords of key, then valueWords of value, without padding. */
import { EMPTY } from "../../kernels/common/steps.js";
import { DoesNotFit } from "../gpu/gpu.js";
import { JOB_WORDS } from "./rounds.js";

/** Largest ArrayBuffer of Node 20, bytes. */
const MAX_BYTES = 2 ** 32;

export class HostMemory {
  private readonly words: Uint32Array;
  private readonly pairWords: number;

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
    const { words, keyWords, valueWords, pairWords } = this;
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
    const { words, keyWords, pairWords } = this;
    const valueWords = values.length === 0 ? 0 : this.valueWords;
    const count = jobs.length / JOB_WORDS;
    for (let i = 0; i < count; i++) {
      let from = (jobs[i * JOB_WORDS] as number) * pairWords;
      for (let j = i * keyWords; j < (i + 1) * keyWords; j++) keys[j] = words[from++] as number;
      for (let j = i * valueWords; j < (i + 1) * valueWords; j++) values[j] = words[from++] as number;
    }
    return count;
  }

  /** Puts the pair (job[1], job[2]) into the slot of each job, one after another; gives the pairs that were there. */
  exchange(jobs: Uint32Array, keys: Uint32Array, values: Uint32Array): number {
    const { words } = this;
    const count = jobs.length / JOB_WORDS;
    for (let i = 0; i < count; i++) {
      const at = i * JOB_WORDS;
      const slot = (jobs[at] as number) * 2;
      keys[i] = words[slot] as number;
      values[i] = words[slot + 1] as number;
      words[slot] = jobs[at + 1] as number;
      words[slot + 1] = jobs[at + 2] as number;
    }
    return count;
  }
}
