import { expect, test } from "vitest";
import { createTable } from "../create.js";
import { DoesNotFit } from "../device/errors.js";
import { FakeGpu } from "../device/fake.js";
import { keyOfHash } from "./hash.js";
import { quotient } from "./quotient.js";

test("a table whose slots 32 bits cannot number does not fit, also where the device binds enough", async () => {
  const gpu = new FakeGpu();
  Object.assign(gpu.info.limits, { maxStorageBuffersPerShaderStage: 16 });
  // 8 bytes a pair at load factor 0.5: 16 bytes a pair, of which 32 are six slots.
  const most = 2 ** 32 / 3;
  const make = (n: number) => createTable(quotient, gpu, { n, loadFactor: 0.5, seed: 1, params: {}, counting: false });
  await expect(make(Math.ceil(1.01 * most))).rejects.toThrow(DoesNotFit);
  await expect(make(Math.ceil(1.01 * most))).rejects.toThrow("of which 32 bits number");
  expect(gpu.live).toEqual([]);
  (await make(Math.floor(0.99 * most))).destroy();
});

test("buckets lie in pairs: there is an even number of them at every size", () => {
  for (let n = 1000; n < 1100; n++) {
    const stash = 64;
    expect((quotient.bytes(n, 0.8) - 8 * stash) % 64, `${n}`).toBe(0);
  }
});

test.each([0, 1, 0xffffffff])("the key of a first hash has that hash with the seed %i", (seed) => {
  /** mix32 of common/hash.wgsl. */
  const mix = (word: number) => {
    let x = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
    x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
    return (x ^ (x >>> 16)) >>> 0;
  };
  for (const key of [0, 1, 12345, 0x80000000, 0xfffffffd]) expect(keyOfHash(mix(key ^ seed), seed)).toBe(key);
});
