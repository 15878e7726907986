/** What device/limits measured on one device, for the share of the limit on every row. */
import type { Access } from "../scenarios/benchmark.js";

/**
 * Least bytes in host memory whose limit is known. The rate falls more than tenfold from 512 MiB to 2 GiB, where no interpolation says by
 * how much at a size between.
 */
export const LARGE_HOST_BYTES = 2 ** 31;
/** By pattern: pairs of table bytes and M accesses/s. */
export type Rates = Readonly<Record<string, readonly (readonly [bytes: number, rate: number])[]>>;

/** M accesses/s by pattern and table bytes. */
export class Limits {
  constructor(private rates: Rates = {}) {}

  get all(): Rates {
    return this.rates;
  }

  /** Whether the pattern was measured, on a table of more than `beyond` bytes and no more than `upTo`. */
  has(pattern: string, beyond = 0, upTo = Infinity): boolean {
    return (this.rates[pattern] ?? []).some(([bytes]) => bytes > beyond && bytes <= upTo);
  }

  set({ pattern, tableBytes }: Access, mops: number): void {
    const others = (this.rates[pattern] ?? []).filter(([bytes]) => bytes !== tableBytes);
    this.rates = { ...this.rates, [pattern]: [...others, [tableBytes, mops]] };
  }

  /**
   * M accesses/s of the pattern on a table of these bytes: between two measured sizes by interpolation, beyond them the nearest
   * one's. Null if the pattern was never measured.
   */
  rate({ pattern, tableBytes }: Access): number | null {
    return rateAt(this.rates[pattern] ?? [], tableBytes);
  }
}

/**
 * The rate at that size among (bytes, rate), as `Limits.rate` has it; null without any point. Between two sizes the time of an access is
 * linear in 1 / size, as it is where a cache holds a fixed number of bytes of them.
 */
export function rateAt(
  measured: readonly (readonly [bytes: number, rate: number])[],
  tableBytes: number,
): number | null {
  const points = measured.toSorted(([a], [b]) => a - b);
  const above = points.findIndex(([bytes]) => bytes >= tableBytes);
  const [first] = points;
  const last = points.at(-1);
  if (!first || !last) return null;
  if (above === -1) return last[1];
  if (above === 0) return first[1];
  const [b0, r0] = points[above - 1] ?? first;
  const [b1, r1] = points[above] ?? last;
  const share = (1 / b0 - 1 / tableBytes) / (1 / b0 - 1 / b1);
  return 1 / (1 / r0 + (1 / r1 - 1 / r0) * share);
}
