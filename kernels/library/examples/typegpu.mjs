/**
 * Cells that points are in, each once, with TypeGPU: buffers, layout and functions are TypeGPU's, the set is a table.
 *
 * Functions are given as WGSL, which needs no plug-in of TypeGPU's for a bundler. `tgpu.resolve` writes the shader, `table.device` what the shader
 * calls; TypeGPU makes pipelines of its own layouts alone, so this one is made by WebGPU.
 */
import tgpu, { d } from "typegpu";
import { createTable } from "webgpu-hash-table";
import { expect } from "./device.mjs";

const POINTS = 20_000;
const LANES = 64;

const layout = tgpu
  .bindGroupLayout({
    points: { storage: d.arrayOf(d.vec2f) },
    count: { storage: d.atomic(d.u32), access: "mutable" },
    cells: { storage: d.arrayOf(d.u32), access: "mutable" },
  })
  .$idx(0);

const cellOf = tgpu.fn([d.vec2f], d.u32)`(point) {
  let cell = vec2u(floor(point));
  return (cell.y << 16u) | cell.x;
}`;

const LIST = /* wgsl */ `
@compute @workgroup_size(${LANES}) fn list(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= arrayLength(&layout.$.points)) { return; }
  let cell = cellOf(layout.$.points[id.x]);
  if (seen_find_or_insert(cell, id.x).state == seen_NEW) { layout.$.cells[atomicAdd(&layout.$.count, 1u)] = cell; }
}`;

const points = Array.from({ length: POINTS }, (_, i) => {
  const random = (salt) => (Math.imul(i ^ salt, 0x9e3779b1) >>> 9) / 2 ** 23;
  return d.vec2f(random(0x2545) * 100, random(0x7f4a) * 100);
});

/** @param {GPUDevice} device */
export async function cells(device) {
  const root = tgpu.initFromDevice({ device });
  const table = await createTable(device, "bucketed", { capacity: POINTS });
  const seen = table.device({ group: 1, prefix: "seen_", functions: ["find_or_insert"] });
  const own = {
    points: root.createBuffer(d.arrayOf(d.vec2f, POINTS), points).$usage("storage"),
    count: root.createBuffer(d.atomic(d.u32), 0).$usage("storage"),
    cells: root.createBuffer(d.arrayOf(d.u32, POINTS)).$usage("storage"),
  };
  const code = seen.code + tgpu.resolve({ template: LIST, externals: { layout, cellOf } });
  const pipeline = await device.createComputePipelineAsync({
    layout: device.createPipelineLayout({ bindGroupLayouts: [root.unwrap(layout), seen.layout] }),
    compute: { module: device.createShaderModule({ code }) },
  });
  const encoder = device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  pass.setPipeline(pipeline);
  pass.setBindGroup(0, root.unwrap(root.createBindGroup(layout, own)));
  pass.setBindGroup(1, seen.bindGroup());
  pass.dispatchWorkgroups(Math.ceil(POINTS / LANES));
  pass.end();
  device.queue.submit([encoder.finish()]);

  const count = await own.count.read();
  const listed = (await own.cells.read()).slice(0, count);
  table.destroy();
  for (const buffer of Object.values(own)) buffer.destroy();
  const expected = new Set(points.map(({ x, y }) => (Math.floor(y) << 16) | Math.floor(x)));
  expect("cells", count, expected.size);
  expect("cells that have points", new Set(listed.filter((cell) => expected.has(cell))).size, count);
  return `${POINTS} points in ${count} cells`;
}
