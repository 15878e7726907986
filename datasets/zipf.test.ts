import { describe, expect, it } from "vitest";
import { keyOf } from "./random.js";
import { uniform } from "./rng.js";
import { compiled } from "./testing.js";
import { parseExponent, zipfKeys } from "./zipf.js";
import { zipfSampler } from "./zipf-ranks.js";

const DRAWS = 200_000;

/** Pearson's statistic of the ranks 1 … `cells` and of all others together, over its degrees of freedom. */
function chiSquarePerDegree(n: number, s: number, cells: number, seed: number): number {
  const sample = zipfSampler(n, s, uniform(seed));
  const counts = new Float64Array(n + 1);
  for (let i = 0; i < DRAWS; i++) counts[sample()]!++;
  const weights = Float64Array.from({ length: n + 1 }, (_, k) => (k === 0 ? 0 : k ** -s));
  const total = weights.reduce((sum, w) => sum + w);
  const tail = (values: Float64Array) => values.subarray(cells + 1).reduce((sum, value) => sum + value, 0);
  let statistic = (tail(counts) - (DRAWS * tail(weights)) / total) ** 2 / ((DRAWS * tail(weights)) / total);
  for (let k = 1; k <= cells; k++) {
    const expected = (DRAWS * weights[k]!) / total;
    statistic += (counts[k]! - expected) ** 2 / expected;
  }
  return statistic / cells;
}

describe("zipf", () => {
  it.each([0, 0.5, 0.99, 1, 1.1, 2])("draws ranks with the frequencies of exponent %d", (s) => {
    // Ten samples of 50 degrees of freedom each: the mean is 1 with a standard deviation of sqrt(2 / 500) = 0.063. One
    // sample alone would tell less, and be off by chance more easily.
    const statistics = Array.from({ length: 10 }, (_, seed) => chiSquarePerDegree(1000, s, 50, seed));
    const mean = statistics.reduce((sum, each) => sum + each) / statistics.length;
    expect(Math.abs(mean - 1)).toBeLessThan(4 * 0.063);
  });

  it("draws the only rank there is", () => {
    const sample = zipfSampler(1, 1.2, uniform(1));
    expect([sample(), sample(), sample()]).toEqual([1, 1, 1]);
  });

  it("gives the most frequent rank the key 0 of the seed's bijection", async () => {
    const counts = new Map<number, number>();
    const source = zipfKeys(1.5, { n: 10_000, seed: 9 });
    for await (const chunk of source.chunks()) for (const key of chunk) counts.set(key, (counts.get(key) ?? 0) + 1);
    const [top] = [...counts].sort((a, b) => b[1] - a[1]);
    expect(top?.[0]).toBe(keyOf(0, 9));
    expect(source.unique()).toBe(counts.size);
    for (const key of await source.absent(1000)) expect(counts.has(key)).toBe(false);
  });

  it("is the same for the same seed only", async () => {
    const first = async (seed: number) => {
      for await (const chunk of zipfKeys(1, { n: 100, seed }).chunks()) return [...chunk];
      return [];
    };
    expect(await first(1)).toEqual(await first(1));
    expect(await first(1)).not.toEqual(await first(2));
  });

  it("gives the same keys by threads as by the calling one, each block with draws of its own", async () => {
    const worker = await compiled("datasets/blocks/worker.ts");
    try {
      const keysBy = async (threads: number) => {
        const source = zipfKeys(0.5, { n: 2_500_000, seed: 4, pool: { threads, worker: worker.url } });
        const chunks: Uint32Array[] = [];
        for await (const chunk of source.chunks()) chunks.push(chunk);
        return { chunks, unique: source.unique() };
      };
      const [alone, by2] = [await keysBy(0), await keysBy(2)];
      expect(alone.chunks.map(({ length }) => length)).toEqual([2 ** 20, 2 ** 20, 2_500_000 - 2 ** 21]);
      expect(by2.unique).toBe(alone.unique);
      const bytes = ({ chunks }: typeof alone) => Buffer.concat(chunks.map(({ buffer }) => Buffer.from(buffer)));
      expect(bytes(by2).equals(bytes(alone))).toBe(true);
      expect(alone.chunks[0]?.slice(0, 5)).not.toEqual(alone.chunks[1]?.slice(0, 5));
    } finally {
      await worker.remove();
    }
  });

  it.each(["", "-1", "x", "Infinity"])("refuses the exponent %j", (text) => {
    expect(() => parseExponent(text)).toThrow(
      `zipf: the exponent "${text}" is not a number >= 0; write for example zipf:1.1`,
    );
  });
});
