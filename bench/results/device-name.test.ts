import { expect, test } from "vitest";
import { deviceLine, isSameDevice } from "./device-name.js";

test.each([
  ["NVIDIA H200", "nvidia-h200"],
  ["NVIDIA H100 80GB HBM3", "nvidia-h100-80gb-hbm3"],
  ["NVIDIA A100-SXM4-80GB", "nvidia-a100-sxm4-80gb"],
  ["NVIDIA GeForce RTX 4090", "nvidia-geforce-rtx-4090"],
  ["AMD Radeon RX 7900 XTX", "amd-radeon-rx-7900-xtx-radv-navi31"],
])("%s of CUDA or HIP is WebGPU's %s", (native, adapter) => {
  expect(isSameDevice(native, adapter)).toBe(true);
  expect(isSameDevice(adapter, native)).toBe(true);
});

test.each([
  ["NVIDIA H100 PCIe", "nvidia-h100-80gb-hbm3"],
  ["NVIDIA H100 80GB HBM3 MIG 1g.10gb", "nvidia-h100-80gb-hbm3"],
  ["NVIDIA GeForce RTX 4090", "nvidia-geforce-rtx-4090-laptop-gpu"],
  ["Intel(R) Xeon(R) Processor, 16 threads", "llvmpipe-llvm-19-1-7-256-bits"],
  ["", "nvidia-h200"],
])("%s is another device than %s", (native, adapter) => {
  expect(isSameDevice(native, adapter)).toBe(false);
});

test("a line for people has no dash at the end of the name", () => {
  const device = { name: "llvmpipe-llvm-19-1-7-256-bits-", driver: "Mesa 25", software: true };
  expect(deviceLine(device)).toBe("llvmpipe-llvm-19-1-7-256-bits, Mesa 25 (software adapter)");
  expect(deviceLine({ name: "nvidia-h200", driver: "580" })).toBe("nvidia-h200, 580");
});
