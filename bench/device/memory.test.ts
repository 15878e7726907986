import { expect, onTestFinished, test, vi } from "vitest";
import { globals } from "webgpu";
import { DoesNotFit } from "../../kernels/device/errors.js";
import { FakeGpu } from "../../kernels/device/fake.js";
import { WebGpu } from "./gpu.js";

Object.assign(globalThis, globals);

const MIB = 2 ** 20;

/** A device with so much memory; what is destroyed is free once work that was submitted after that has ended, as in Dawn. */
function deviceOf(memory: number) {
  let [used, destroyed, ending] = [0, 0, 0];
  let error: { message: string } | null = null;
  const scopes: string[] = [];
  const queue = {
    submit: () => {
      ending += destroyed;
      destroyed = 0;
    },
    onSubmittedWorkDone: async () => {
      used -= ending;
      ending = 0;
    },
    writeBuffer: () => undefined,
  };
  const createBuffer = ({ label = "", size }: { label?: string; size: number }) => {
    const fits = used + size <= memory;
    if (fits) used += size;
    else error = { message: "out of memory" };
    const destroy = () => {
      if (fits) destroyed += size;
    };
    return { label, size, destroy };
  };
  return {
    queue,
    createBuffer,
    features: new Set(["timestamp-query"]),
    limits: { maxStorageBufferBindingSize: 2 ** 31, maxBufferSize: 2 ** 31 },
    createQuerySet: () => ({}),
    createCommandEncoder: () => ({ clearBuffer: () => undefined, finish: () => ({}) }),
    pushErrorScope: (filter: string) => scopes.push(filter),
    popErrorScope: async () => {
      const filter = scopes.pop();
      const caught = filter === "out-of-memory" ? error : null;
      if (caught) error = null;
      return caught;
    },
  } as unknown as GPUDevice;
}

/** A device with so much memory, and how many buffers were made as plain allocations. */
function plainly(mib: number) {
  const made = { plain: 0 };
  const gpu = new WebGpu(deviceOf(mib * MIB + 4096), new FakeGpu().info, {
    plain: {
      around(make) {
        made.plain += 1;
        return make();
      },
    },
  });
  return { gpu, made };
}

const gpuWith = (mib: number) => new WebGpu(deviceOf(mib * MIB + 4096), new FakeGpu().info);

test("memory of buffers that were just destroyed is waited for", async () => {
  const gpu = gpuWith(64);
  const first = await gpu.alloc("first", 60 * MIB);
  gpu.free(first);
  expect((await gpu.alloc("second", 62 * MIB)).label).toBe("second");
  await expect(gpu.alloc("third", 62 * MIB)).rejects.toThrow(DoesNotFit);
});

test("so is that of spares, which give way", async () => {
  const gpu = gpuWith(64);
  gpu.keepSpares(60 * MIB);
  const some = await Promise.all([20, 18, 16].map((mib) => gpu.alloc("spare", mib * MIB)));
  for (const one of some) gpu.free(one);
  const other = await gpu.alloc("other", 40 * MIB);
  expect(other.label).toBe("other");
  // And what frees memory when asked to.
  const held = await gpu.alloc("held", 20 * MIB);
  let asked = 0;
  gpu.onFull = async () => {
    asked += 1;
    if (asked === 1) gpu.free(held);
    return asked === 1;
  };
  expect((await gpu.alloc("last", 22 * MIB)).label).toBe("last");
  await expect(gpu.alloc("more", 22 * MIB)).rejects.toThrow(DoesNotFit);
  expect(asked).toBeGreaterThan(1);
});

test("what another API takes of the device is no spare's", async () => {
  const gpu = gpuWith(64);
  gpu.keepSpares(60 * MIB);
  const spare = await gpu.alloc("spare", 40 * MIB);
  gpu.free(spare);
  const end = await gpu.elsewhere(30 * MIB);
  expect(await gpu.alloc("anew", 40 * MIB)).not.toBe(spare);
  end();
});

/** Milliseconds that the device waits before samples, by a clock that stands still but for that. */
async function waitOf(gpu: WebGpu): Promise<number> {
  const begin = clock.now;
  await gpu.cleared();
  return clock.now - begin;
}

const clock = { now: 0 };
function stopClock(): void {
  vi.spyOn(performance, "now").mockImplementation(() => clock.now);
  vi.stubGlobal("setTimeout", (done: () => void, ms: number) => {
    clock.now += ms;
    queueMicrotask(done);
  });
  onTestFinished(() => {
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
  });
}

test("what was freed, by spares and others too, is waited for before samples, until the driver has cleared it, and once", async () => {
  stopClock();
  const gpu = new WebGpu(deviceOf(4096 * MIB), { ...new FakeGpu().info, software: false });
  const first = await gpu.alloc("first", 1024 * MIB);
  expect(await waitOf(gpu)).toBe(0);
  gpu.free(first);
  expect(await waitOf(gpu)).toBe(5);
  expect(await waitOf(gpu)).toBe(0);
  gpu.keepSpares(1024 * MIB);
  gpu.free(await gpu.alloc("spare", 1024 * MIB));
  expect(await waitOf(gpu)).toBe(0);
  await gpu.alloc("second", 1536 * MIB);
  expect(await waitOf(gpu)).toBe(5);
  const end = await gpu.elsewhere(1024 * MIB);
  expect(await waitOf(gpu)).toBe(0);
  end();
  expect(await waitOf(gpu)).toBe(5);
  // Behind work that takes longer than that.
  gpu.free(await gpu.alloc("third", 512 * MIB));
  await gpu.alloc("fourth", 1024 * MIB);
  gpu.flush();
  await gpu.submit([]);
  clock.now += 1000;
  expect(await waitOf(gpu)).toBe(4);
});

test("a software adapter clears nothing behind one's back", async () => {
  stopClock();
  const gpu = gpuWith(4096);
  gpu.free(await gpu.alloc("first", 1024 * MIB));
  expect(await waitOf(gpu)).toBe(0);
});

test("a plain buffer is nobody's spare, and a spare is no plain buffer", async () => {
  const { gpu, made } = plainly(64);
  gpu.keepSpares(64 * MIB);
  const plain = await gpu.alloc("plain", 8 * MIB, "plain");
  gpu.free(plain);
  const usual = await gpu.alloc("usual", 8 * MIB);
  expect(usual).not.toBe(plain);
  expect(made.plain).toBe(1);
  gpu.free(usual);
  const other = await gpu.alloc("other", 8 * MIB, "plain");
  expect(other).not.toBe(usual);
  expect(made.plain).toBe(2);
  // Which was there all the time.
  expect(await gpu.alloc("again", 8 * MIB)).toBe(usual);
  expect(made.plain).toBe(2);
});

test("the memory of a plain buffer is given back, and it is plain where memory had to be waited for", async () => {
  const { gpu, made } = plainly(64);
  gpu.keepSpares(64 * MIB);
  gpu.free(await gpu.alloc("first", 60 * MIB, "plain"));
  gpu.free(await gpu.alloc("second", 60 * MIB));
  // Once refused, until the spare has given way.
  const before = made.plain;
  expect((await gpu.alloc("third", 60 * MIB, "plain")).label).toBe("third");
  expect(made.plain - before).toBeGreaterThan(1);
  await expect(gpu.alloc("fourth", 60 * MIB, "plain")).rejects.toThrow(DoesNotFit);
});
