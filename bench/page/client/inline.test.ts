import { expect, test } from "vitest";
import { inlineConstants, withConstants } from "./inline.js";

const WGSL = `override LANES: u32;
override TWICE: u32 = 2u * LANES;
override FAR: u32
  = 7u;
@compute @workgroup_size(LANES) fn main() {}`;

test("overrides become constants of the given values, or of their defaults", () => {
  expect(withConstants(WGSL, { LANES: 4294967295, FAR: 9 })).toBe(`const LANES: u32= u32(4294967295);
const TWICE: u32 = 2u * LANES;
const FAR: u32
  = u32(9);
@compute @workgroup_size(LANES) fn main() {}`);
  // The compiler says what is missing.
  expect(withConstants("override LANES: u32;", {})).toBe("override LANES: u32;");
});

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
