/**
 * Conformance with other parameters than the defaults, each value once: every kernel of the folder is compiled in each of these, which
 * is most of the time on a software adapter.
 */
import { describe } from "vitest";
import { testGpu } from "../../bench/device/testing.js";
import { casesFor, testCases } from "../../bench/verify/testing.js";
import { configure } from "../define.js";
import type { Params } from "../table.js";
import { slabHash, slabSet } from "./slab-hash.js";

const gpu = testGpu();

/** What the host does when a pool has no slab left: the same for a set and for tiles of 32 lanes as for the others. */
const OF_THE_HOST = "slabs that run out";

describe.each<Params & { readonly table?: "slab-set" }>([
  { tile: 1, queries: 2, overwrite: true },
  { tile: 1, table: "slab-set" },
  { tile: 4, allocator: "bump" },
  { tile: 8, warp: "virtual", allocator: "slab-alloc", queries: 3 },
  { tile: 32, overwrite: true, queries: 4, superBlocks: 32 },
])("slab-hash with %o", ({ table, ...params }) => {
  const type = configure(table ? slabSet : slabHash, params);
  const elsewhere = table !== undefined || params.tile === 32;
  testCases(
    casesFor(type, "core").filter(({ name }) => !(elsewhere && name.startsWith(OF_THE_HOST))),
    gpu,
    type,
  );
});
