import { expect, test } from "vitest";
import { addSpent, addSpentBy, Stopwatch } from "./stopwatch.js";

function stopwatch() {
  const clock = { now: 0 };
  return { clock, watch: new Stopwatch(() => clock.now) };
}

test("all time belongs to the phase that was entered last", () => {
  const { clock, watch } = stopwatch();
  clock.now = 5;
  watch.enter("prepare");
  clock.now = 12;
  watch.enter("sample");
  watch.enter("prepare");
  clock.now = 15;
  expect(watch.take()).toEqual({ "": { idle: 5, prepare: 10, sample: 0 } });
});

test("what was taken is not taken again, and the phase goes on", () => {
  const { clock, watch } = stopwatch();
  watch.enter("verify", "gph/fig9");
  clock.now = 4;
  watch.take();
  clock.now = 10;
  expect(watch.take()).toEqual({ "gph/fig9": { verify: 6 } });
});

test("work in the midst of a phase has its own time, whether it ends well or not", async () => {
  const { clock, watch } = stopwatch();
  watch.enter("prepare", "gph/fig9");
  clock.now = 1;
  const work = async () => {
    clock.now += 10;
    throw new Error("no such data set");
  };
  await expect(watch.during("data", work)).rejects.toThrow("no such data set");
  clock.now += 2;
  expect(watch.take()).toEqual({ "": { idle: 0 }, "gph/fig9": { prepare: 3, data: 10 } });
});

test("work in the midst of a phase goes on where other cells enter theirs meanwhile", async () => {
  const { clock, watch } = stopwatch();
  watch.enter("prepare", "gph/fig9");
  await watch.during("data", async () => {
    clock.now = 10;
    watch.enter("warm-up", "gph/fig10");
    clock.now = 15;
  });
  clock.now = 17;
  expect(watch.take()).toEqual({
    "gph/fig9": { prepare: 0, data: 15 },
    "gph/fig10": { "warm-up": 2 },
    "": { idle: 0 },
  });
});

test("of work that overlaps the last one begun counts, whichever ends first", async () => {
  const { clock, watch } = stopwatch();
  watch.enter("prepare", "gph/fig9");
  const ends: (() => void)[] = [];
  const wait = () => new Promise<void>((resolve) => ends.push(resolve));
  const [data, compile] = [watch.during("data", wait), watch.during("compile", wait)];
  clock.now = 10;
  ends[0]?.();
  await data;
  clock.now = 30;
  ends[1]?.();
  await compile;
  expect(watch.take()).toEqual({ "": { idle: 0 }, "gph/fig9": { prepare: 0, data: 0, compile: 30 } });
});

test("sums are in the order of a cell's life, without what took no time", () => {
  expect(Object.entries(addSpent({ sample: 2, idle: 0 }, { prepare: 1, sample: 3 }))).toEqual([
    ["prepare", 1],
    ["sample", 5],
  ]);
});

test("times of an experiment add up, wherever they were spent", () => {
  const one = { "": { idle: 1 }, "gph/fig9": { sample: 2 } };
  const other = { "gph/fig9": { sample: 3, count: 1 }, "slab/fig4a": { data: 4 } };
  expect(addSpentBy(one, other)).toEqual({
    "": { idle: 1 },
    "gph/fig9": { sample: 5, count: 1 },
    "slab/fig4a": { data: 4 },
  });
});
