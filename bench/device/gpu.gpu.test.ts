import { expect, test, vi } from "vitest";
import { groupsFor } from "../../kernels/common/steps.js";
import { dispatch } from "../../kernels/device/bind.js";
import { DoesNotFit, GpuError } from "../../kernels/device/errors.js";
import { MORE_WORDS } from "../../kernels/device/gpu.js";
import { scoped } from "../../kernels/device/owned.js";
import { WebGpu } from "./gpu.js";
import { testGpu } from "./testing.js";
import { checkTimer } from "./timer.js";

const gpu = testGpu();
const fill = (word = 7) => gpu().kernel({ file: "kernels/common/fill.wgsl", sizes: { word }, takes: ["data"] });

test("the clock passes its self-test", async () => {
  expect(await checkTimer(gpu().device)).toBe("");
});

test("a pass writes what its kernel says, for any number of items", async () => {
  const buffer = await gpu().alloc("data", 4 * 1000);
  const { ns } = await gpu().time([dispatch(await fill(), groupsFor(250), { data: buffer })]);
  expect(ns).toBeGreaterThan(0);
  expect(new Set(await gpu().read(buffer, 1000))).toEqual(new Set([7]));
});

test("passes that are asked for at the same time have their own times and status", async () => {
  const words = [3, 4, 5];
  const passes = words.map(async (word) => {
    const buffer = await gpu().alloc("data", 1 << 20);
    return gpu().time([dispatch(await fill(word), groupsFor(1 << 16), { data: buffer })], buffer);
  });
  const done = await Promise.all(passes);
  expect(done.every(({ ns }) => ns > 0)).toBe(true);
  expect(done.map(({ status }) => status[0])).toEqual(words);
});

test("passes that are not waited for run in the order in which they are asked for, each with its own time", async () => {
  const [data, sink] = [await gpu().alloc("data", 1 << 20), await gpu().alloc("sink", 16)];
  const spin = await gpu().kernel({ file: "bench/device/spin.wgsl", sizes: { iterations: 2000 }, takes: ["sink"] });
  const long = [dispatch(spin, 256, { sink })];
  const filled = async (word: number) => [dispatch(await fill(word), groupsFor(1 << 16), { data })];
  const [three, four] = [await filled(3), await filled(4)];
  const { ns } = await gpu().time(long);
  await gpu().run(long);
  const passes = await Promise.all([gpu().timeNext(three, undefined, data), gpu().timeNext(four, undefined, data)]);
  expect(passes.map(({ more }) => [more.length, ...new Set(more)])).toEqual([
    [MORE_WORDS, 3],
    [MORE_WORDS, 4],
  ]);
  for (const pass of passes) {
    expect(pass.ns).toBeGreaterThan(0);
    // None has a part of the long one's.
    expect(pass.ns).toBeLessThan(ns / 4);
  }
});

test("what is deferred runs before what is submitted next, in one submission, each timed pass with its own time", async () => {
  const submit = vi.spyOn(gpu().device.queue, "submit");
  try {
    const data = await gpu().alloc("data", 64);
    const filled = async (word: number) => [dispatch(await fill(word), 1, { data })];
    const [three, four, five] = [await filled(3), await filled(4), await filled(5)];
    const before = submit.mock.calls.length;
    const deferred = gpu().defer(three);
    const passes = [gpu().timeDeferred(four, undefined, data), gpu().timeNext(five, undefined, data)];
    expect(submit.mock.calls.length).toBe(before + 1);
    await deferred;
    const [first, second] = await Promise.all(passes);
    expect([first?.more[0], second?.more[0]]).toEqual([4, 5]);
    for (const pass of [first, second]) expect(pass?.ns).toBeGreaterThan(0);
    // In that order.
    expect((await gpu().read(data, 1))[0]).toBe(5);
  } finally {
    submit.mockRestore();
  }
});

test("what was deferred comes before a pass that waits, before a read, and before what it uses is freed", async () => {
  const data = await gpu().alloc("data", 64);
  const six = [dispatch(await fill(6), 1, { data })];
  void gpu().defer(six);
  expect((await gpu().read(data, 1))[0]).toBe(6);
  void gpu().defer([{ buffer: data, zero: 64 }]);
  expect((await gpu().time([], undefined, data)).more[0]).toBe(0);
  await scoped(gpu(), async (own) => {
    const others = await own.alloc("others", 64);
    void own.defer([dispatch(await fill(7), 1, { data: others })]);
  });
  await gpu().finished();
  // It would have been an error.
  await gpu().zero(data);
});

test("a status is zero after the pass that it is of", async () => {
  const status = await gpu().alloc("status", 64);
  const pass = await gpu().time([dispatch(await fill(5), 1, { data: status })], status);
  expect(new Set(pass.status)).toEqual(new Set([5]));
  expect(new Set(await gpu().read(status, 16))).toEqual(new Set([0]));
});

test("a timed pass waits for the end of what was only submitted", async () => {
  const waits = vi.spyOn(gpu().device.queue, "onSubmittedWorkDone");
  try {
    const data = await gpu().alloc("data", 64);
    await gpu().time([dispatch(await fill(), 1, { data })]);
    const before = waits.mock.calls.length;
    await gpu().time([dispatch(await fill(), 1, { data })]);
    expect(waits.mock.calls.length).toBe(before);
    await gpu().zero(data);
    await gpu().time([dispatch(await fill(), 1, { data })]);
    expect(waits.mock.calls.length).toBe(before + 1);
  } finally {
    waits.mockRestore();
  }
});

test("short reads at the same time, and after one that failed, have their own words", async () => {
  const buffers = await Promise.all([1, 2, 3].map((word) => gpu().alloc(`words ${word}`, 64)));
  const read = () => Promise.all(buffers.map(async (buffer) => [...(await gpu().read(buffer, 2, 1))]));
  for (const [i, buffer] of buffers.entries()) gpu().write(buffer, 0, Uint32Array.of(0, i + 1, i + 11));
  expect(await read()).toEqual([
    [1, 11],
    [2, 12],
    [3, 13],
  ]);
  const [first] = buffers;
  if (!first) throw new Error("no buffer");
  await expect(gpu().read(first, 2, 1000)).rejects.toThrow(GpuError);
  gpu().write(first, 4, Uint32Array.of(7, 8));
  expect(await read()).toEqual([
    [7, 8],
    [2, 12],
    [3, 13],
  ]);
});

test("steps of one pass have their own sizes", async () => {
  const [a, b] = [await gpu().alloc("a", 64), await gpu().alloc("b", 64)];
  const [one, two] = [await fill(1), await fill(2)];
  await gpu().run([dispatch(one, 1, { data: a }), dispatch(two, 1, { data: b })]);
  expect([...(await gpu().read(a, 2)), ...(await gpu().read(b, 2))]).toEqual([1, 1, 2, 2]);
});

test("sizes that are compiled in are the same sizes", async () => {
  const { device, info } = gpu();
  const fixing = new WebGpu(device, { ...info, software: false });
  const buffer = await fixing.alloc("data", 64);
  const kernel = await fixing.kernel({
    file: "kernels/common/fill.wgsl",
    sizes: { word: 9 },
    fixed: true,
    takes: ["data"],
  });
  expect(kernel.sizes).toBeUndefined();
  await fixing.run([dispatch(kernel, 1, { data: buffer })]);
  expect(new Set(await fixing.read(buffer, 16))).toEqual(new Set([9]));
});

test("a pass that validation rejects is an error, not a time", async () => {
  const step = { kernel: await fill(), bindings: {}, groups: 1 };
  await expect(gpu().time([step])).rejects.toThrow(GpuError);
});

test("the device works on after an error", async () => {
  const buffer = await gpu().alloc("data", 64);
  const { ns } = await gpu().time([dispatch(await fill(), 1, { data: buffer })]);
  expect(ns).toBeGreaterThan(0);
});

test("a buffer beyond the largest binding does not fit", async () => {
  await expect(gpu().alloc("huge", gpu().maxBinding + 16)).rejects.toThrow(DoesNotFit);
});

test("a buffer that was kept is zero when it is allocated again", async () => {
  const { device, info } = gpu();
  const keeping = new WebGpu(device, info);
  keeping.keepSpares(2 ** 22);
  const bytes = 2 ** 20;
  const first = await keeping.alloc("first", bytes);
  await keeping.run([dispatch(await fill(3), groupsFor(bytes / 16), { data: first })]);
  keeping.free(first);
  const second = await keeping.alloc("second", bytes);
  expect(second).toBe(first);
  expect(second.label).toBe("second");
  expect(new Set(await keeping.read(second, bytes / 4))).toEqual(new Set([0]));
  keeping.free(second);
  keeping.keepSpares(0);
});
