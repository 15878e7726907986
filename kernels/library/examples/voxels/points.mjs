/** A scan of a landscape: the points of both programs about voxels. */

export const POINTS = 200_000;
export const SIDE = 128;

/** The voxel of point i: x, y and z, 10 bits each. */
export function voxelOf(i) {
  const random = (salt) => (Math.imul(i ^ salt, 0x9e3779b1) >>> 9) / 2 ** 23;
  const [x, y] = [random(0x2545) * SIDE, random(0x7f4a) * SIDE];
  const z = 40 + 24 * Math.sin(x / 13) * Math.cos(y / 17) + 2 * random(0x1234);
  return (Math.floor(z) << 20) | (Math.floor(y) << 10) | Math.floor(x);
}
