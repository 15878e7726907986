import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { FakeGpu } from "../device/fake.js";
import { scoped } from "../device/owned.js";
import { type Dispatch, Rounds, type Work } from "./rounds.js";

beforeAll(() => {
  vi.stubGlobal("GPUMapMode", { READ: 1, WRITE: 2 });
});
afterAll(() => vi.unstubAllGlobals());

/** Parts that operations on n items are done in, by rounds that were made for `planned`. */
function partsOf(planned: number, n: number): Promise<number> {
  return scoped(new FakeGpu(), async (own) => {
    const rounds = await Rounds.make(own, planned, 4, 4);
    const ask: Dispatch = { kernel: await own.kernel({ file: "ask.wgsl" }) };
    let parts = 0;
    const work: Work = {
      ask,
      tally() {
        parts++;
        // Nothing waits for a real device here, so that no time-out would end it.
        if (parts > n) throw new Error("more parts than items");
      },
    };
    await rounds.run(work, 0, n);
    return parts;
  });
}

test.each([
  // A part has 64 items at least.
  [0, 1, 1],
  [0, 1000, 16],
  [1, 1000, 16],
  [10_000, 10_000, 4],
  [10_000, 0, 0],
])("rounds that were made for %i items do %i in %i parts", async (planned, n, parts) => {
  expect(await partsOf(planned, n)).toBe(parts);
});

test.each([[[5, 1, 2]], [[1, 2, 1, 5]]])(
  "of parts that take %j trips the most are returned, in whichever order they end",
  async (trips) => {
    const flight = {
      async part(_: Work, first: number): Promise<number> {
        for (let i = 0; i < first; i++) await null;
        return trips[first / 64] ?? 0;
      },
    };
    const made = new (Rounds as unknown as new (...made: unknown[]) => Rounds)(64, [flight, flight, flight]);
    expect(await made.run({} as Work, 0, 64 * trips.length)).toBe(5);
  },
);
