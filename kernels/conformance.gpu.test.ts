import { describe } from "vitest";
import { spared, testGpu } from "../bench/gpu/testing.js";
import { casesFor, testCases } from "../bench/verify/testing.js";
import { allTables } from "./index.js";

const gpu = testGpu();
/** Tables that other tests of the process register have names with spaces. */
const ours = allTables().filter(({ id }) => !id.includes(" "));

/** Not on SwiftShader, where they are slow: of DyCuckoo and the slab hash they run there, with kernels that differ in a condition. */
const TWINS: Readonly<Record<string, string>> = {
  megakv: "operations over many resizes",
  "slab-set": "slabs that run out in the middle of a batch",
};

describe.each(ours.map((type) => ({ id: type.id, type })))("$id", ({ id, type }) => {
  const twin = TWINS[id];
  const core = casesFor(type, "core").filter(({ name }) => twin === undefined || !name.startsWith(twin));
  // Tables whose keys repeat have no core cases.
  testCases(spared && core.length > 0 ? core : casesFor(type), gpu, type);
});
