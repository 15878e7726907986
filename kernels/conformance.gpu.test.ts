import { describe } from "vitest";
import { spared, testGpu } from "../bench/gpu/testing.js";
import { casesFor, testCases } from "../bench/verify/testing.js";
import { allTables } from "./index.js";

const gpu = testGpu();
/** Tables that other tests of the process register have names with spaces. */
const ours = allTables().filter(({ id }) => !id.includes(" "));

/**
 * Of these SwiftShader, where all takes long, runs the cases that begin so: their kernels are DyCuckoo's, WarpCore's and the slab
 * hash's, which run there, but for a condition. Lavapipe runs all of theirs.
 */
const TWINS: Readonly<Record<string, readonly string[]>> = {
  megakv: ["many pairs at the usual load factor", "a random history"],
  warpdrive: ["many pairs at the usual load factor", "a random history"],
  "slab-set": ["many pairs at the usual load factor", "slices in which all kinds of operations race"],
};

/** Of tables whose keys repeat: many sizes, each compiled anew. SwiftShader runs their kernels in the other cases. */
const OF_SIZES = "repeated keys: sizes";

/** What the host does when a pool has no slab left: by kernels that other cases run, in hundreds of batches. */
const OF_THE_HOST = "slabs that run out";

describe.each(ours.map((type) => ({ id: type.id, type })))("$id", ({ id, type }) => {
  const own = TWINS[id];
  const core = casesFor(type, "core").filter(
    ({ name }) => own?.some((begin) => name.startsWith(begin)) ?? !name.startsWith(OF_THE_HOST),
  );
  // Tables whose keys repeat have no core cases.
  const repeating = casesFor(type).filter(({ name }) => !spared || !name.startsWith(OF_SIZES));
  testCases(spared && core.length > 0 ? core : repeating, gpu, type);
});
