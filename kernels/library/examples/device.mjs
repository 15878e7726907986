/** What the examples share: a device where they run in Node, buffers, kernels. In a page it is `navigator.gpu` that has a device. */

/** Dawn ends, and with it the process, when the instance is garbage collected before its devices. */
const instances = [];

/** @param {string} adapter part of an adapter's name; "" takes the first @returns {Promise<GPUDevice>} */
export async function openDevice(adapter = "") {
  const { create, globals } = await import("webgpu");
  Object.assign(globalThis, globals);
  const instance = create(adapter ? [`adapter=${adapter}`] : []);
  instances.push(instance);
  const found = await instance.requestAdapter({ powerPreference: "high-performance" });
  if (!found) throw new Error("no WebGPU adapter");
  return found.requestDevice();
}

/** A storage buffer of these words, or of that number of words. @param {GPUDevice} device @param {Uint32Array | number} words */
export function storage(device, words, usages = 0) {
  const length = typeof words === "number" ? words : words.length;
  const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST | usages;
  const buffer = device.createBuffer({ size: 4 * length, usage });
  if (typeof words !== "number") device.queue.writeBuffer(buffer, 0, words);
  return buffer;
}

/** Throws an Error where an answer is not the one expected. */
export function expect(what, found, expected) {
  if (found !== expected) throw new Error(`${what}: ${found}, expected ${expected}`);
}

/** The first words of a buffer. @param {GPUDevice} device @param {GPUBuffer} buffer */
export async function read(device, buffer, words = buffer.size / 4) {
  const to = device.createBuffer({ size: 4 * words, usage: GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ });
  const encoder = device.createCommandEncoder();
  encoder.copyBufferToBuffer(buffer, 0, to, 0, to.size);
  device.queue.submit([encoder.finish()]);
  await to.mapAsync(GPUMapMode.READ);
  const copy = new Uint32Array(to.getMappedRange()).slice();
  to.destroy();
  return copy;
}

/**
 * A kernel's pipeline, and what records a dispatch of it.
 *
 * @param {GPUDevice} device @param {string} code
 * @param {readonly { layout: GPUBindGroupLayout, bindGroup(): GPUBindGroup }[]} tables what `table.device` gave, for groups 1 on
 */
export async function kernel(device, code, entryPoint = "main", tables = []) {
  const module = device.createShaderModule({ code });
  const variables = [...code.matchAll(/@group\(0\) @binding\((\d+)\) var<storage, (read\w*)>/g)];
  const own = device.createBindGroupLayout({
    entries: variables.map(([, binding, access]) => ({
      binding: Number(binding),
      visibility: GPUShaderStage.COMPUTE,
      buffer: { type: access === "read" ? "read-only-storage" : "storage" },
    })),
  });
  const layout = device.createPipelineLayout({ bindGroupLayouts: [own, ...tables.map((one) => one.layout)] });
  const pipeline = await device.createComputePipelineAsync({ layout, compute: { module, entryPoint } });
  /**
   * @param {GPUCommandEncoder} encoder
   * @param {number | GPUBuffer} workgroups or a buffer that has them
   * @param {readonly GPUBuffer[]} buffers by their bindings
   */
  return (encoder, workgroups, buffers) => {
    const entries = buffers.map((buffer, binding) => ({ binding, resource: { buffer } }));
    const pass = encoder.beginComputePass();
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, device.createBindGroup({ layout: own, entries }));
    for (const [i, one] of tables.entries()) pass.setBindGroup(i + 1, one.bindGroup());
    if (typeof workgroups === "number") pass.dispatchWorkgroups(workgroups);
    else pass.dispatchWorkgroupsIndirect(workgroups, 0);
    pass.end();
  };
}
