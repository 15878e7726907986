/** A scan of a landscape put into voxels: the key is the voxel, the value a point in it. The page draws one point of each voxel. */
import { quotient } from "webgpu-hash-table/quotient";
import { POINTS, SIDE, voxelOf } from "./points.mjs";

function show(text) {
  document.getElementById("said").textContent = text;
}

async function main() {
  const adapter = await navigator.gpu?.requestAdapter();
  if (!adapter) return show("This browser has no WebGPU adapter.");
  const device = await adapter.requestDevice();
  const voxels = Uint32Array.from({ length: POINTS }, (_, i) => voxelOf(i));
  const storage = (words) => {
    const { STORAGE, COPY_SRC, COPY_DST } = GPUBufferUsage;
    const buffer = device.createBuffer({ size: words.byteLength, usage: STORAGE | COPY_SRC | COPY_DST });
    device.queue.writeBuffer(buffer, 0, words);
    return buffer;
  };
  const keys = storage(voxels);
  const points = storage(Uint32Array.from(voxels.keys()));
  const results = storage(new Uint32Array(POINTS));
  const table = await quotient.create(device, { capacity: POINTS });
  await table.insert({ keys, values: points, n: POINTS });
  await table.find({ keys, results, n: POINTS });

  const read = device.createBuffer({ size: results.size, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST });
  const encoder = device.createCommandEncoder();
  encoder.copyBufferToBuffer(results, 0, read, 0, read.size);
  device.queue.submit([encoder.finish()]);
  await read.mapAsync(GPUMapMode.READ);
  // The one point of each voxel that the voxel's value names.
  const own = new Uint32Array(read.getMappedRange()).filter((point, i) => point === i);
  draw(own.map((point) => voxels[point]));
  show(`${POINTS} points in ${own.length} voxels`);
  document.body.dataset.voxels = String(own.length);
  table.destroy();
  for (const buffer of [keys, points, results, read]) buffer.destroy();
}

/** Seen from above, the highest voxel of each column. */
function draw(voxels) {
  const context = document.querySelector("canvas").getContext("2d");
  const image = context.createImageData(SIDE, SIDE);
  const heights = new Uint8Array(SIDE * SIDE);
  for (const voxel of voxels) {
    const at = ((voxel >> 10) & 1023) * SIDE + (voxel & 1023);
    heights[at] = Math.max(heights[at], voxel >> 20);
  }
  for (const [at, height] of heights.entries())
    image.data.set([3 * height, 80 + 2 * height, 160 - height, 255], 4 * at);
  context.putImageData(image, 0, 0);
}

main().catch((error) => show(error.message));
