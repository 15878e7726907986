import { expect, test } from "vitest";
import { USAGE } from "../device/commands.js";
import { bufferCheck } from "./check.js";

const { pairs } = bufferCheck({ maxStorageBufferBindingSize: 64 } as GPUSupportedLimits);
const sized = (size: number) => ({ size, usage: USAGE.STORAGE }) as GPUBuffer;

test.each([
  [64, 16, 0, ""],
  [64, 12, 4, ""],
  [64, 13, 4, "the buffer has 64 bytes; 17 items take 68"],
  [68, 16, 0, "the buffer has 68 bytes; the device binds at most 64"],
])("buffers of %d bytes hold %d pairs from number %d on: %s", (size, n, first, says) => {
  const check = () => pairs({ keys: sized(size), values: sized(size), n, first });
  if (says === "") expect(check).not.toThrow();
  else expect(check).toThrow(`keys: ${says}`);
});
