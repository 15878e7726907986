/** The keyed hash: it is the published cipher, and who knows the seed of the usual hash makes no keys that meet. */
import { expect, test } from "vitest";
import { testGpu } from "../../bench/device/testing.js";
import { countingRunner, countMetrics } from "../../bench/measure/counting/counters.js";
import { Bulk } from "../../bench/verify/bulk.js";
import { hostileKeys } from "../../datasets/hostile.js";
import { bucketed } from "../bucketed/bucketed.js";
import { createTable } from "../create.js";
import { crystal, linearProbing } from "../double-hashing/double-hashing.js";
import { quotient } from "../quotient/quotient.js";
import type { TableType } from "../table.js";
import { roundKeys } from "./keyed.js";
import { mix32 } from "./random.js";
import { nextPrime } from "./steps.js";

const gpu = testGpu();
const [N, LOAD_FACTOR, SEED] = [1000, 0.8, 7];
/** Of the cipher's test vector. */
const SECRET = [0x09080100, 0x19181110] as const;

function speck(x: number): number {
  let [left, right] = [x >>> 16, x & 0xffff];
  for (const key of roundKeys(SECRET).slice(0, 22)) {
    left = ((((left >>> 7) | (left << 9)) + right) & 0xffff) ^ key;
    right = (((right << 2) | (right >>> 14)) & 0xffff) ^ left;
  }
  return ((left << 16) | right) >>> 0;
}

/** Probes of insertions by linear probing, whose sum is the same in every order. */
function probesOf(homes: readonly number[], slots: number): number {
  const taken = new Set<number>();
  let probes = 0;
  for (const home of homes) {
    let slot = home;
    for (probes++; taken.has(slot); probes++) slot = (slot + 1) % slots;
    taken.add(slot);
  }
  return probes;
}

/** Does `work` with a table that has all of these keys, each its own value; gives the probes of their insertion. */
async function holding(type: TableType, keyed: boolean, keys: readonly number[], work?: (bulk: Bulk) => Promise<void>) {
  const making = { n: keys.length, loadFactor: LOAD_FACTOR, seed: SEED, secret: SECRET, counting: false };
  const table = await createTable(type, gpu(), { ...making, params: { keyed } });
  try {
    await table.clear();
    const { run, counts } = countingRunner(gpu());
    const bulk = new Bulk(gpu(), table);
    expect(await bulk.insert(keys, keys, 0, run)).toMatchObject({ count: 0 });
    await work?.(bulk);
    const probes = countMetrics(counts, keys.length, table).find(({ metric }) => metric === "probes");
    return Math.round((probes?.value ?? 0) * keys.length);
  } finally {
    table.destroy();
  }
}

async function hostile(kind: string): Promise<number[]> {
  const keys: number[] = [];
  for await (const chunk of hostileKeys(kind, { n: N, seed: SEED }).chunks()) keys.push(...chunk);
  return keys;
}

test("the cipher is the published one", () => {
  expect(speck(0x6574694c)).toBe(0xa86842f2);
});

test("keys that all meet by the usual hash with that seed are spread by the keyed one as by a cipher on the host", async () => {
  const keys = await hostile("crystal");
  const slots = nextPrime(N / LOAD_FACTOR);
  const hashes = keys.map((key) => speck((key ^ SEED) >>> 0));
  const usual = keys.map((key) => mix32(key ^ SEED) % slots);
  const keyed = hashes.map((hash) => hash % slots);
  expect(probesOf(usual, slots)).toBe((N * (N + 1)) / 2);
  expect(probesOf(keyed, slots)).toBeLessThan(4 * N);
  expect(await holding(crystal, false, keys)).toBe(probesOf(usual, slots));
  expect(await holding(crystal, true, keys)).toBe(probesOf(keyed, slots));
  const upper = hashes.map((hash) => hash >>> 21);
  expect(await holding(linearProbing, true, keys)).toBe(probesOf(upper, 2 ** 11));
});

test("so are those of bucketed, whose searches then seldom see a second bucket", async () => {
  const keys = await hostile("bucketed");
  // The first bucket has room for four.
  expect(await holding(bucketed, false, keys)).toBeGreaterThanOrEqual(2 * N - 4);
  expect(await holding(bucketed, true, keys)).toBeLessThan(1.5 * N);
});

test("quotient makes keys of its buckets by the cipher backwards", async () => {
  const keys = await hostile("quotient");
  await holding(quotient, true, keys, async (bulk) => {
    expect(await bulk.find(keys)).toEqual(Uint32Array.from(keys));
    const sorted = (await bulk.export(N)).map(([key]) => key).sort((a, b) => a - b);
    expect(sorted).toEqual(keys.toSorted((a, b) => a - b));
  });
});
