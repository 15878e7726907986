import { expect, test } from "vitest";
import { isSameDevice } from "./device-name.js";

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
