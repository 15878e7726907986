// A finding of results/studies/implementations.md, without hashbench: WebGPU lets a program write no bytes into a buffer.
//   deno run --unstable-webgpu results/studies/implementations.mjs
// Deno 2.9.6 ends here: "panicked at ext/webgpu/queue.rs:153:36: called `Option::unwrap()` on a `None` value".
const adapter = await navigator.gpu.requestAdapter();
const device = await adapter.requestDevice();
const buffer = device.createBuffer({ size: 16, usage: GPUBufferUsage.COPY_DST });
device.queue.writeBuffer(buffer, 0, new Uint32Array(4).subarray(1, 3));
console.log("part of an array: written");
device.queue.writeBuffer(buffer, 0, new Uint32Array(0));
console.log("an empty array: written");
