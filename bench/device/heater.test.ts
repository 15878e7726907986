import { expect, onTestFinished, test, vi } from "vitest";
import { FakeGpu } from "../../kernels/device/fake.js";
import type { Pass } from "../../kernels/device/gpu.js";
import { heater, makeHeater } from "./heater.js";

/** A device whose clock rises while it works, and falls while it waits. Times in ns but for `now`, ms. */
class Device {
  now = 0;
  clock = 0.2;
  ceiling = 1;
  runs = 0;
  /** Of the clock, by a millisecond of work. */
  rise = 0.02;

  async timed(iterations: number): Promise<number> {
    const ns = (iterations * 100) / this.clock;
    this.now += ns / 1e6 + 0.05;
    this.clock = Math.min(this.ceiling, this.clock + (this.rise * ns) / 1e6);
    this.runs += 1;
    return ns;
  }

  /** Iterations that nobody waited for. */
  unwatched = 0;
  async deferred(iterations: number): Promise<void> {
    this.unwatched += iterations;
  }

  idle(): void {
    this.now += 500;
    this.clock = 0.2;
  }
}

async function warm<T extends Device = Device>(device = new Device() as T, resolutionNs = 0) {
  return { device, ...(await heater(device, resolutionNs, () => device.now)) };
}

/** The same, whose stamps are rounded to so many ns. */
class Rounded extends Device {
  static readonly TICK = 65_536;
  override async timed(iterations: number): Promise<number> {
    const begin = 1e6 * this.now;
    const end = begin + (await super.timed(iterations));
    return (Math.floor(end / Rounded.TICK) - Math.floor(begin / Rounded.TICK)) * Rounded.TICK;
  }
}

/** The same, behind a host that needs so many ms for each pass, while which the clock falls. */
class Slow extends Device {
  hostMs = 25;
  override async timed(iterations: number): Promise<number> {
    const ns = await super.timed(iterations);
    this.now += this.hostMs;
    this.clock = Math.max(0.2, this.clock - 0.002 * this.hostMs);
    return ns;
  }
}

test.each([3, 25])(
  "before a sample of a host that waits %i ms there is work for as long, or twice, and no look",
  async (hostMs) => {
    const { device, keep } = await warm(Object.assign(new Slow(), { hostMs }));
    const { runs } = device;
    await keep(1e5);
    const ms = (device.unwatched * 100) / 1e6;
    expect(ms).toBeGreaterThanOrEqual(device.hostMs);
    expect(ms).toBeLessThanOrEqual(2 * device.hostMs);
    const { unwatched } = device;
    await keep(2e7);
    expect([device.runs, device.unwatched]).toEqual([runs, unwatched]);
  },
);

test.each([1.5, 4, 25])(
  "a host that waits %d ms raises the clocks too, by longer work between two looks, and knows them again",
  async (hostMs) => {
    // Beside short work the clocks would fall faster than they rise.
    const { device, wake } = await warm(Object.assign(new Slow(), { hostMs, rise: 0.003 }));
    const { clock } = device;
    expect(clock).toBeGreaterThan(0.8);
    for (let i = 0; i < 2; i++) {
      device.idle();
      await wake();
      expect(device.clock).toBeGreaterThan(0.9 * clock);
    }
    expect(device.now).toBeLessThan(10_000);
  },
);

/** The same, whose clock follows the share of the last tenth of a second that it worked: half of it is too little. */
class Governed extends Device {
  hostMs = 12;
  used = 0;
  spend(ms: number, busy: boolean): void {
    const kept = Math.exp(-ms / 100);
    this.used = this.used * kept + (busy ? 1 - kept : 0);
    this.clock = Math.min(this.ceiling, Math.max(0.2, this.clock + (this.used > 0.6 ? 0.002 : -0.0005) * ms));
    this.now += ms;
  }
  override async timed(iterations: number): Promise<number> {
    const ns = (iterations * 100) / this.clock;
    this.spend(ns / 1e6, true);
    this.spend(this.hostMs, false);
    return ns;
  }
}

test.each([0.05, 2.5, 9.5])(
  "clocks that rise only on a device that works most of the time do behind a host that waits %d ms",
  async (hostMs) => {
    const { device, wake } = await warm(Object.assign(new Governed(), { hostMs }));
    expect(device.clock).toBeGreaterThan(0.9);
    device.idle();
    device.used = 0;
    await wake();
    expect(device.clock).toBeGreaterThan(0.9);
  },
);

test("a single pause of the host makes it no slow one", async () => {
  const { device, wake, keep } = await warm();
  const { timed } = device;
  device.timed = (iterations) => {
    device.now += 1000;
    device.timed = timed;
    return timed.call(device, iterations);
  };
  await wake();
  const { runs } = device;
  await keep(1e5);
  expect([device.runs, device.unwatched]).toEqual([runs + 1, 0]);
});

test("after it is made, and after it has been woken, the clocks are up", async () => {
  const { device, wake } = await warm();
  expect(device.clock).toBe(1);
  device.idle();
  await wake();
  expect(device.clock).toBeGreaterThan(0.95);
});

test("warm clocks cost one piece of work of at most 0.3 ms, before a block and before a short sample", async () => {
  const { device, wake, keep } = await warm();
  for (const heat of [wake, () => keep(1e5)]) {
    const { now, runs } = device;
    await heat();
    expect(device.runs).toBe(runs + 1);
    expect(device.now - now).toBeGreaterThan(0.15);
    expect(device.now - now).toBeLessThan(0.36);
  }
});

test("before a sample the clocks are raised, and not where it is long", async () => {
  const { device, keep } = await warm();
  device.idle();
  await keep(2e7);
  expect(device.clock).toBe(0.2);
  await keep(2e6);
  expect(device.clock).toBeGreaterThan(0.95);
  const { runs } = device;
  await keep(1e5);
  expect(device.runs).toBe(runs + 1);
  await keep(2e7);
  expect(device.runs).toBe(runs + 1);
});

test("between passes of a sample that are short there is a piece of work that is not waited for", async () => {
  const { device, between } = await warm();
  const { runs, now } = device;
  await between(2e5);
  expect(device.unwatched).toBe(0);
  await between(1e5);
  expect([device.runs, device.now]).toEqual([runs, now]);
  // At the highest clock, 0.15 to 0.3 ms.
  expect(device.unwatched * 100).toBeGreaterThanOrEqual(1.5e5);
  expect(device.unwatched * 100).toBeLessThanOrEqual(3e5);
});

test("clocks that rise within a second of work are waited for, and make no slower device pass for one that is up", async () => {
  const { device, wake } = await warm();
  device.idle();
  device.rise = 1e-3;
  await wake();
  expect(device.clock).toBeGreaterThan(0.95);
  device.idle();
  device.rise = 0.01;
  await wake();
  expect(device.clock).toBeGreaterThan(0.95);
});

test("clocks that are not reached any more are waited for once", async () => {
  const { device, wake } = await warm();
  device.ceiling = 0.5;
  device.idle();
  const { now } = device;
  await wake();
  expect(device.now - now).toBeLessThan(2020);
  const { runs } = device;
  await wake();
  expect(device.runs).toBe(runs + 1);
});

test("with a coarse clock a piece of work is long enough to tell whether the clocks are up", async () => {
  const { device, wake, keep } = await warm(new Rounded(), Rounded.TICK);
  expect(device.clock).toBe(1);
  for (const heat of [wake, () => keep(1e5)]) {
    const { now, runs } = device;
    await heat();
    expect(device.runs).toBe(runs + 1);
    expect(device.now - now).toBeGreaterThan((20 * Rounded.TICK) / 1e6);
  }
  device.idle();
  await wake();
  expect(device.clock).toBeGreaterThan(0.95);
});

test("a device that tells no time is refused", async () => {
  await expect(heater({ timed: async () => 0, deferred: async () => undefined })).rejects.toThrow("took no time");
});

/** A device that notes what it is asked for. */
class Noting extends FakeGpu {
  readonly asked: string[] = [];
  async cleared(): Promise<void> {
    this.asked.push("cleared");
  }
  override async timeNext(): Promise<Pass> {
    this.asked.push("work");
    return { ns: 3e5, status: new Uint32Array(), more: new Uint32Array() };
  }
}

test("before a block of samples what was freed is cleared, and then the clocks are raised, which fall while that is waited for", async () => {
  let now = 0;
  vi.spyOn(performance, "now").mockImplementation(() => (now += 1));
  onTestFinished(() => void vi.restoreAllMocks());
  const gpu = new Noting();
  const { wake, keep } = await makeHeater(gpu);
  gpu.asked.length = 0;
  await wake();
  expect(gpu.asked).toEqual(["cleared", "work"]);
  await keep(1e5);
  expect(gpu.asked).toEqual(["cleared", "work", "work"]);
});
