import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { generateBlocks } from "./blocks/pool.js";
import { type LineitemOptions, lineitemKeys, lineitemTableKeys, scaleFactorFor } from "./lineitem.js";
import { type Compiled, compiled } from "./testing.js";
import { blockKeys } from "./tpch/keys.js";
import { lineitemRows } from "./tpch/rows.js";

async function collect(chunks: AsyncIterable<Uint32Array>): Promise<number[]> {
  const keys: number[] = [];
  for await (const chunk of chunks) for (const key of chunk) keys.push(key);
  return keys;
}

const keysOf = (options: LineitemOptions) => collect(lineitemKeys(options).chunks());

describe("lineitem", () => {
  it("takes scale factor 17 for the paper's 100,784,453 keys, and thousandths below 1", () => {
    expect(scaleFactorFor(100_784_453)).toBe(17);
    expect([1, 10_000, 5_900_000].map(scaleFactorFor)).toEqual([0.001, 0.002, 0.985]);
  });

  it("gives n different keys", async () => {
    const keys = await keysOf({ n: 100_000, seed: 1 });
    expect(keys.length).toBe(100_000);
    expect(new Set(keys).size).toBe(100_000);
  });

  it("gives the first keys of the table, in its order, for a smaller n", async () => {
    const all = await collect(lineitemTableKeys(0.01, 1));
    expect(await keysOf({ n: 1000, seed: 1, sf: 0.01 })).toEqual(all.slice(0, 1000));
  });

  it("hashes the columns that the rows have", async () => {
    const rows = [...lineitemRows(0.001)].reduce((sum, block) => sum + block.rows, 0);
    expect(blockKeys({ first: 0, orders: 1500, sf: 0.001, seed: 4 }).length).toBe(rows);
  });

  it("reads on past the last order if a scale factor has too few rows", async () => {
    const keys = await keysOf({ n: 8000, seed: 1, sf: 0.001 });
    expect(new Set(keys).size).toBe(8000);
  });

  it("is the same for the same seed only", async () => {
    const [first, again, other] = [
      await keysOf({ n: 100, seed: 1 }),
      await keysOf({ n: 100, seed: 1 }),
      await keysOf({ n: 100, seed: 2 }),
    ];
    expect(again).toEqual(first);
    expect(first.filter((key) => other.includes(key))).toEqual([]);
  });

  it("gives absent keys that are not in the stream", async () => {
    const source = lineitemKeys({ n: 50_000, seed: 8 });
    const keys = new Set(await collect(source.chunks()));
    const absent = await source.absent(50_000);
    expect(new Set(absent).size).toBe(50_000);
    expect(absent.some((key) => keys.has(key))).toBe(false);
  });

  it.each([0, -1, 1.5, 0.0005, 701])("refuses scale factor %d", (sf) => {
    expect(() => lineitemKeys({ n: 10, seed: 0, sf })).toThrow(`scale factor ${sf} is not one of`);
  });
});

describe("lineitem's worker threads", () => {
  let worker: Compiled;

  beforeAll(async () => {
    worker = await compiled("datasets/blocks/worker.ts");
  });
  afterAll(() => worker.remove());

  it("give the same keys as the calling thread", async () => {
    const options = { n: 200_000, seed: 3 };
    const parallel = await keysOf({ ...options, pool: { threads: 2, worker: worker.url } });
    expect(parallel).toEqual(await keysOf({ ...options, pool: { threads: 0 } }));
  });

  it("end when the consumer stops early", async () => {
    const endless = (function* () {
      for (let first = 0; ; first += 100) yield { first, orders: 100, sf: 1, seed: 0 };
    })();
    for await (const keys of generateBlocks("lineitem", endless, { threads: 2, worker: worker.url })) {
      expect(keys.length).toBeGreaterThan(100);
      break;
    }
  });

  it("hand an error of theirs to the consumer", async () => {
    const broken = [{ first: 0, orders: -1, sf: 1, seed: 0 }];
    await expect(collect(generateBlocks("lineitem", broken, { threads: 1, worker: worker.url }))).rejects.toThrow(
      "Invalid typed array length",
    );
  });
});
