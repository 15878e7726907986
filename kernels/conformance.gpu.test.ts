import { describe } from "vitest";
import { spared, testGpu } from "../bench/device/testing.js";
import { casesFor, testCases } from "../bench/verify/testing.js";
import { ownTables } from "./index.js";

const gpu = testGpu();
/** Tables that other tests of the process register have names with spaces. */
const ours = ownTables;

/**
 * Of these SwiftShader, where all takes long, runs the cases that begin so: their kernels are DyCuckoo's, WarpCore's and the slab
 * hash's, which run there, but for a condition. Lavapipe runs all of theirs.
 */
const TWINS: Readonly<Record<string, readonly string[]>> = {
  megakv: ["many pairs at the usual load factor", "a random history"],
  warpdrive: ["many pairs at the usual load factor", "a random history"],
  "slab-set": ["many pairs at the usual load factor", "slices in which all kinds of operations race"],
};

/** Rules are the same text in all tables that have them, which takes SwiftShader a while to compile: it does so for one. */
const UPSERTS = "a random history of upserts";

/**
 * What the host does when a pool has no slab left: by kernels that other cases run, in hundreds of batches. It is the same for a set,
 * whose pool grows in kernels/slab-hash/banked.gpu.test.ts.
 */
const OF_THE_HOST = "slabs that run out";

describe.each(ours.map((type) => ({ id: type.id, type })))("$id", ({ id, type }) => {
  const own = TWINS[id];
  const core = casesFor(type, "core").filter(
    ({ name }) =>
      own?.some((begin) => name.startsWith(begin)) ??
      !(name.startsWith(OF_THE_HOST) || (name === UPSERTS && id !== "bucketed")),
  );
  // Tables whose keys repeat have no core cases.
  const all = casesFor(type).filter(({ name }) => id !== "slab-set" || !name.startsWith(OF_THE_HOST));
  testCases(spared && core.length > 0 ? core : all, gpu, type);
});
