import { expect, test } from "vitest";
import { create, globals } from "webgpu";

/** What scripts/test.mjs set before this process started; "" takes whichever adapter comes first. */
const { HASHBENCH_ADAPTER = "", HASHBENCH_DEVICE = "" } = process.env;
const DRIVER: Readonly<Record<string, RegExp>> = { lavapipe: /^llvmpipe/, swiftshader: /^SwiftShader/ };

test("the adapter that was chosen is the one that Dawn opens here, and it computes", async () => {
  Object.assign(globalThis, globals);
  const flags = HASHBENCH_ADAPTER ? [`adapter=${HASHBENCH_ADAPTER}`] : [];
  const adapter = await create(flags).requestAdapter({ powerPreference: "high-performance" });
  if (!adapter) throw new Error("no adapter");
  expect(adapter.info.description).toMatch(DRIVER[HASHBENCH_DEVICE] ?? /./);

  const device = await adapter.requestDevice();
  const code = `
    @group(0) @binding(0) var<storage, read_write> out: array<u32>;
    @compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) { out[id.x] = id.x * id.x; }
  `;
  const module = device.createShaderModule({ code });
  const pipeline = await device.createComputePipelineAsync({ layout: "auto", compute: { module } });
  const size = 64 * 4;
  const storage = device.createBuffer({ size, usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC });
  const readback = device.createBuffer({ size, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST });
  const entries = [{ binding: 0, resource: { buffer: storage } }];
  const encoder = device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  pass.setPipeline(pipeline);
  pass.setBindGroup(0, device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries }));
  pass.dispatchWorkgroups(1);
  pass.end();
  encoder.copyBufferToBuffer(storage, 0, readback, 0, size);
  device.queue.submit([encoder.finish()]);
  await readback.mapAsync(GPUMapMode.READ);
  expect([...new Uint32Array(readback.getMappedRange())]).toEqual(Array.from({ length: 64 }, (_, i) => i * i));
  device.destroy();
});
