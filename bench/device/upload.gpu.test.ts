import { expect, test } from "vitest";
import { scoped } from "../../kernels/device/owned.js";
import { testGpu } from "./testing.js";
import { PIECE, upload } from "./upload.js";

const gpu = testGpu();

test.each([1, 1000, PIECE, 3 * PIECE + 5])("%d words arrive, and those behind them stay", async (n) => {
  await scoped(gpu(), async (own) => {
    const buffer = await own.alloc("words", 4 * (n + 1));
    own.write(buffer, 4 * n, Uint32Array.of(77));
    const pieces: number[] = [];
    await upload(own, buffer, n, async (piece, first) => {
      pieces.push(piece.length);
      for (let i = 0; i < piece.length; i++) piece[i] = Math.imul(first + i, 0x9e3779b9);
    });
    expect(pieces.reduce((sum, words) => sum + words)).toBe(n);
    const words = await own.read(buffer, n + 1);
    expect(words[n]).toBe(77);
    let wrong = 0;
    for (let i = 0; i < n; i++) if (words[i] !== Math.imul(i, 0x9e3779b9) >>> 0) wrong += 1;
    expect(wrong).toBe(0);
  });
});

test("what a piece throws is thrown, with nothing left behind", async () => {
  await scoped(gpu(), async (own) => {
    const buffer = await own.alloc("words", 12 * PIECE);
    const failing = (failAt: number) =>
      upload(own, buffer, 3 * PIECE, (_, first) => {
        if (first === failAt) throw new Error("no more words");
      });
    for (const failAt of [0, PIECE, 2 * PIECE]) await expect(failing(failAt)).rejects.toThrow("no more words");
    await upload(own, buffer, 2, (piece) => piece.set([5, 6]));
    expect([...(await own.read(buffer, 2))]).toEqual([5, 6]);
  });
});
