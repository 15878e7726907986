/**
 * Random lookups of 32 bytes in a table of several buffers: their rate depends on how the buffers' memory was allocated.
 *
 *   node reproduce.mjs [buffers] [MiB of each] [lookups, a multiple of 4096] [Dawn's options, such as adapter=NVIDIA]
 *
 * It needs nothing of hashbench, and of npm the package `webgpu`. REPRODUCE.md says what to look for.
 */
import { create, globals } from "webgpu";

Object.assign(globalThis, globals);
const words = process.argv.slice(2);
const [count = 12, mib = 1024, lookups = 2 ** 26] = words.filter((word) => !word.includes("=")).map(Number);
const instance = create(words.filter((word) => word.includes("=")));
const adapter = await instance.requestAdapter({ powerPreference: "high-performance" });
if (!adapter) throw new Error("no WebGPU adapter");
const { maxBufferSize, maxStorageBufferBindingSize, maxStorageBuffersPerShaderStage } = adapter.limits;
const requiredLimits = { maxBufferSize, maxStorageBufferBindingSize, maxStorageBuffersPerShaderStage };
const device = await adapter.requestDevice({ requiredLimits });
device.onuncapturederror = ({ error }) => {
  console.error(error.message);
  process.exit(1);
};

const blocks = (mib * 2 ** 20) / 32;
const buffer = (size) => device.createBuffer({ size, usage: GPUBufferUsage.STORAGE });
const tables = Array.from({ length: count }, () => buffer(blocks * 32));
const found = buffer(lookups * 4);
const each = (text) => tables.map((_, i) => text(i)).join("\n");
const code = `
  alias Block = array<vec4u, 2>;
  @group(0) @binding(0) var<storage, read_write> filled: array<Block>;
  @group(0) @binding(0) var<storage, read_write> found: array<u32>;
  ${each((i) => `@group(0) @binding(${i + 1}) var<storage, read> table${i}: array<Block>;`)}

  fn mixed(word: u32) -> u32 {
    let a = (word ^ (word >> 16)) * 0x85ebca6b;
    let b = (a ^ (a >> 13)) * 0xc2b2ae35;
    return b ^ (b >> 16);
  }
  @compute @workgroup_size(256) fn fill(@builtin(global_invocation_id) id: vec3u) {
    let at = id.y * 4096 + id.x;
    filled[at] = Block(vec4u(at), vec4u(at + 1));
  }
  @compute @workgroup_size(256) fn find(@builtin(global_invocation_id) id: vec3u) {
    let item = id.y * 4096 + id.x;
    let place = mixed(item) % ${count * blocks}u;
    let at = place % ${blocks}u;
    var block: Block;
    switch place / ${blocks}u {
      ${each((i) => `case ${i} { block = table${i}[at]; }`)}
      default {}
    }
    found[item] = block[0].x + block[1].w;
  }`;
const module = device.createShaderModule({ code });
const pipelineOf = (entryPoint) => device.createComputePipeline({ layout: "auto", compute: { module, entryPoint } });
const [fill, find] = ["fill", "find"].map(pipelineOf);

/** Seconds that so many dispatches take, each of so many lanes. */
async function seconds(pipeline, buffers, lanes, dispatches = 1) {
  const entries = buffers.map((one, binding) => ({ binding, resource: { buffer: one } }));
  const group = device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries });
  const began = performance.now();
  const encoder = device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  pass.setPipeline(pipeline);
  pass.setBindGroup(0, group);
  for (let i = 0; i < dispatches; i++) pass.dispatchWorkgroups(16, lanes / 4096);
  pass.end();
  device.queue.submit([encoder.finish()]);
  await device.queue.onSubmittedWorkDone();
  return (performance.now() - began) / 1000;
}

for (const table of tables) await seconds(fill, [table], blocks);
// The first dispatches warm up.
let [dispatches, spent] = [1, 0];
while (spent < 0.5) {
  dispatches *= 2;
  spent = await seconds(find, [found, ...tables], lookups, dispatches);
}
const rate = (lookups * dispatches) / spent / 1e9;
console.log(
  `${count} x ${mib} MiB, ${adapter.info.device || adapter.info.description}: ${rate.toPrecision(3)} G lookups/s`,
);
process.exit(0);
