// Findings of results/studies/implementations.md, without hashbench. Deno 2.9.6 ends in both.
//   deno run --allow-read --unstable-webgpu results/studies/implementations.mjs        a write of no bytes: ext/webgpu/queue.rs:153
//   deno run --allow-read --unstable-webgpu results/studies/implementations.mjs naga   overrides with values: naga's arena/handlevec.rs:66
const adapter = await navigator.gpu.requestAdapter();
const device = await adapter.requestDevice();
if (Deno.args[0] === "naga") {
  const code = await Deno.readTextFile(new URL("implementations-naga.wgsl", import.meta.url));
  const constants = { TILE: 8, R: 8, M: 16, CELL_BITS: 8, PENDING_WORDS: 32 };
  const module = device.createShaderModule({ code });
  await device.createComputePipelineAsync({ layout: "auto", compute: { module, entryPoint: "main", constants } });
  console.log("overrides with values: compiled");
}
const buffer = device.createBuffer({ size: 16, usage: GPUBufferUsage.COPY_DST });
device.queue.writeBuffer(buffer, 0, new Uint32Array(4).subarray(1, 3));
console.log("part of an array: written");
device.queue.writeBuffer(buffer, 0, new Uint32Array(0));
console.log("an empty array: written");
