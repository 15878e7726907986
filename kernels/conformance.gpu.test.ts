import { describe } from "vitest";
import { spared, testGpu } from "../bench/gpu/testing.js";
import { casesFor } from "../bench/verify/cases.js";
import { sharedSlotCases } from "../bench/verify/shared-slot.js";
import { testCases } from "../bench/verify/testing.js";
import { allTables } from "./index.js";

const gpu = testGpu();
/** The set compiles the slab hash's text without values: where there is little time, that one's races are enough. */
const races = new Set(sharedSlotCases.map(({ name }) => name));

/** Tables that other tests of the process register have names with spaces. */
const ours = allTables().filter(({ id }) => !id.includes(" "));

describe.each(ours.map((type) => ({ id: type.id, type })))("$id", ({ type }) => {
  const thin = spared && type.id === "slab-set";
  testCases(thin ? casesFor(type).filter(({ name }) => !races.has(name)) : casesFor(type), gpu, type);
});
