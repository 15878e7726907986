import { describe, expect, it } from "vitest";
import { absentKeys, keySet } from "./keyset.js";

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
