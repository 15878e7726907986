import { expect, test } from "vitest";
import { inlineConstants } from "./inline.js";

test("a pipeline with constants has a module of its own, one without keeps its module", async () => {
  const made: { code: string }[] = [];
  const asked: GPUComputePipelineDescriptor[] = [];
  const device = {
    createShaderModule(described: GPUShaderModuleDescriptor) {
      made.push({ code: described.code });
      return made.at(-1);
    },
    async createComputePipelineAsync(described: GPUComputePipelineDescriptor) {
      asked.push(described);
    },
  } as unknown as GPUDevice;
  inlineConstants(device);
  const module = device.createShaderModule({ code: "override N: u32; fn main() {}" });
  const compute = { module, entryPoint: "main" };
  await device.createComputePipelineAsync({ layout: "auto", compute: { ...compute, constants: { N: 3 } } });
  await device.createComputePipelineAsync({ layout: "auto", compute });
  expect(asked.map((one) => one.compute)).toEqual([
    { module: { code: "const N: u32= u32(3); fn main() {}" }, entryPoint: "main" },
    compute,
  ]);
  expect(asked[1]?.compute.module).toBe(module);
});
