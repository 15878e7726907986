import { expect, test } from "vitest";
import { BYTES_PER_SECOND, Traffic } from "./pcie.js";

test("a write of 8 bytes takes a sector and a packet's header", () => {
  const traffic = new Traffic();
  traffic.write(1000, 8);
  expect(traffic.seconds).toBeCloseTo((1000 * (32 + 24)) / BYTES_PER_SECOND, 15);
  expect(traffic.mops(1000)).toBeCloseTo(281.25);
});

test("wider pairs take as many sectors as they fill", () => {
  const seconds = [32, 33, 68, 128].map((bytes) => {
    const traffic = new Traffic();
    traffic.write(1, bytes);
    return Math.round(traffic.seconds * BYTES_PER_SECOND);
  });
  expect(seconds).toEqual([32 + 24, 64 + 24, 96 + 24, 128 + 24]);
});

test("what goes one way overlaps with what goes the other way", () => {
  const traffic = new Traffic();
  traffic.read(100, 8);
  const reading = traffic.seconds;
  expect(reading).toBeCloseTo((100 * (32 + 24)) / BYTES_PER_SECOND, 15);
  // Up to here only 100 requests went to the host: 57 writes of 56 bytes more, and that way is still the less busy one.
  traffic.write(57, 8);
  expect(traffic.seconds).toBe(reading);
  traffic.write(1, 8);
  expect(traffic.seconds).toBeGreaterThan(reading);
});

test("an exchange, a read and a write, takes longer than either", () => {
  const exchange = new Traffic();
  exchange.read(1, 8);
  exchange.write(1, 8);
  expect(Math.round(exchange.seconds * BYTES_PER_SECOND)).toBe(24 + 32 + 24);
});

test("without a transaction there is no rate", () => {
  const traffic = new Traffic();
  expect(traffic.mops(1)).toBeNull();
});

test("transactions are counted, and a reset forgets them", () => {
  const traffic = new Traffic();
  traffic.read(30, 8);
  traffic.write(10, 8);
  traffic.rounds = 3;
  expect(traffic).toMatchObject({ reads: 30, writes: 10, rounds: 3 });
  traffic.reset();
  expect(traffic).toEqual(new Traffic());
});

test("an exchange is a read and a write on the bus, and one access", () => {
  const traffic = new Traffic();
  traffic.exchange(10, 8);
  traffic.read(3, 8);
  traffic.write(2, 8);
  expect(traffic).toMatchObject({ reads: 13, writes: 12, accesses: 15 });
});
