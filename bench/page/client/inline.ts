/** Pipelines without constants: their values stand in the text of the module. */

type Constants = Readonly<Record<string, number>>;

/**
 * Makes the device compile a module anew for each pipeline that has constants. Firefox 153 ends with a failed assertion of its compiler on
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
    const code = withConstants(text, constants as Constants);
    return pipeline({
      ...described,
      compute: { ...compute, module: shaderModule({ label: described.label ?? "", code }) },
    });
  };
}

/** The module with constants in place of its overrides; lines stay where they are. */
export function withConstants(wgsl: string, constants: Constants): string {
  return wgsl.replace(
    /\boverride(\s+(\w+)\s*:\s*(\w+)\s*)(=[^;]*)?;/g,
    (text, typed, name: string, type, usual = "") => {
      const given = constants[name];
      if (given === undefined && usual === "") return text;
      return `const${typed}${given === undefined ? usual : `= ${type}(${given})`};`;
    },
  );
}
