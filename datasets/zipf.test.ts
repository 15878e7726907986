import { describe, expect, it } from "vitest";
import { keyOf } from "./random.js";
import { uniform } from "./rng.js";
import { compiled } from "./testing.js";
import { parseExponent, zipfKeys } from "./zipf.js";
import { zipfSampler } from "./zipf-ranks.js";

const [RANKS, DRAWS] = [1000, 1_000_000];

/** How often each rank is drawn where the uniform draws lie at even distances: as its share says, but for draws at its ends. */
function evenlyDrawn(s: number): { readonly counts: Float64Array; readonly all: number } {
  let draw = 0;
  const sample = zipfSampler(RANKS, s, () => (draw++ + 0.5) / DRAWS);
  const counts = new Float64Array(RANKS + 1);
  let all = 0;
  for (; draw < DRAWS; all++) counts[sample()]!++;
  return { counts, all };
}

describe("zipf", () => {
  it.each([0, 0.5, 0.99, 1, 1.1, 1.5, 2, 3])("draws ranks with the frequencies of exponent %d", (s) => {
    const { counts, all } = evenlyDrawn(s);
    const weights = Array.from({ length: RANKS }, (_, i) => (i + 1) ** -s);
    const total = weights.reduce((sum, weight) => sum + weight);
    for (const [i, weight] of weights.entries()) {
      const expected = (all * weight) / total;
      expect(Math.abs(counts[i + 1]! - expected), `rank ${i + 1}`).toBeLessThan(2 + 1e-3 * expected);
    }
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
