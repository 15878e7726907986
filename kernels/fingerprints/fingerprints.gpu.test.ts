import { describe, expect, test } from "vitest";
import { testGpu } from "../../bench/device/testing.js";
import { countingRunner, countMetrics } from "../../bench/measure/counting/counters.js";
import { poisoned, upload } from "../../bench/verify/bulk.js";
import { casesNamed, testCases } from "../../bench/verify/testing.js";
import { keyOf } from "../../datasets/random.js";
import { createTable } from "../create.js";
import { configure } from "../define.js";
import { scoped } from "../device/owned.js";
import { altered } from "../testing.js";
import { fingerprints } from "./fingerprints.js";

const gpu = testGpu();

describe("fingerprints of 8 bits, in 3 banks and 3 passes", () => {
  const type = altered(configure(fingerprints, { bits: 8, passes: 3 }), ({ create, bytes }) => ({
    create(own, making) {
      const value = 128 * Math.ceil(bytes(making.n, making.loadFactor) / 3 / 128);
      return create(Object.create(own, { maxBinding: { value } }), making);
    },
  }));
  testCases(casesNamed(type, "random history of insertions", "full table", "usual load factor"), gpu, type);
});

/** Pairs that searches read per key, of n keys that are there and of n others. */
function pairsRead(n: number, bits: 8 | 16): Promise<number[]> {
  return scoped(gpu(), async (own) => {
    const table = await createTable(fingerprints, own, {
      n,
      loadFactor: 0.8,
      seed: 1,
      params: { bits },
      counting: true,
    });
    const keys = Array.from({ length: 2 * n }, (_, i) => keyOf(i, 1));
    const [present, absent] = [await upload(own, keys.slice(0, n)), await upload(own, keys.slice(n))];
    const results = await poisoned(own, n);
    await table.clear();
    await table.insert(countingRunner(gpu()).run, { keys: present, values: present, n });
    const read: number[] = [];
    for (const queries of [present, absent]) {
      const { run, counts } = countingRunner(gpu());
      await table.find(run, { keys: queries, results, n });
      const counted = new Map(countMetrics(counts, n).map(({ metric, value }) => [metric, value ?? 0]));
      // Each probe reads a bucket's fingerprints.
      read.push((counted.get("table_reads") ?? 0) - (counted.get("probes") ?? 0));
    }
    return read;
  });
}

test("a key that is there costs a request for one pair, and another key nearly none", async () => {
  const n = 20_000;
  // 12.8 keys of a bucket, each alike with probability 2^-bits: half of them are asked before the key itself.
  for (const bits of [8, 16] as const) {
    const [present = 0, absent = 0] = await pairsRead(n, bits);
    const alike = 12.8 / 2 ** bits;
    expect(present - 1).toBeLessThan(0.75 * alike);
    expect(absent).toBeLessThan(2 * alike);
    expect(absent).toBeGreaterThan(alike / 3);
    expect(present).toBeGreaterThanOrEqual(1);
  }
});
