import { describe } from "vitest";
import { spared, testGpu } from "../bench/gpu/testing.js";
import { casesFor, testCases } from "../bench/verify/testing.js";
import { allTables } from "./index.js";

const gpu = testGpu();
/** Tables that other tests of the process register have names with spaces. */
const ours = allTables().filter(({ id }) => !id.includes(" "));

describe.each(ours.map((type) => ({ id: type.id, type })))("$id", ({ type }) => {
  const core = casesFor(type, "core");
  // Tables whose keys repeat have no core cases.
  testCases(spared && core.length > 0 ? core : casesFor(type), gpu, type);
});
