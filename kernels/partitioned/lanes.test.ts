import { expect, test } from "vitest";
import { lanesOn } from "./lanes.js";

test.each([
  [1024, 2 ** 15, 512],
  [512, 49_152, 512],
  // Invocations alone do not say that a part of 512 lanes has room.
  [1024, 2 ** 14, 256],
  [256, 2 ** 15, 256],
])("of %d invocations and %d bytes of workgroup memory: %d lanes", (invocations, bytes, lanes) => {
  const limits = { maxComputeInvocationsPerWorkgroup: invocations, maxComputeWorkgroupStorageSize: bytes };
  expect(lanesOn({ limits })).toBe(lanes);
});
