/**
 * A kernel of WebGPU reads and changes memory of the host: random reads and atomic additions of 4 bytes, in the device's memory and in the
 * host's. The Vulkan layer beside this file gives a buffer host memory if HASHBENCH_HOST_MEMORY is 1 while the buffer is made.
 *
 *   VK_LAYER_PATH=FOLDER VK_INSTANCE_LAYERS=VK_LAYER_HASHBENCH_buffer_memory \
 *       node reproduce-host.mjs [MiB] [accesses, a multiple of 4096] [Dawn's options, such as adapter=NVIDIA]
 *
 * It needs nothing of hashbench but the layer, and of npm the package `webgpu`. REPRODUCE.md says how to build the layer alone.
 */
import { readFileSync } from "node:fs";
import { create, globals } from "webgpu";

Object.assign(globalThis, globals);
const words = process.argv.slice(2);
const [mib = 1024, accesses = 2 ** 22] = words.filter((word) => !word.includes("=")).map(Number);
const instance = create(words.filter((word) => word.includes("=")));
const adapter = await instance.requestAdapter({ powerPreference: "high-performance" });
if (!adapter) throw new Error("no WebGPU adapter");
const { maxBufferSize, maxStorageBufferBindingSize } = adapter.limits;
const device = await adapter.requestDevice({ requiredLimits: { maxBufferSize, maxStorageBufferBindingSize } });
if (!readFileSync("/proc/self/maps", "utf8").includes("libhashbench_buffer_memory.so"))
  throw new Error("the layer is not loaded: VK_LAYER_PATH is to be the folder of buffer_memory.json");
device.onuncapturederror = ({ error }) => {
  console.error(error.message);
  process.exit(1);
};

const { STORAGE, COPY_SRC, COPY_DST, MAP_READ } = GPUBufferUsage;
const tableWords = (mib * 2 ** 20) / 4;
const code = `
  @group(0) @binding(0) var<storage, read_write> table: array<atomic<u32>>;
  @group(0) @binding(1) var<storage, read_write> sum: atomic<u32>;

  fn mixed(word: u32) -> u32 {
    let a = (word ^ (word >> 16)) * 0x85ebca6b;
    let b = (a ^ (a >> 13)) * 0xc2b2ae35;
    return b ^ (b >> 16);
  }
  fn place(id: vec3u) -> u32 { return mixed(id.y * 4096 + id.x) % ${tableWords}u; }
  @compute @workgroup_size(256) fn read(@builtin(global_invocation_id) id: vec3u) {
    if (atomicLoad(&table[place(id)]) == 0xffffffff) { atomicAdd(&sum, 1); }
  }
  @compute @workgroup_size(256) fn add(@builtin(global_invocation_id) id: vec3u) { atomicAdd(&table[place(id)], 1); }
  @compute @workgroup_size(256) fn total(@builtin(global_invocation_id) id: vec3u) {
    for (var i = id.y * 4096 + id.x; i < ${tableWords}u; i += ${2 ** 20}u) {
      let word = atomicLoad(&table[i]);
      if (word > 0) { atomicAdd(&sum, word); }
    }
  }`;
const module = device.createShaderModule({ code });
const buffers = [0, 1].map((binding) => ({ binding, visibility: GPUShaderStage.COMPUTE, buffer: { type: "storage" } }));
const groupLayout = device.createBindGroupLayout({ entries: buffers });
const layout = device.createPipelineLayout({ bindGroupLayouts: [groupLayout] });
const pipelineOf = (entryPoint) => device.createComputePipeline({ layout, compute: { module, entryPoint } });

for (const memory of ["device", "host"]) {
  if (memory === "host") process.env.HASHBENCH_HOST_MEMORY = "1";
  const table = device.createBuffer({ size: tableWords * 4, usage: STORAGE });
  delete process.env.HASHBENCH_HOST_MEMORY;
  const sum = device.createBuffer({ size: 4, usage: STORAGE | COPY_SRC | COPY_DST });
  const entries = [table, sum].map((buffer, binding) => ({ binding, resource: { buffer } }));
  const group = device.createBindGroup({ layout: groupLayout, entries });

  /** Seconds of a dispatch of so many lanes. */
  const seconds = async (entryPoint, lanes) => {
    const pipeline = pipelineOf(entryPoint);
    const began = performance.now();
    const encoder = device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, group);
    pass.dispatchWorkgroups(16, lanes / 4096);
    pass.end();
    device.queue.submit([encoder.finish()]);
    await device.queue.onSubmittedWorkDone();
    return (performance.now() - began) / 1000;
  };
  const rates = [];
  for (const access of ["read", "add"]) {
    // The first one warms up.
    const spent = [await seconds(access, accesses), await seconds(access, accesses), await seconds(access, accesses)];
    rates.push(`${(accesses / 1e6 / Math.min(...spent)).toPrecision(3)} M ${access}s/s`);
  }
  await seconds("total", 2 ** 20);
  const copy = device.createBuffer({ size: 4, usage: COPY_DST | MAP_READ });
  const encoder = device.createCommandEncoder();
  encoder.copyBufferToBuffer(sum, 0, copy, 0, 4);
  device.queue.submit([encoder.finish()]);
  await copy.mapAsync(GPUMapMode.READ);
  const [counted] = new Uint32Array(copy.getMappedRange());
  const right = counted === 3 * accesses ? "all additions counted" : `${counted} of ${3 * accesses} additions counted`;
  console.log(`${memory} memory, ${mib} MiB: ${rates.join(", ")}, ${right}`);
  table.destroy();
}
process.exit(0);
