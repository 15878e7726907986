/** A stable radix sort of pairs on the device, as steps that any kernel's pass can contain. See README.md. */

import { PrefixSum } from "../common/scan.js";
import { variant, WORKGROUP } from "../common/steps.js";
import { UsageError } from "../device/errors.js";
import type { Kernel, Step } from "../device/gpu.js";
import type { Owner } from "../device/owned.js";

/** DIGITS and TILE of digits.wgsl. */
const DIGITS = WORKGROUP;
const DIGIT_BITS = 8;
const TILE = 16 * WORKGROUP;
/** Enough workgroups for several waves on the largest GPUs; more would only make more counts. */
const MAX_SPANS = 2048;
const WORD = 4;

/** Buffers of at least n keys, and of n values unless keys are sorted alone, u32 each, made by `Gpu.alloc`. */
export interface SortBuffers {
  readonly keys: GPUBuffer;
  readonly values?: GPUBuffer;
}

export interface PairBuffers extends SortBuffers {
  readonly values: GPUBuffer;
}

export interface SortOptions {
  /** Make the steps of the counting variant. Default: no. */
  readonly counting?: boolean;
  /** Sort keys without values. Default: no. */
  readonly keysOnly?: boolean;
  /** Parts that an array is cut into, at most; one workgroup each. */
  readonly maxSpans?: number;
}

/** Bytes of scratch that a sorter for n pairs, or n keys alone, holds. */
export function scratchBytes(n: number, keysOnly = false): number {
  return (keysOnly ? 1 : 2) * n * WORD + DIGITS * Math.min(MAX_SPANS, Math.ceil(n / TILE)) * WORD;
}

export class RadixSort {
  private constructor(
    private readonly gpu: Owner,
    /** Most pairs that it sorts. */
    readonly capacity: number,
    private readonly maxSpans: number,
    private readonly histogram: Kernel,
    private readonly scatter: Kernel,
    private readonly scan: PrefixSum,
    private readonly scratch: SortBuffers,
    private readonly counts: GPUBuffer,
  ) {}

  /** A sorter for at most `capacity` pairs, with scratch as large. Throws DoesNotFit. */
  static async make(gpu: Owner, capacity: number, options: SortOptions = {}): Promise<RadixSort> {
    const { counting = false, keysOnly = false, maxSpans = MAX_SPANS } = options;
    const kernel = (name: string) =>
      variant(gpu, { file: `kernels/radix-sort/${name}.wgsl`, conditions: { KEYS_ONLY: keysOnly } }, counting);
    const [histogram, scatter, scan] = await Promise.all([kernel("histogram"), kernel("scatter"), PrefixSum.make(gpu)]);
    const alloc = (what: string, words: number) => gpu.alloc(`radix sort: ${what}`, words * WORD);
    const keys = await alloc("keys", capacity);
    const scratch = keysOnly ? { keys } : { keys, values: await alloc("values", capacity) };
    const counts = await alloc("counts", DIGITS * Math.min(maxSpans, Math.ceil(capacity / TILE)));
    return new RadixSort(gpu, capacity, maxSpans, histogram, scatter, scan, scratch, counts);
  }

  /**
   * Steps that put the first n pairs of `input` into `output`, ordered by the lowest `bits` bits of their keys; pairs that
   * are equal in those stay in their order. `input` is not altered, unless it is `output`: both may be the same buffers.
   * Pairs after the first n stay as they are.
   */
  steps(input: SortBuffers, output: SortBuffers, n: number, bits = 32): Step[] {
    if (n > this.capacity) throw new UsageError(`radix sort: ${n} pairs; the scratch is for ${this.capacity}`);
    if (!(Number.isInteger(bits) && bits >= 1 && bits <= 32)) throw new UsageError(`radix sort: ${bits} bits; 1 to 32`);
    if (n === 0) return [];
    const inPlace = input.keys === output.keys;
    const steps: Step[] = [];
    let from = input;
    let shift = 0;
    const digits = digitsOf(bits, inPlace);
    for (const [i, width] of digits.entries()) {
      const to = (digits.length - i) % 2 === 1 ? output : this.scratch;
      steps.push(...this.onePass(from, to, n, shift, width));
      from = to;
      shift += width;
    }
    return steps;
  }

  private onePass(from: SortBuffers, to: SortBuffers, n: number, shift: number, width: number): Step[] {
    const all = Math.ceil(n / TILE);
    const tiles = Math.ceil(all / this.maxSpans);
    const groups = Math.ceil(all / tiles);
    const uniform = this.gpu.constant(n, shift, 2 ** width - 1, tiles, groups);
    const { histogram, scatter, counts } = this;
    return [
      { kernel: histogram, bindings: { 0: from.keys, 1: counts, 2: uniform }, groups },
      ...this.scan.steps(counts, DIGITS * groups),
      {
        kernel: scatter,
        bindings: { 0: from.keys, 2: to.keys, 4: counts, 5: uniform, ...this.valueBindings(from, to) },
        groups,
      },
    ];
  }

  private valueBindings(from: SortBuffers, to: SortBuffers): Step["bindings"] {
    if (!this.scratch.values) return {};
    if (!from.values || !to.values) throw new Error("radix sort: pairs without values");
    return { 1: from.values, 3: to.values };
  }
}

/**
 * Widths of the passes' digits, from the lowest; as even as can be. Where output and input are the same buffers the number
 * of passes is even, so that the first one does not write what it reads.
 */
function digitsOf(bits: number, inPlace: boolean): number[] {
  const fewest = Math.ceil(bits / DIGIT_BITS);
  const passes = inPlace ? 2 * Math.ceil(fewest / 2) : fewest;
  return Array.from(
    { length: passes },
    (_, i) => Math.floor(((i + 1) * bits) / passes) - Math.floor((i * bits) / passes),
  );
}
