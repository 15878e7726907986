import { expect, test } from "vitest";
import { Traffic } from "../../kernels/out-of-core/pcie.js";
import { trafficMetrics } from "./host-memory.js";

const metricsOf = (traffic: Traffic, operations: number) =>
  Object.fromEntries(trafficMetrics(traffic, operations).map(({ metric, value }) => [metric, value]));

test("reads and writes are per operation, rounds are not", () => {
  const traffic = new Traffic();
  traffic.read(30, 8);
  traffic.write(10, 8);
  traffic.rounds = 3;
  const metrics = { host_reads: 1.5, host_writes: 0.5, host_accesses: 2, host_rounds: 3 };
  expect(metricsOf(traffic, 20)).toMatchObject(metrics);
});

test("an operation that needs no bus has no rate on it", () => {
  const none = { host_reads: 0, host_writes: 0, host_accesses: 0, host_rounds: 0 };
  expect(metricsOf(new Traffic(), 20)).toEqual(none);
});
