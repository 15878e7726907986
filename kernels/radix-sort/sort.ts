/** A stable radix sort of pairs on the device, as steps that any kernel's pass can contain. See README.md. */

import { variant, WORKGROUP } from "../common/steps.js";
import { type WARP_KINDS, warpConditions } from "../common/warp.js";
import { dispatch } from "../device/bind.js";
import { UsageError } from "../device/errors.js";
import type { Kernel, Step } from "../device/gpu.js";
import type { Owner } from "../device/owned.js";

const DIGIT_BITS = 8;
/**
 * What the sort keeps in a workgroup's memory, as in digits.wgsl: the pairs of a tile, and a counter of two bytes for each digit of each
 * warp. Tiles are SMALL where the device has less than `bytes` of that memory.
 */
const LARGE = { bytes: 2 ** 15, tile: 20 * WORKGROUP, warpDigits: 4096 };
const SMALL = { tile: 8 * WORKGROUP, warpDigits: 2048 };
/** Digits of all passes: four of 256, or more passes of fewer. As many words a tile has in the rows of all passes. */
const ALL_DIGITS = 1024;
/** Elements of `digits` in the plan of histogram.wgsl. */
const MAX_PASSES = 8;
/** Keys that a workgroup of the histogram reads in a turn, and the fewest turns for which it is worth to add its counts to the others'. */
const TURN_KEYS = 4 * WORKGROUP;
const LEAST_TURNS = 4;
/** Enough for several workgroups on each processor of the largest GPUs. */
const MAX_SPANS = 1024;
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
  /** Parts that the histogram cuts an array into, at most; one workgroup each. */
  readonly maxSpans?: number;
  /** Lanes of a warp, 4 to 32, a power of two: narrow ones sort by narrow digits, in more passes. Default: 32. */
  readonly warp?: number;
  /** What a warp is made of. Default: subgroups where the adapter has them. */
  readonly warps?: (typeof WARP_KINDS)[number];
  /** For tests: one tile in so many tells the others nothing, and they have to count it. Default: 0, none does. */
  readonly silent?: number;
}

/** Bytes of scratch of a sorter for n pairs, or n keys alone, with large tiles. */
export function scratchBytes(n: number, keysOnly = false): number {
  return (keysOnly ? 1 : 2) * n * WORD + ALL_DIGITS * (rowsFor(n) + 1) * WORD;
}

/** Rows of a pass: one a tile, after the digits' own. */
function rowsFor(n: number, tile = LARGE.tile): number {
  return Math.ceil(n / tile) + 1;
}

interface Kernels {
  readonly histogram: Kernel<"keys" | "plan">;
  readonly starts: Kernel<"words">;
  /** Its values are bound where there are some. */
  readonly scatter: Kernel;
}

export class RadixSort {
  private constructor(
    /** Most pairs that it sorts. */
    readonly capacity: number,
    private readonly maxSpans: number,
    private readonly digitBits: number,
    /** Pairs of a tile. */
    private readonly tile: number,
    private readonly kernels: Kernels,
    /** Room for the pairs; what is left there after a sort has no meaning. */
    readonly scratch: SortBuffers,
  ) {}

  /** A sorter for at most `capacity` pairs, with scratch as large. Throws DoesNotFit; a UsageError for warps it cannot have. */
  static async make(gpu: Owner, capacity: number, options: SortOptions = {}): Promise<RadixSort> {
    const { counting = false, keysOnly = false, maxSpans = MAX_SPANS, warp = 32, warps = "auto", silent = 0 } = options;
    const { maxComputeWorkgroupStorageSize: bytes = LARGE.bytes } = gpu.info.limits;
    const small = bytes < LARGE.bytes;
    const { tile, warpDigits } = small ? SMALL : LARGE;
    const digitBits = Math.min(DIGIT_BITS, Math.log2((warpDigits * warp) / WORKGROUP));
    // scatter.wgsl holds the pairs of a large tile in named registers where it has subgroups.
    const { conditions, constants } = warpConditions(gpu.info, warp, small ? "virtual" : warps);
    const alloc = (what: string, words: number) => gpu.alloc(`radix sort: ${what}`, words * WORD);
    const scratch = {
      keys: await alloc("keys", capacity),
      ...(!keysOnly && { values: await alloc("values", capacity) }),
    };
    const bound = {
      counts: await alloc("counts", ALL_DIGITS),
      rows: await alloc("rows", ALL_DIGITS * rowsFor(capacity, tile)),
    };
    const source = (name: string) => ({
      file: `kernels/radix-sort/${name}.wgsl`,
      constants: { ...constants, GROUP_LANES: WORKGROUP, ALL_DIGITS, DIGITS: 2 ** digitBits, SILENT: silent },
      conditions: { SUBGROUPS: conditions.SUBGROUPS === true, KEYS_ONLY: keysOnly, SMALL: small },
      bound,
    });
    const values = keysOnly ? [] : (["values_in", "values_out"] as const);
    const [histogram, starts, scatter] = await Promise.all([
      variant(gpu, { ...source("histogram"), takes: ["keys", "plan"] }, counting),
      gpu.kernel({ ...source("starts"), takes: ["words"] }),
      variant(gpu, { ...source("scatter"), takes: ["keys_in", "keys_out", "sort", ...values] }, counting),
    ]);
    return new RadixSort(capacity, maxSpans, digitBits, tile, { histogram, starts, scatter }, scratch);
  }

  /**
   * Steps that put the first n pairs of `input` into `output`, ordered by `bits` bits of their keys, from bit `low` on; pairs
   * that are equal in those stay in their order. `input` is not altered, unless it is `output`: both may be the same buffers.
   * Pairs after the first n stay as they are.
   */
  steps(input: SortBuffers, output: SortBuffers, n: number, bits = 32, low = 0): Step[] {
    if (n > this.capacity) throw new UsageError(`radix sort: ${n} pairs; the scratch is for ${this.capacity}`);
    if (!(Number.isInteger(bits) && bits >= 1 && low + bits <= 32))
      throw new UsageError(`radix sort: ${bits} bits; 1 to 32`);
    if (n === 0) return [];
    const digits = digitsOf(bits, low, this.digitBits, input.keys === output.keys);
    const steps = this.counted(input, n, digits);
    let from = input;
    for (const [i, digit] of digits.entries()) {
      const to = (digits.length - i) % 2 === 1 ? output : this.scratch;
      steps.push(this.onePass(from, to, n, digit, i));
      from = to;
    }
    return steps;
  }

  /** Row 0 of every pass, and the others clear. */
  private counted({ keys }: SortBuffers, n: number, digits: readonly Digit[]): Step[] {
    const { histogram, starts } = this.kernels;
    const all = Math.ceil(n / TURN_KEYS);
    const turns = Math.max(LEAST_TURNS, Math.ceil(all / this.maxSpans));
    const places = Array.from({ length: MAX_PASSES }, (_, i) => [digits[i]?.shift ?? 0, digits[i]?.mask ?? 0, 0, 0]);
    const words = this.rowWords(n);
    const plan = { n, turns, passes: digits.length, words, digits: places.flat() };
    return [dispatch(histogram, Math.ceil(all / turns), { keys, plan }), dispatch(starts, digits.length, { words })];
  }

  private onePass(from: SortBuffers, to: SortBuffers, n: number, { shift, mask }: Digit, pass: number): Step {
    const tiles = Math.ceil(n / this.tile);
    return dispatch(this.kernels.scatter, tiles, {
      keys_in: from.keys,
      keys_out: to.keys,
      sort: { n, tiles, shift, mask, rows: pass * this.rowWords(n) },
      ...this.valuesOf(from, to),
    });
  }

  /** Words of a pass's rows. */
  private rowWords(n: number): number {
    return rowsFor(n, this.tile) * 2 ** this.digitBits;
  }

  private valuesOf(from: SortBuffers, to: SortBuffers): Record<string, GPUBuffer> {
    if (!this.scratch.values) return {};
    if (!from.values || !to.values) throw new Error("radix sort: pairs without values");
    return { values_in: from.values, values_out: to.values };
  }
}

/** What a pass orders by: (key >> shift) & mask. */
interface Digit {
  readonly shift: number;
  readonly mask: number;
}

/**
 * The passes' digits, from the lowest; their widths as even as can be. Where output and input are the same buffers the
 * number of passes is even, so that the first one does not write what it reads.
 */
function digitsOf(bits: number, low: number, most: number, inPlace: boolean): Digit[] {
  const fewest = Math.ceil(bits / most);
  const passes = inPlace ? 2 * Math.ceil(fewest / 2) : fewest;
  return Array.from({ length: passes }, (_, i) => {
    const from = Math.floor((i * bits) / passes);
    return { shift: low + from, mask: 2 ** (Math.floor(((i + 1) * bits) / passes) - from) - 1 };
  });
}
