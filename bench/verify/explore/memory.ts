/** Words that lanes share, and what is known of who touched which of them while a dispatch is explored. */

/** Two actors touch the word, one of them writing: the orders of its accesses are explored. */
const SHARED = 1;
const WRITTEN = 2;
const NOBODY = 0;
const SEVERAL = -1;

/** Who touched a word since when. */
interface Touched {
  readonly owners: Int32Array;
  /** The stretch of time that this is about: a schedule or, of a workgroup's memory, its part between two barriers. */
  readonly times: Float64Array;
  readonly flags: Uint8Array;
}

export class Memory {
  private touched: Touched | null = null;

  /**
   * @param id what its words are hashed by
   * @param local of a workgroup, whose barriers order the accesses to it
   */
  constructor(
    readonly id: number,
    readonly name: string,
    readonly words: Uint32Array,
    readonly local = false,
  ) {}

  isShared(at: number): boolean {
    return this.touched !== null && ((this.touched.flags[at] ?? 0) & SHARED) !== 0;
  }

  /** From now on the word is taken to be shared; whether it was not before. */
  share(at: number): boolean {
    if (this.touched === null || this.isShared(at)) return false;
    this.touched.flags[at] = SHARED;
    return true;
  }

  /** Notes an access; whether it is the first that shows that the word is shared. */
  touch(at: number, who: number, time: number, writes: boolean): boolean {
    const { length } = this.words;
    this.touched ??= { owners: new Int32Array(length), times: new Float64Array(length), flags: new Uint8Array(length) };
    const { owners, times, flags } = this.touched;
    const again = times[at] === time;
    const owner = again ? owners[at] : NOBODY;
    const flag = (again ? (flags[at] ?? 0) : this.isShared(at) ? SHARED : 0) | (writes ? WRITTEN : 0);
    times[at] = time;
    owners[at] = owner === NOBODY || owner === who ? who : SEVERAL;
    const found = owners[at] === SEVERAL && flag === WRITTEN;
    flags[at] = found ? flag | SHARED : flag;
    return found;
  }
}

/** 32 bits of four words. */
export function hash(seed: number, a: number, b: number, c: number): number {
  let h =
    seed ^ Math.imul(a, 0x9e3779b1) ^ Math.imul(b ^ (b >>> 15), 0x85ebca6b) ^ Math.imul(c ^ (c >>> 13), 0xc2b2ae35);
  h = Math.imul(h ^ (h >>> 16), 0x7feb352d);
  h = Math.imul(h ^ (h >>> 15), 0x846ca68b);
  return h ^ (h >>> 16);
}

/** 64 bits of a set of words, which change with each that comes or goes. */
export class SetHash {
  private low = 0;
  private high = 0;

  /** The word comes, or goes if it is there. */
  toggle(a: number, b: number, c: number): void {
    this.low ^= hash(1, a, b, c);
    this.high ^= hash(2, a, b, c);
  }

  get key(): string {
    return `${this.low},${this.high}`;
  }
}
