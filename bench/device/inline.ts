/** Pipelines without constants: their values stand in the text of the module. */
import { withConstants } from "../../kernels/device/constants.js";

/**
 * Makes the device compile a module anew for each pipeline that has constants. Naga, the compiler of Firefox 153 and of Deno 2.9, ends the process on
 * some pipelines with constants, gph's insertion among them, and compiles the same text with the values in it.
 */
export function inlineConstants(device: GPUDevice): void {
  const texts = new WeakMap<GPUShaderModule, string>();
  const shaderModule = device.createShaderModule.bind(device);
  const pipeline = device.createComputePipelineAsync.bind(device);
  device.createShaderModule = (described) => {
    const module = shaderModule(described);
    texts.set(module, described.code);
    return module;
  };
  device.createComputePipelineAsync = (described) => {
    const { module, constants, ...compute } = described.compute;
    const text = texts.get(module);
    if (text === undefined || !constants) return pipeline(described);
    const code = withConstants(text, constants);
    return pipeline({
      ...described,
      compute: { ...compute, module: shaderModule({ label: described.label ?? "", code }) },
    });
  };
}
