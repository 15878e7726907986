/** Five applications. Each takes a device, throws an Error where its answer is not the one of JavaScript's Map or arithmetic, and says what it did. */
import { cache } from "./cache.mjs";
import { join } from "./join.mjs";
import { mesh } from "./mesh.mjs";
import { visitedStates } from "./visited-states.mjs";
import { voxelHash } from "./voxel-hash.mjs";

export const applications = {
  "visited-states": visitedStates,
  "voxel-hash": voxelHash,
  mesh,
  cache,
  join,
};
