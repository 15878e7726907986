import { describe, expect, it } from "vitest";
import { absentKeys, keySet, placeOf } from "./keyset.js";

/** The inverse of the golden ratio's odd multiplier, modulo 2^32: multiples of it are consecutive once multiplied. */
const MADE_FOR_FIBONACCI = 0x0e8b2f51;

it.each([1, 2 ** 20, MADE_FOR_FIBONACCI])("places multiples of %i apart, whatever the salt", (step) => {
  const keys = Array.from({ length: 4096 }, (_, i) => Math.imul(i, step) >>> 0);
  const slots = (salt: number) => new Set(keys.map((key) => placeOf(key, salt) >>> (32 - 13)));
  // Of 8,192 slots random places take 3,223.
  for (const salt of [0, 1, 0x9e3779b9]) expect(slots(salt).size).toBeGreaterThan(3000);
});

it("places a key elsewhere with another salt", () => {
  expect(new Set([1, 2, 3, 4].map((salt) => placeOf(7, salt))).size).toBe(4);
});

const SMALL = 100;
const LARGE = 2 ** 26;

describe.each([
  ["hashed", SMALL],
  ["bitmap", LARGE],
])("key set, %s", (_, capacity) => {
  it("keeps first occurrences, in order", () => {
    const keys = Uint32Array.of(5, 7, 5, 0, 7, 0xfffffffd);
    const set = keySet(capacity);
    expect([...keys.subarray(0, set.addAll(keys))]).toEqual([5, 7, 0, 0xfffffffd]);
    expect(set.size).toBe(4);
    expect(set.addAll(Uint32Array.of(0, 1))).toBe(1);
    expect([1, 5, 2].map((key) => set.has(key))).toEqual([true, true, false]);
  });

  it("leaves out reserved keys", () => {
    const set = keySet(capacity);
    expect(set.addAll(Uint32Array.of(0xffffffff, 0xfffffffe))).toBe(0);
    expect([0xffffffff, 0xfffffffe].map((key) => set.has(key))).toEqual([false, false]);
  });

  it("finds absent keys that are distinct and not in the set", () => {
    const set = keySet(capacity);
    const other = absentKeys(set, 50, 1);
    set.addAll(other.slice());
    const absent = absentKeys(set, 50, 1);
    expect(new Set([...other, ...absent]).size).toBe(100);
  });
});

it("a hashed set takes as many keys as it was made for", () => {
  for (const capacity of [1, 8, 1024]) {
    const set = keySet(capacity);
    expect(set.addAll(Uint32Array.from({ length: capacity }, (_, i) => i * 4096))).toBe(capacity);
    expect(set.has(4095)).toBe(false);
  }
});

it("takes 200,000 keys of neighbouring slots, within the time of a test", () => {
  const keys = Uint32Array.from({ length: 200_000 }, (_, i) => Math.imul(i, MADE_FOR_FIBONACCI));
  const set = keySet(keys.length);
  expect(set.addAll(Uint32Array.of(...keys.subarray(0, 100), ...keys.subarray(50, 150)))).toBe(150);
  expect(set.addAll(keys.slice().reverse())).toBe(keys.length - 150);
  expect(keys.every((key) => set.has(key))).toBe(true);
  expect(set.has(1)).toBe(keys.includes(1));
});
