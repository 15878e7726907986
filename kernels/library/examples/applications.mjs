/** Eight applications. Each takes a device, throws an Error where its answer is not the one of JavaScript's Map or arithmetic, and says what it did. */
import { cache } from "./cache.mjs";
import { sales } from "./group-by.mjs";
import { join } from "./join.mjs";
import { deliveries } from "./join-rows.mjs";
import { mesh } from "./mesh.mjs";
import { cells } from "./typegpu.mjs";
import { visitedStates } from "./visited-states.mjs";
import { voxelHash } from "./voxel-hash.mjs";

export const applications = {
  "visited-states": visitedStates,
  "voxel-hash": voxelHash,
  mesh,
  cache,
  join,
  "group-by": sales,
  "join-rows": deliveries,
  typegpu: cells,
};
