import { expect, test } from "vitest";
import { heater } from "./heater.js";

/** A device whose clock rises while it works, and falls while it waits. Times in ns but for `now`, ms. */
class Device {
  now = 0;
  clock = 0.2;
  ceiling = 1;
  runs = 0;

  readonly work = async (iterations: number): Promise<number> => {
    const ns = (iterations * 100) / this.clock;
    this.now += ns / 1e6 + 0.05;
    this.clock = Math.min(this.ceiling, this.clock + 0.01);
    this.runs += 1;
    return ns;
  };

  idle(): void {
    this.now += 500;
    this.clock = 0.2;
  }
}

async function warm() {
  const device = new Device();
  const keepWarm = await heater(device.work, () => device.now);
  return { device, keepWarm };
}

test("after it is made, and before a short sample, the clocks are up", async () => {
  const { device, keepWarm } = await warm();
  expect(device.clock).toBe(1);
  device.idle();
  await keepWarm(1e5);
  expect(device.clock).toBeGreaterThan(0.9);
});

test("warm clocks cost one piece of work of at most 0.3 ms, long samples none", async () => {
  const { device, keepWarm } = await warm();
  const { now, runs } = device;
  await keepWarm(1e5);
  expect(device.runs).toBe(runs + 1);
  expect(device.now - now).toBeGreaterThan(0.15);
  expect(device.now - now).toBeLessThan(0.36);
  await keepWarm(2e6);
  expect(device.runs).toBe(runs + 1);
});

test("clocks that are not reached any more are waited for once", async () => {
  const { device, keepWarm } = await warm();
  device.ceiling = 0.5;
  device.idle();
  const { now } = device;
  await keepWarm(1e5);
  expect(device.now - now).toBeLessThan(260);
  const { runs } = device;
  await keepWarm(1e5);
  expect(device.runs).toBe(runs + 1);
});

test("a device that tells no time is refused", async () => {
  await expect(heater(async () => 0)).rejects.toThrow("took no time");
});
