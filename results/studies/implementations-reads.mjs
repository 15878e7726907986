// A finding of results/studies/implementations.md, without hashbench: how fast tables of a cache's size are read depends on where their memory lies.
//   deno run --unstable-webgpu results/studies/implementations-reads.mjs [most MiB: 256] [lookups, as a power of two: 26] [bytes of a read, 8 or 32: 8]
//   node results/studies/implementations-reads.mjs
// Prints G random reads per second by the size of the table: from a table alone; with keys read and results
// written beside it; the same where WGSL declares all as read_write; the same with all three in one large buffer; and from
// a table alone that was made behind a buffer of 16 bytes more. Each is the median of 9 passes of 20 ms or more.
const { Deno } = globalThis;
const [most = 256, power = 26, bytesRead = 8] = (Deno?.args ?? process.argv.slice(2)).map(Number);
let gpu = globalThis.navigator?.gpu;
if (!Deno) {
  const { create, globals } = await import("webgpu");
  Object.assign(globalThis, globals);
  gpu = create(["disable-dawn-features=timestamp_quantization"]);
}
const adapter = await gpu.requestAdapter({ powerPreference: "high-performance" });
const MIB = 2 ** 20;
const whole = most * MIB + 8 * 2 ** power;
const requiredLimits = { maxBufferSize: whole, maxStorageBufferBindingSize: Math.max(most * MIB, 4 * 2 ** power) };
const device = await adapter.requestDevice({ requiredFeatures: ["timestamp-query"], requiredLimits });
device.addEventListener("uncapturederror", ({ error }) => {
  console.error(error.message);
  (Deno ?? process).exit(1);
});
const { STORAGE, COPY_DST, COPY_SRC, MAP_READ, QUERY_RESOLVE } = GPUBufferUsage;
const [word, last] = bytesRead === 32 ? ["vec4u", 1] : ["vec2u", 0];
const code = `
  @group(0) @binding(0) var<storage, read> table: array<array<${word}, ${1 + last}>>;
  @group(0) @binding(1) var<storage, read> keys: array<u32>;
  @group(0) @binding(2) var<storage, read_write> found: array<u32>;
  fn mixed(word: u32) -> u32 {
    let a = (word ^ (word >> 16)) * 0x85ebca6b;
    let b = (a ^ (a >> 13)) * 0xc2b2ae35;
    return b ^ (b >> 16);
  }
  @compute @workgroup_size(256) fn alone(@builtin(global_invocation_id) id: vec3u) {
    let seen = table[mixed(id.y * 4096 + id.x) % arrayLength(&table)];
    if seen[0].x + seen[${last}].y == 1 { found[0] = seen[${last}].y; }
  }
  @compute @workgroup_size(256) fn beside(@builtin(global_invocation_id) id: vec3u) {
    let item = id.y * 4096 + id.x;
    let seen = table[mixed(keys[item] + item) % arrayLength(&table)];
    found[item] = seen[0].x + seen[${last}].y;
  }`;
const visibility = GPUShaderStage.COMPUTE;
/** Bind groups' layout and the pipelines, where the table and the keys are declared as read only, or not: in one buffer they cannot be. */
function declared(only) {
  const reads = only ? "read-only-storage" : "storage";
  const entries = [reads, reads, "storage"].map((type, binding) => ({ binding, visibility, buffer: { type } }));
  const groupLayout = device.createBindGroupLayout({ entries });
  const layout = device.createPipelineLayout({ bindGroupLayouts: [groupLayout] });
  const module = device.createShaderModule({ code: only ? code : code.replaceAll("storage, read>", "storage, read_write>") });
  const pipelineOf = (entryPoint) => device.createComputePipeline({ layout, compute: { module, entryPoint } });
  return { groupLayout, alone: pipelineOf("alone"), beside: pipelineOf("beside") };
}
const querySet = device.createQuerySet({ type: "timestamp", count: 2 });
const buffer = (size, usage = STORAGE) => device.createBuffer({ size, usage });
const [stamps, seen] = [buffer(16, QUERY_RESOLVE | COPY_SRC), buffer(16, COPY_DST | MAP_READ)];

/** Nanoseconds of so many dispatches. */
async function pass(pipeline, group, lookups, dispatches) {
  const encoder = device.createCommandEncoder();
  const timestampWrites = { querySet, beginningOfPassWriteIndex: 0, endOfPassWriteIndex: 1 };
  const computing = encoder.beginComputePass({ timestampWrites });
  computing.setPipeline(pipeline);
  computing.setBindGroup(0, group);
  for (let i = 0; i < dispatches; i++) computing.dispatchWorkgroups(16, lookups / 4096);
  computing.end();
  encoder.resolveQuerySet(querySet, 0, 2, stamps, 0);
  encoder.copyBufferToBuffer(stamps, 0, seen, 0, 16);
  device.queue.submit([encoder.finish()]);
  await seen.mapAsync(GPUMapMode.READ);
  const [begin, end] = new BigUint64Array(seen.getMappedRange().slice(0));
  seen.unmap();
  return Number(end - begin);
}

/** G lookups/s. */
async function rate({ groupLayout, ...pipelines }, name, resources, lookups) {
  const entries = resources.map((resource, binding) => ({ binding, resource }));
  const group = device.createBindGroup({ layout: groupLayout, entries });
  let dispatches = 1;
  while ((await pass(pipelines[name], group, lookups, dispatches)) < 2e7) dispatches *= 2;
  const passes = [];
  for (let i = 0; i < 9; i++) passes.push(await pass(pipelines[name], group, lookups, dispatches));
  return (lookups * dispatches) / passes.sort((a, b) => a - b)[4];
}

const one = buffer(whole);
const [read, written] = [true, false].map(declared);
console.log(`${Deno ? `Deno ${Deno.version.deno}` : "Dawn"}, G reads/s of ${bytesRead} bytes`);
console.log(`MiB   alone   with 2^${power} keys and results   declared read_write   all in one buffer   alone, 16 bytes behind`);
for (let mib = 1; mib <= most; mib *= 2) {
  const [bytes, lookups] = [mib * MIB, 2 ** power];
  const made = [bytes, 4 * lookups, 4 * lookups].map((size) => buffer(size));
  const apart = made.map((each) => ({ buffer: each }));
  const together = [0, bytes, bytes + 4 * lookups].map((offset, i) => ({ buffer: one, offset, size: i ? 4 * lookups : bytes }));
  const rates = [
    await rate(read, "alone", apart, lookups),
    await rate(read, "beside", apart, lookups),
    await rate(written, "beside", apart, lookups),
    await rate(written, "beside", together, lookups),
  ];
  for (const each of made) each.destroy();
  const moved = [buffer(16), buffer(bytes), buffer(16), buffer(16)];
  rates.push(await rate(read, "alone", moved.slice(1).map((each) => ({ buffer: each })), lookups));
  console.log([String(mib).padEnd(5), ...rates.map((each) => each.toPrecision(3))].join(" "));
  for (const each of moved) each.destroy();
}
(Deno ?? process).exit(0);
