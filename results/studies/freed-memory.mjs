/**
 * Random lookups of 32 bytes just after other memory was freed: for how long they are slower.
 *
 *   node results/studies/freed-memory.mjs [MiB freed, a list: 4096,10240,20480] [MiB looked up in: 2048] [lookups: 67108864] [Dawn's options, such as adapter=NVIDIA]
 *
 * results/studies/freed-memory.md has what was seen. With `VK_LAYER_PATH=dist/bench/device/buffer-memory
 * VK_INSTANCE_LAYERS=VK_LAYER_HASHBENCH_buffer_memory` buffers are dedicated allocations, as those of hashbench are.
 */
import { create, globals } from "webgpu";

Object.assign(globalThis, globals);
const words = process.argv.slice(2);
const [freed = "4096,10240,20480", mib = "2048", lookups = "67108864"] = words.filter((word) => !word.includes("="));
const flags = ["enable-dawn-features=allow_unsafe_apis", "disable-dawn-features=timestamp_quantization"];
const instance = create([...flags, ...words.filter((word) => word.includes("="))]);
const adapter = await instance.requestAdapter({ powerPreference: "high-performance" });
if (!adapter) throw new Error("no WebGPU adapter");
const { maxBufferSize, maxStorageBufferBindingSize } = adapter.limits;
const requiredLimits = { maxBufferSize, maxStorageBufferBindingSize };
const device = await adapter.requestDevice({ requiredFeatures: ["timestamp-query"], requiredLimits });
device.onuncapturederror = ({ error }) => {
  console.error(error.message);
  process.exit(1);
};

const { STORAGE, COPY_DST, COPY_SRC, MAP_READ, QUERY_RESOLVE } = GPUBufferUsage;
const MIB = 2 ** 20;
/** Less than 2 GiB, which not every device binds. */
const LARGEST = 2047;
const buffer = (size, usage = STORAGE | COPY_DST) => device.createBuffer({ size, usage });
const blocks = Math.floor((Math.min(Number(mib), LARGEST) * MIB) / 32);
const code = `
  @group(0) @binding(0) var<storage, read> table: array<array<vec4u, 2>>;
  @group(0) @binding(1) var<storage, read_write> found: array<u32>;
  @compute @workgroup_size(256) fn find(@builtin(global_invocation_id) id: vec3u) {
    let item = id.y * 4096 + id.x;
    let a = (item ^ (item >> 16)) * 0x85ebca6b;
    let b = (a ^ (a >> 13)) * 0xc2b2ae35;
    let block = table[(b ^ (b >> 16)) % ${blocks}u];
    found[item] = block[0].x + block[1].w;
  }`;
const compute = { module: device.createShaderModule({ code }), entryPoint: "find" };
const pipeline = device.createComputePipeline({ layout: "auto", compute });
const entries = [buffer(blocks * 32), buffer(4 * Number(lookups))].map((made, binding) => {
  return { binding, resource: { buffer: made } };
});
const group = device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries });
const querySet = device.createQuerySet({ type: "timestamp", count: 2 });
const [stamps, seen] = [buffer(16, QUERY_RESOLVE | COPY_SRC), buffer(16, COPY_DST | MAP_READ)];

async function submit(record) {
  const encoder = device.createCommandEncoder();
  record(encoder);
  device.queue.submit([encoder.finish()]);
  await device.queue.onSubmittedWorkDone();
}

/** Milliseconds of all lookups. */
async function pass() {
  await submit((encoder) => {
    const timestampWrites = { querySet, beginningOfPassWriteIndex: 0, endOfPassWriteIndex: 1 };
    const computing = encoder.beginComputePass({ timestampWrites });
    computing.setPipeline(pipeline);
    computing.setBindGroup(0, group);
    computing.dispatchWorkgroups(16, Number(lookups) / 4096);
    computing.end();
    encoder.resolveQuerySet(querySet, 0, 2, stamps, 0);
    encoder.copyBufferToBuffer(stamps, 0, seen, 0, 16);
  });
  await seen.mapAsync(GPUMapMode.READ);
  const [begin, end] = new BigUint64Array(seen.getMappedRange());
  seen.unmap();
  return Number(end - begin) / 1e6;
}

/** Passes one after another: when each began, and how long it took, in ms. */
async function passes(ms) {
  const start = performance.now();
  const all = [];
  for (let at = 0; at < ms || all.length < 5; at = performance.now() - start) all.push({ at, ms: await pass() });
  return all;
}

const median = (all) => all.map(({ ms }) => ms).sort((a, b) => a - b)[all.length >> 1];
await passes(500);
const usual = median(await passes(500));
console.log(`${lookups} lookups in ${mib} MiB: ${usual.toFixed(3)} ms`);
for (const all of freed.split(",").map(Number)) {
  const made = [];
  for (let left = all; left > 0; left -= LARGEST) made.push(buffer(Math.min(left, LARGEST) * MIB));
  await submit((encoder) => made.forEach((one) => void encoder.clearBuffer(one)));
  await passes(100);
  for (const one of made) one.destroy();
  const after = await passes(400);
  const slow = after.filter(({ ms }) => ms > 1.03 * usual);
  const until = slow.length > 0 ? slow.at(-1).at + slow.at(-1).ms : 0;
  const rate = slow.length > 0 ? `${median(slow).toFixed(3)} ms each` : "none";
  console.log(`${all} MiB freed: ${slow.length} slow passes, ${rate}, the last until ${until.toFixed(0)} ms after`);
}
process.exit(0);
