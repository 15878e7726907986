import { expect, test } from "vitest";
import type { Sampled } from "./sampled.js";
import { measureGroup } from "./sampler.js";
import { defaultStopping } from "./stopping.js";

const options = { ...defaultStopping, maxSamples: 20 };

/** A cell that notes its turns and takes 1 ms, 1.001 ms, … */
function fake(name: string, log: string[], ns = (run: number) => 1e6 + run): Sampled {
  let run = 0;
  return {
    mutates: false,
    sample: async () => {
      log.push(name);
      run += 1;
      return ns(run);
    },
  };
}

test("blocks of the cells alternate, each led by a discarded run", async () => {
  const log: string[] = [];
  const outcomes = await measureGroup([fake("a", log), fake("b", log)], options);
  const blocks = log.join("").match(/a+|b+/g)?.slice(2) ?? [];
  expect(blocks).toEqual(["aaaaaa", "bbbbbb", "aaaaaa", "bbbbbb"]);
  expect(outcomes.map((outcome) => outcome.ok && outcome.samples.length)).toEqual([10, 10]);
});

test("samples stay in the order of time", async () => {
  const [outcome] = await measureGroup([fake("a", [])], options);
  const samples = outcome?.ok ? outcome.samples : [];
  expect(samples.length).toBeGreaterThanOrEqual(10);
  expect(samples).toEqual([...samples].sort((a, b) => a - b));
});

test("a cell that mutates is reset before every run", async () => {
  let dirty = true;
  const cell: Sampled = {
    mutates: true,
    reset: async () => {
      dirty = false;
    },
    sample: async () => {
      expect(dirty).toBe(false);
      dirty = true;
      return 1e6;
    },
  };
  expect(await measureGroup([cell], options)).toMatchObject([{ ok: true }]);
});

test.each([Number.NaN, 0, -5, Number.POSITIVE_INFINITY])("a duration of %d is an error, never a number", async (ns) => {
  const [outcome] = await measureGroup([fake("a", [], (run) => (run > 8 ? ns : 1e9))], options);
  expect(outcome).toMatchObject({ ok: false });
});

test("an error of one cell leaves the others going", async () => {
  const broken: Sampled = {
    mutates: false,
    sample: async () => {
      throw new Error("rejected by validation");
    },
  };
  const [first, second] = await measureGroup([broken, fake("b", [])], options);
  expect(first).toMatchObject({ ok: false, error: { message: "rejected by validation" } });
  expect(second).toMatchObject({ ok: true });
});

test("the watchdog hears of every run, with the cell that runs", async () => {
  const beats: string[] = [];
  await measureGroup([fake("a", []), fake("b", [])], options, (cell, phase) => beats.push(`${cell} ${phase}`));
  expect(beats.filter((beat) => beat === "1 sample")).toHaveLength(10);
});

test("what mutates without a reset does not compile", () => {
  // @ts-expect-error: reset is missing
  const cell: Sampled = { mutates: true, sample: async () => 1 };
  expect(cell.mutates).toBe(true);
});
