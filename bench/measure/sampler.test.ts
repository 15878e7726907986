import { expect, test } from "vitest";
import type { Sampled } from "./sampled.js";
import { measureGroup, type Phase } from "./sampler.js";
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

test("the device is kept warm before every run, after the reset, knowing how long the last run took", async () => {
  const log: string[] = [];
  const cell: Sampled = {
    mutates: true,
    reset: async () => {
      log.push("reset");
    },
    sample: async () => {
      log.push("run");
      return 5000;
    },
  };
  const seen: number[] = [];
  await measureGroup([cell], options, undefined, async (lastNs) => {
    log.push("warm");
    seen.push(lastNs);
  });
  const turns = log.join(" ").match(/reset warm run/g) ?? [];
  expect(turns).toHaveLength(log.length / 3);
  expect(seen[0]).toBe(Number.POSITIVE_INFINITY);
  expect(new Set(seen.slice(1))).toEqual(new Set([5000]));
});

test.each([Number.NaN, 0, -5, Number.POSITIVE_INFINITY])(
  "a duration of %d is an error, in the warm-up and after it, and never a number",
  async (ns) => {
    for (const when of ["warm-up", "sample"] as const) {
      let phase: Phase = "warm-up";
      const cell = fake("a", [], () => (phase === when ? ns : 1e9));
      const [outcome, other] = await measureGroup([cell, fake("b", [])], options, (index, now) => {
        if (index === 0) phase = now;
      });
      expect(outcome).toMatchObject({ ok: false, error: { message: `a run was measured to take ${ns} ns` } });
      expect(other).toMatchObject({ ok: true });
    }
  },
);

test("the number that counts is the cell's own, not the wall clock's", async () => {
  const [outcome] = await measureGroup([fake("a", [], () => 7e12)], options);
  expect(outcome).toMatchObject({ ok: true, samples: Array.from({ length: 10 }, () => 7e12) });
});

test.each(["warm-up", "sample"] as const)("an error of one cell in a %s leaves the others going", async (when) => {
  let phase: Phase = "warm-up";
  const broken = fake("a", [], () => {
    if (phase === when) throw new Error("rejected by validation");
    return 1e6;
  });
  const [first, second] = await measureGroup([broken, fake("b", [])], options, (index, now) => {
    if (index === 0) phase = now;
  });
  expect(first).toMatchObject({ ok: false, error: { message: "rejected by validation" } });
  expect(second).toMatchObject({ ok: true });
  expect(second?.ok && second.samples).toHaveLength(10);
});

test("a reset that fails is the cell's error", async () => {
  const sample = async () => 1e6;
  const reset = () => Promise.reject("device lost");
  const outcomes = await measureGroup([{ mutates: true, reset, sample }, fake("b", [])], options);
  expect(outcomes).toMatchObject([{ ok: false, error: { message: "device lost" } }, { ok: true }]);
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
