import { expect, test } from "vitest";
import { FakeGpu } from "../device/fake.js";
import { putting } from "./growing.js";

test("little comes first to a small table, whose refused rows look at all slots; then more, as long as it takes all", async () => {
  const [capacity, slots, n] = [1000, 1250, 100_000];
  const pieces: number[] = [];
  const table = {
    slots,
    // A quarter is free, so that the table is not made larger first.
    export: async () => ({ count: 750 }),
    insert: async (_run: unknown, pairs: { n: number }) => {
      pieces.push(pairs.n);
      return { count: 0 };
    },
  };
  const having = { gpu: new FakeGpu(), table, making: { onFull: "grow" }, run: async () => ({}) };
  const { insert } = putting(having as never, { capacity } as never);
  const keys = {} as GPUBuffer;
  expect(await insert({ keys, values: keys, n })).toBe(0);
  expect(pieces.reduce((sum, rows) => sum + rows, 0)).toBe(n);
  expect((pieces[0] ?? 0) * slots).toBeLessThan(1e7);
  expect(pieces.length).toBeLessThan(5);
});
