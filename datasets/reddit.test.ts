import { expect, it } from "vitest";
import { hashText } from "./file.js";
import { keyConstants } from "./random.js";
import { FIRST_ID, redditKeys } from "./reddit.js";

const idOf = (i: number) => (FIRST_ID + i).toString(36);

async function keysOf(n: number, seed: number): Promise<number[]> {
  const keys: number[] = [];
  for await (const chunk of redditKeys({ n, seed }).chunks()) keys.push(...chunk);
  return keys;
}

it("has the keys that a file of these ids has", async () => {
  expect([idOf(0), idOf(1), idOf(36 ** 3)]).toEqual(["cqug90g", "cqug90h", "cquh90g"]);
  const [salt] = keyConstants(8);
  const hashes = Array.from({ length: 5000 }, (_, i) => hashText(idOf(i), salt));
  expect(await keysOf(5000, 8)).toEqual([...new Set(hashes)]);
});

it("has exactly n different keys where hashes are equal, and others with another seed", async () => {
  const source = redditKeys({ n: 300_000, seed: 1 });
  const keys = new Set<number>();
  let read = 0;
  for await (const chunk of source.chunks()) {
    read += chunk.length;
    for (const key of chunk) keys.add(key);
  }
  expect([read, keys.size, source.unique()]).toEqual([300_000, 300_000, 300_000]);
  const absent = await source.absent(1000);
  expect(absent.some((key) => keys.has(key))).toBe(false);
  expect(await keysOf(10, 1)).not.toEqual(await keysOf(10, 2));
});
