// A finding of results/studies/implementations.md, without hashbench: a GPU that waits for the host between short passes lowers its clocks.
//   deno run --unstable-webgpu results/studies/implementations-clocks.mjs [ms between passes: 0] [passes: 300]
//   node results/studies/implementations-clocks.mjs 100
// Prints rates of 2^24 random lookups of 8 bytes in 16 MiB, pass after pass: the first, the median of each 30, and the wall time of a pass.
const { Deno } = globalThis;
const [pause = 0, passes = 300] = (Deno?.args ?? process.argv.slice(2)).map(Number);
let gpu = globalThis.navigator?.gpu;
if (!Deno) {
  const { create, globals } = await import("webgpu");
  Object.assign(globalThis, globals);
  gpu = create(["disable-dawn-features=timestamp_quantization"]);
}
const adapter = await gpu.requestAdapter({ powerPreference: "high-performance" });
const device = await adapter.requestDevice({ requiredFeatures: ["timestamp-query"] });
const { STORAGE, COPY_DST, COPY_SRC, MAP_READ, QUERY_RESOLVE } = GPUBufferUsage;
const buffer = (size, usage = STORAGE) => device.createBuffer({ size, usage });
const lookups = 2 ** 24;
const code = `
  @group(0) @binding(0) var<storage, read> table: array<vec2u>;
  @group(0) @binding(1) var<storage, read_write> found: array<u32>;
  @compute @workgroup_size(256) fn find(@builtin(global_invocation_id) id: vec3u) {
    let item = id.y * 4096 + id.x;
    let a = (item ^ (item >> 16)) * 0x85ebca6b;
    let b = (a ^ (a >> 13)) * 0xc2b2ae35;
    let seen = table[(b ^ (b >> 16)) % arrayLength(&table)];
    found[item] = seen.x + seen.y;
  }`;
const compute = { module: device.createShaderModule({ code }), entryPoint: "find" };
const pipeline = device.createComputePipeline({ layout: "auto", compute });
const entries = [buffer(2 ** 24), buffer(4 * lookups)].map((made, binding) => ({ binding, resource: { buffer: made } }));
const group = device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries });
const querySet = device.createQuerySet({ type: "timestamp", count: 2 });
const [stamps, seen] = [buffer(16, QUERY_RESOLVE | COPY_SRC), buffer(16, COPY_DST | MAP_READ)];

/** Lookups per nanosecond. */
async function pass() {
  await new Promise((resolve) => setTimeout(resolve, pause));
  const encoder = device.createCommandEncoder();
  const timestampWrites = { querySet, beginningOfPassWriteIndex: 0, endOfPassWriteIndex: 1 };
  const computing = encoder.beginComputePass({ timestampWrites });
  computing.setPipeline(pipeline);
  computing.setBindGroup(0, group);
  computing.dispatchWorkgroups(16, lookups / 4096);
  computing.end();
  encoder.resolveQuerySet(querySet, 0, 2, stamps, 0);
  encoder.copyBufferToBuffer(stamps, 0, seen, 0, 16);
  device.queue.submit([encoder.finish()]);
  await seen.mapAsync(GPUMapMode.READ);
  const [begin, end] = new BigUint64Array(seen.getMappedRange().slice(0));
  seen.unmap();
  return lookups / Number(end - begin);
}

const began = performance.now();
const rates = [];
for (let i = 0; i < passes; i++) rates.push(await pass());
const wall = ((performance.now() - began) / passes).toFixed(1);
const medians = [];
for (let i = 0; i < passes; i += 30) {
  const some = rates.slice(i, i + 30).sort((a, b) => a - b);
  medians.push(some[some.length >> 1]);
}
const shown = [rates[0], ...medians].map((rate) => rate.toFixed(2)).join(", ");
console.log(`${Deno ? `Deno ${Deno.version.deno}` : "Dawn"}, ${wall} ms per pass: ${shown} G lookups/s`);
(Deno ?? process).exit(0);
