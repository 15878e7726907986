/** A voxel hash: how many points of a scan are in each voxel. Rows of the same key add up, and all pairs are listed. */
import { createTable } from "webgpu-hash-table";
import { expect, read, storage } from "./device.mjs";
import { POINTS, voxelOf } from "./voxels/points.mjs";

/** @param {GPUDevice} device */
export async function voxelHash(device) {
  const voxels = Uint32Array.from({ length: POINTS }, (_, i) => voxelOf(i));
  const [keys, ones] = [voxels, voxels.map(() => 1)].map((words) => storage(device, words));
  const [listed, counts] = [storage(device, POINTS), storage(device, POINTS)];
  const table = await createTable(device, "quotient", { capacity: POINTS });
  await table.upsert({ keys, values: ones, n: POINTS, rule: "add" });
  const { size } = await table.export({ keys: listed, values: counts, n: POINTS });
  const [own, points] = [await read(device, listed, size), await read(device, counts, size)];
  table.destroy();
  for (const buffer of [keys, ones, listed, counts]) buffer.destroy();

  const expected = new Map();
  for (const voxel of voxels) expected.set(voxel, (expected.get(voxel) ?? 0) + 1);
  expect("voxels", size, expected.size);
  for (const [i, voxel] of own.entries()) expect(`points of voxel ${voxel}`, points[i], expected.get(voxel));
  return `${POINTS} points in ${size} voxels, up to ${Math.max(...points)} in one`;
}
