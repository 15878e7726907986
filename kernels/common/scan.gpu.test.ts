import { expect, test } from "vitest";
import { testGpu } from "../../bench/device/testing.js";
import { uniform } from "../../datasets/rng.js";
import { owned } from "../device/owned.js";
import { PrefixSum } from "./scan.js";

const gpu = testGpu();

/** Prefix sums of the first `n` words, the others as they are, and how many dispatches it took. */
async function scanned(words: Uint32Array, n: number): Promise<{ sums: Uint32Array; dispatches: number }> {
  const scan = await owned(gpu(), (own) => PrefixSum.make(own));
  const data = await gpu().alloc("words", words.length * 4);
  gpu().write(data, 0, words);
  const steps = scan.steps(data, n);
  await gpu().run(steps);
  const sums = await gpu().read(data, words.length);
  scan.destroy();
  data.destroy();
  return { sums, dispatches: steps.length };
}

function oracle(words: Uint32Array, n: number): Uint32Array {
  let sum = 0;
  return words.map((word, i) => {
    if (i >= n) return word;
    const before = sum;
    sum = (sum + word) >>> 0;
    return before;
  });
}

/** Sums of these wrap around. */
function anyWords(count: number): Uint32Array {
  const draw = uniform(count);
  return Uint32Array.from({ length: count }, () => Math.floor(draw() * 2 ** 32));
}

test.each([
  [0, 0],
  [1, 1],
  [3, 1],
  [4, 1],
  [31, 1],
  [33, 1],
  [1023, 1],
  [1024, 1],
  [1025, 1],
  [8192, 1],
  [8193, 2],
  [100_003, 2],
  // More tiles than spans: three tiles a span, and a last span that is not full.
  [2 ** 21 + 7, 2],
])("%i words become their prefix sums in %i dispatches, and no other word changes", async (n, dispatches) => {
  const words = anyWords(n + 9);
  const done = await scanned(words, n);
  // Compared as a whole: a report of millions of single words cannot be read.
  expect(Buffer.compare(Buffer.from(done.sums.buffer), Buffer.from(oracle(words, n).buffer))).toBe(0);
  expect(done.dispatches).toBe(dispatches);
});

test("a zero after the last word becomes the total", async () => {
  const words = Uint32Array.from({ length: 5001 }, (_, i) => (i < 5000 ? i : 0));
  expect((await scanned(words, 5001)).sums[5000]).toBe((5000 * 4999) / 2);
});
