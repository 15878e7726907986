import { describe, expect, test } from "vitest";
import { passOf } from "../device/timer.js";
import { CPU_DEVICE, coarse, IDLE_DEVICE, type SamplerDevice } from "./device.js";
import type { Sampled } from "./sampled.js";
import { measureGroup, roundRobin, Sampler } from "./sampler.js";
import { defaultStopping, EVEN_NS, LONG_PASS_NS, ONE_NS, SETTLED_PASS_NS, type StoppingOptions } from "./stopping.js";

/** Ten runs of 0.9 ms or 1, however even they are. */
const options = { ...defaultStopping, maxSamples: 20, minTimeMs: 9 };

/** A cell that notes its turns and takes 1 ms, 1.001 ms, … */
function fake(name: string, log: string[], ns = (run: number) => 1e6 + run): Sampled {
  let run = 0;
  return {
    mutates: false,
    repeats: false,
    sample: async () => {
      log.push(name);
      run += 1;
      return ns(run);
    },
  };
}

/** Not so even that five would do. */
const uneven = (ns: number) => (run: number) => ns * (1 + 0.006 * (run % 2));

/** Samples the cells as `measureGroup` does, and hears of every phase and every end. */
async function watched(
  cells: readonly Sampled[],
  heard: (what: string) => void,
  stopping: StoppingOptions = options,
): Promise<void> {
  const samplers = cells.map(
    (cell, i) => new Sampler(cell, stopping, IDLE_DEVICE, (phase, samples) => heard(`${i} ${phase} ${samples}`)),
  );
  for (const sampler of samplers) await sampler.warmUp();
  await roundRobin(samplers, async (outcome, i) =>
    heard(`${i} ended ${outcome.ok ? outcome.samples.length : "badly"}`),
  );
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

test("the device is woken before every block and kept awake before every sample, after the reset", async () => {
  const log: string[] = [];
  const cell: Sampled = {
    mutates: true,
    reset: async () => {
      log.push("reset");
    },
    sample: async (_, between) => {
      log.push("run");
      await between?.(0);
      return 5000;
    },
  };
  const seen: number[] = [];
  const heater = {
    wake: async () => {
      log.push("wake");
    },
    keep: async (ns: number) => {
      log.push("keep");
      seen.push(ns);
    },
    between: async () => {
      log.push("between");
    },
  };
  await measureGroup([cell], defaultStopping, { ...IDLE_DEVICE, heater });
  const warmUp = "reset run";
  // What a sample of several passes has between them is shorter.
  const sample = "reset keep run between";
  expect(
    log
      .join(" ")
      .split("wake ")
      .map((part) => part.trim()),
  ).toEqual([Array(4).fill(warmUp).join(" "), ...Array(2).fill([warmUp, ...Array(5).fill(sample)].join(" "))]);
  expect(new Set(seen)).toEqual(new Set([5000]));
});

test("before every run of many passes the device is woken once, after the reset; before the one that warms up only if it may be a sample", async () => {
  const runs = async (long: boolean) => {
    const log: string[] = [];
    const noting = (what: string) => async () => void log.push(what);
    const sample: Sampled["sample"] = async (_, between) => {
      log.push("run");
      await between?.(0);
      return 1e8;
    };
    const cell = { mutates: true, ofMany: true, long, reset: noting("reset"), sample } as const;
    const heater = { wake: noting("wake"), keep: noting("keep"), between: noting("between") };
    await measureGroup([cell], defaultStopping, { ...IDLE_DEVICE, heater });
    return log.join(" ");
  };
  const sample = "reset wake run between";
  expect(await runs(true)).toBe(`${sample} ${sample}`);
  expect(await runs(false)).toBe(`reset run ${sample} ${sample}`);
});

test("an operation of microseconds that may be repeated is, so often that a pass takes a millisecond", async () => {
  const asked: (number | undefined)[] = [];
  const cell = (repeats: boolean): Sampled => ({
    mutates: false,
    repeats,
    sample: async (repetitions) => {
      asked.push(repetitions);
      return 20_000;
    },
  });
  const measured = async (repeats: boolean, maxRepetitions: number) => {
    asked.length = 0;
    const [outcome] = await measureGroup([cell(repeats)], options, { ...IDLE_DEVICE, maxRepetitions });
    return outcome?.ok ? outcome : null;
  };
  expect(await measured(true, 128)).toMatchObject({ repetitions: 50, samples: Array(10).fill(20_000) });
  // Of the warm-up, of the two blocks.
  expect(asked).toEqual([...Array(4).fill(1), ...Array(12).fill(50)]);
  expect(await measured(true, 8)).toMatchObject({ repetitions: 8 });
  expect(await measured(false, 128)).toMatchObject({ repetitions: 1 });
  expect(new Set(asked)).toEqual(new Set([1]));
});

describe("with a clock that is rounded to 65,536 ns", () => {
  const TICK = 65_536;
  const device = coarse(IDLE_DEVICE, { kind: "timestamps", resolutionNs: TICK });
  /** An operation of so many ns; the clock's begin is anywhere within a tick. */
  const rounded = (ns: number, repeats: boolean): Sampled => {
    let begin = 0;
    return {
      mutates: false,
      repeats,
      sample: async (repetitions = 1) => {
        begin = (begin + 40_503) % TICK;
        return (Math.floor((begin + ns * repetitions) / TICK) * TICK) / repetitions;
      },
    };
  };

  test("operations that it cannot see are repeated until it can, and the sample is within the tick that is told", async () => {
    const [outcome] = await measureGroup([rounded(20_000, true)], options, device);
    if (!outcome?.ok) throw outcome?.error;
    expect(outcome.repetitions).toBeGreaterThan(20);
    expect(outcome.tickNs).toBe(TICK / outcome.repetitions);
    for (const ns of outcome.samples) expect(Math.abs(ns - 20_000)).toBeLessThanOrEqual(outcome.tickNs);
  });

  test("a pass that may not be repeated and takes less than 20 ticks gives no number, and a reason", async () => {
    const [short] = await measureGroup([rounded(5 * TICK, false)], options, device);
    expect(short).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining("5 ticks of this clock (65.5 µs)") },
    });
    const [long] = await measureGroup([rounded(30 * TICK, false)], options, device);
    expect(long).toMatchObject({ ok: true, repetitions: 1, tickNs: TICK });
  });
});

test("the heater hears how long the pass takes, not one of its operations", async () => {
  const seen: number[] = [];
  const keep = async (ns: number) => void seen.push(ns);
  const heater = { ...IDLE_DEVICE.heater, keep };
  const cell: Sampled = { mutates: false, repeats: true, sample: async () => 20_000 };
  await measureGroup([cell], options, { ...IDLE_DEVICE, heater, maxRepetitions: 128 });
  expect(seen.slice(-5)).toEqual(Array(5).fill(1e6));
});

test("a cell ends, and says so, before the others have been sampled to their end", async () => {
  const log: string[] = [];
  const noisy = fake("b", [], (run) => 1e6 * (1 + (run % 2)));
  await watched([fake("a", []), noisy, fake("c", [])], (what) => log.push(what));
  const ends = log.filter((what) => what.includes("ended"));
  expect(ends).toEqual(["0 ended 10", "2 ended 10", "1 ended 20"]);
  expect(log.indexOf("0 ended 10")).toBeLessThan(log.indexOf("2 ended 10"));
  expect(log.indexOf("0 ended 10")).toBeLessThan(log.lastIndexOf("2 sample 9"));
  // Nothing of the others runs between a cell's last sample and its end.
  expect(log[log.indexOf("0 ended 10") - 1]).toBe("0 sample 9");
});

test("runs of a tenth of a second have their turns one by one and none discarded, after one or two to warm up", async () => {
  for (const longWarmUp of [1, 2]) {
    const log: string[] = [];
    const cells = ["a", "b"].map((name) => fake(name, log, uneven(2e8)));
    await measureGroup(cells, options, { ...IDLE_DEVICE, longWarmUp });
    expect(log.join("")).toBe("a".repeat(longWarmUp) + "b".repeat(longWarmUp) + "ab".repeat(10));
  }
});

test("on a CPU runs of 20 ms have their turns one by one after one to warm up, and no more than time asks for", async () => {
  const stopping = { ...options, maxTimeMs: 0, fewestSamples: 3 };
  const turns = async (ns: number) => {
    const log: string[] = [];
    const cells = ["a", "b"].map((name) => fake(name, log, () => ns));
    await measureGroup(cells, stopping, { ...CPU_DEVICE, warmUpMs: 0 });
    return log.join("");
  };
  expect(await turns(2e7)).toBe(`ab${"ab".repeat(3)}`);
  expect(await turns(1.9e7)).toBe(`aabb${"a".repeat(6)}${"b".repeat(6)}`);
});

test("long runs of many passes are warmed up by one, take turns one by one and end after five, short ones after ten", async () => {
  const measured = async (ns: number, ofMany: boolean, device = IDLE_DEVICE) => {
    const log: string[] = [];
    const changing = { mutates: true, reset: async () => undefined } as const;
    const cells = ["a", "b"].map((name) => ({ ...fake(name, log, uneven(ns)), ...changing, ofMany }));
    await measureGroup(cells, options, device);
    return log.join("");
  };
  expect(await measured(5e7, true)).toBe(`ab${"ab".repeat(5)}`);
  expect(await measured(2e8, true)).toBe(`ab${"ab".repeat(5)}`);
  expect(await measured(2e8, false)).toBe(`aabb${"ab".repeat(10)}`);
  expect(await measured(2e8, false, { ...IDLE_DEVICE, longPassNs: LONG_PASS_NS })).toBe(`aabb${"ab".repeat(5)}`);
  expect((await measured(1.1e6, true)).match(/a+|b+/g)).toEqual(["a", "b", "aaaaa", "bbbbb", "aaaaa", "bbbbb"]);
});

test("on a GPU passes of a millisecond take turns one by one, and those of 10 ms end with the first three if they are even", async () => {
  const measured = async (
    ns: number,
    at: (run: number) => number,
    device: SamplerDevice = { ...IDLE_DEVICE, longNs: EVEN_NS, settledPassNs: SETTLED_PASS_NS },
  ) => {
    const log: string[] = [];
    const changing = { mutates: true, reset: async () => undefined } as const;
    const cells = ["a", "b"].map((name) => ({ ...fake(name, log, (run) => ns * at(run)), ...changing }));
    await measureGroup(cells, { ...options, minTimeMs: 0 }, device);
    return (log.join("").match(/a+|b+/g) ?? []).slice(2).join(" ");
  };
  const even = (run: number) => 1 + 0.001 * (run % 2);
  const odd = (run: number) => 1 + 0.009 * (run % 2);
  expect(await measured(1e7, even)).toBe("a b a b a b");
  expect(await measured(1e7, odd)).toBe(new Array(10).fill("a b").join(" "));
  expect(await measured(9e6, even)).toBe(new Array(5).fill("a b").join(" "));
  expect(await measured(1e7, even, { ...IDLE_DEVICE, settledPassNs: IDLE_DEVICE.settledPassNs })).toBe("aaaaa bbbbb");
});

test("the run that warms up single passes of 10 ms on a GPU is a sample, unless it is not even with those after it", async () => {
  const gpu = {
    ...IDLE_DEVICE,
    longWarmUp: 1,
    settledNs: SETTLED_PASS_NS,
    longNs: EVEN_NS,
    settledPassNs: SETTLED_PASS_NS,
    longPassNs: LONG_PASS_NS,
  };
  const measured = async (ns: number, at: readonly number[], device = gpu) => {
    const log: string[] = [];
    const changing = { mutates: true, reset: async () => undefined } as const;
    const cells = ["a", "b"].map((name) => ({ ...fake(name, log, (run) => ns * (at[run - 1] ?? 1)), ...changing }));
    const [outcome] = await measureGroup(cells, { ...options, minTimeMs: 0 }, device);
    const turns = (log.join("").match(/a+|b+/g) ?? []).join(" ");
    return outcome?.ok ? [turns, outcome.samples.map((sample) => sample / ns), outcome.calls] : [];
  };
  expect(await measured(1e7, [1.001, 1, 1.002])).toEqual(["a b a b a b", [1.001, 1, 1.002], [0, 1, 2]]);
  expect(await measured(1e7, [1.006])).toEqual(["a b a b a b a b", [1, 1, 1], [1, 2, 3]]);
  expect(await measured(1e8, [1.004])).toEqual(["a b a b", [1.004, 1], [0, 1]]);
  expect(await measured(1e8, [1.01])).toEqual(["a b a b a b", [1, 1], [1, 2]]);
  const [turns, samples] = await measured(1e7, [1, 1.01]);
  expect([turns, samples]).toEqual([new Array(11).fill("a b").join(" "), [1.01, ...new Array(9).fill(1)]]);
  expect((await measured(9e6, []))[0]).toBe(`aa bb${" a b".repeat(5)}`);
});

test("the run that warms up a long cell is a sample of it, where it does take 30 ms, and the only one on a GPU where it takes 0.5 s", async () => {
  const measured = async (ns: number, long: boolean, device = IDLE_DEVICE, steady = true) => {
    const changing = { mutates: true, reset: async () => undefined } as const;
    const cell = { ...fake("a", [], (run) => ns + run), ...changing, ofMany: true, long, steady };
    const [outcome] = await measureGroup([cell], { ...options, minTimeMs: 0 }, device);
    return outcome?.ok ? [outcome.samples.map((sample) => sample - ns), outcome.calls] : [];
  };
  const gpu = { ...IDLE_DEVICE, oneNs: ONE_NS };
  expect(await measured(3e7, true, gpu)).toEqual([
    [1, 2],
    [0, 1],
  ]);
  expect(await measured(5e8, true, gpu)).toEqual([[1], [0]]);
  expect(await measured(5e8, true, gpu, false)).toEqual([
    [1, 2],
    [0, 1],
  ]);
  expect(await measured(5e8, false, gpu)).toEqual([[2], [1]]);
  expect(await measured(2e7, true, gpu)).toMatchObject([
    [2, 3, 4, 5, 6],
    [1, 2, 3, 4, 5],
  ]);
  expect(await measured(5e7, true)).toEqual([
    [1, 2],
    [0, 1],
  ]);
  expect(await measured(1e9, false)).toEqual([
    [2, 3],
    [1, 2],
  ]);
});

test("runs that outlast what the caches held are warmed up by two, and none is discarded before their blocks", async () => {
  const measured = async (ns: number) => {
    const log: string[] = [];
    const cells = ["a", "b"].map((name) => fake(name, log, uneven(ns)));
    await measureGroup(cells, options, { ...IDLE_DEVICE, settledNs: 1e7 });
    return log.join("").match(/a+|b+/g);
  };
  expect(await measured(1e7)).toEqual(["aa", "bb", "aaaaa", "bbbbb", "aaaaa", "bbbbb"]);
  expect(await measured(9.8e6)).toEqual(["aaaa", "bbbb", "aaaaaa", "bbbbbb", "aaaaaa", "bbbbbb"]);
});

test("runs of a millisecond that a reset goes before need no discarded one, and two to warm up", async () => {
  const measured = async (ns: number) => {
    const log: string[] = [];
    const cells = ["a", "b"].map((name): Sampled => {
      const { sample } = fake(name, log, (run) => (run === 1 ? 1.05 : 1) * ns);
      return { mutates: true, reset: async () => undefined, sample };
    });
    await measureGroup(cells, options);
    return log.join("").match(/a+|b+/g);
  };
  expect(await measured(1e6)).toEqual(["aa", "bb", "aaaaa", "bbbbb", "aaaaa", "bbbbb"]);
  expect(await measured(9e5)).toEqual(["aaaa", "bbbb", "aaaaaa", "bbbbbb", "aaaaaa", "bbbbbb"]);
});

test("a rehearsal is one run, of which nothing remains but its error", async () => {
  const log: string[] = [];
  const sampler = new Sampler(
    fake("a", log, (run) => 1e6 * (run === 1 ? 80 : 1)),
    options,
  );
  await sampler.rehearse();
  expect(log).toHaveLength(1);
  await sampler.warmUp();
  expect(log).toHaveLength(5);
  await roundRobin([sampler], async () => undefined);
  expect(sampler.outcome).toMatchObject({ ok: true, samples: Array(10).fill(1e6) });
  const broken = new Sampler(
    fake("b", log, () => 0),
    options,
  );
  await broken.rehearse();
  await broken.warmUp();
  expect(broken.outcome).toMatchObject({ ok: false });
  expect(log.filter((name) => name === "b")).toHaveLength(1);
});

test("a cell that can be rehearsed is not run for it", async () => {
  const log: string[] = [];
  const rehearse = async () => {
    log.push("rehearsed");
  };
  const cell = { ...fake("a", log, () => 1e9), mutates: true, reset: async () => undefined, rehearse } as const;
  const sampler = new Sampler({ ...cell, ofMany: true, long: true, steady: true }, options, {
    ...IDLE_DEVICE,
    oneNs: ONE_NS,
  });
  await sampler.rehearse();
  expect(log).toEqual(["rehearsed"]);
  await sampler.warmUp();
  expect(log).toEqual(["rehearsed", "a"]);
  expect(sampler.leastMs).toBe(0);
  expect(sampler.outcome).toMatchObject({ ok: true, samples: [1e9], calls: [0], stopped: "long" });
});

test("one run of many passes is enough where that is asked for, and warms up", async () => {
  const cell = {
    ...fake("a", [], (run) => 5e7 + run),
    mutates: true,
    reset: async () => undefined,
    ofMany: true,
  } as const;
  const [outcome] = await measureGroup([cell], { ...options, minTimeMs: 0, enoughOfMany: 1 });
  expect(outcome).toMatchObject({ ok: true, samples: [5e7 + 1], calls: [0] });
});

test("a first run that takes long because it compiles does not make its cell a slow one", async () => {
  const log: string[] = [];
  await measureGroup([fake("a", log, (run) => (run === 1 ? 2e8 : 1e6))], options);
  // The warm-up, and two blocks each led by a discarded run.
  expect(log).toHaveLength(4 + 2 * 6);
});

test("how it ended is said, and how often the pass repeats", async () => {
  const ending = async (stopping: Partial<StoppingOptions>, ns?: (run: number) => number) => {
    const [outcome] = await measureGroup([fake("a", [], ns)], { ...options, ...stopping });
    return outcome?.ok && outcome.stopped;
  };
  const noise = (run: number) => 1e6 * (1 + (run % 2));
  expect(await ending({})).toBe("quiet");
  expect(await ending({}, noise)).toBe("samples");
  expect(await ending({ maxTimeMs: 0 }, noise)).toBe("time");
});

test.each([0, -5, Number.POSITIVE_INFINITY])(
  "a duration of %d is an error, in the warm-up and after it, and never a number",
  async (ns) => {
    // The warm-up has four runs, the block one more.
    for (const broken of [2, 7]) {
      const cell = fake("a", [], (run) => (run === broken ? ns : 1e6));
      const [outcome, other] = await measureGroup([cell, fake("b", [])], options);
      expect(outcome).toMatchObject({ ok: false, error: { message: `a run was measured to take ${ns} ns` } });
      expect(other).toMatchObject({ ok: true });
    }
  },
);

test("a run that was not timed is measured again, after a reset, and is no sample", async () => {
  const log: string[] = [];
  // In the warm-up, twice on end, and amid the samples.
  const cell = fake("a", log, (run) => ([2, 3, 8].includes(run) ? Number.NaN : 1e6));
  const reset = async () => {
    log.push("reset");
  };
  const [outcome] = await measureGroup([{ ...cell, mutates: true, reset }], options);
  expect(outcome).toMatchObject({ ok: true, samples: Array(10).fill(1e6) });
  expect(log.filter((_, i) => i % 2 === 0)).toEqual(Array(log.length / 2).fill("reset"));
  expect(outcome?.ok && outcome.calls).not.toContain(7);
});

test("a cell none of whose runs can be timed has failed, with the reason", async () => {
  const log: string[] = [];
  passOf({ begin: 5n, end: 3n, status: Uint32Array.of(), more: Uint32Array.of() });
  const [outcome] = await measureGroup([fake("a", log, () => Number.NaN)], options);
  const message = "5 runs were not timed: a pass ended 2 ns before it began";
  expect(outcome).toMatchObject({ ok: false, error: { message } });
  expect(log).toHaveLength(5);
});

test("the number that counts is the cell's own, not the wall clock's", async () => {
  const [outcome] = await measureGroup([fake("a", [], () => 7e8)], options);
  expect(outcome).toMatchObject({ ok: true, samples: Array(5).fill(7e8) });
});

test.each([
  ["warm-up", 2],
  ["sample", 7],
])("an error of one cell in a %s leaves the others going", async (_, when) => {
  const broken = fake("a", [], (run) => {
    if (run === when) throw new Error("rejected by validation");
    return 1e6;
  });
  const [first, second] = await measureGroup([broken, fake("b", [])], options);
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

test("the watchdog hears of every run, with the cell that runs and the samples it has", async () => {
  const beats: string[] = [];
  await watched([fake("a", []), fake("b", [])], (what) => beats.push(what));
  expect(beats.filter((beat) => beat.startsWith("1 sample"))).toEqual(
    Array.from({ length: 10 }, (__, i) => `1 sample ${i}`),
  );
});

test("what mutates without a reset does not compile", () => {
  // @ts-expect-error: reset is missing
  const cell: Sampled = { mutates: true, sample: async () => 1 };
  expect(cell.mutates).toBe(true);
});

test("what mutates and is repeated does not compile", () => {
  // @ts-expect-error: its second run would find what the first one left
  const cell: Sampled = { mutates: true, repeats: true, reset: async () => undefined, sample: async () => 1 };
  expect(cell.mutates).toBe(true);
});
