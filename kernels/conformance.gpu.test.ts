import { describe } from "vitest";
import { spared, testGpu } from "../bench/gpu/testing.js";
import { casesFor } from "../bench/verify/cases.js";
import { resizingCases } from "../bench/verify/resizing.js";
import { sharedSlotCases } from "../bench/verify/shared-slot.js";
import { testCases } from "../bench/verify/testing.js";
import { allTables } from "./index.js";

const gpu = testGpu();
/** Tables whose kernels are another table's, with other parameters: where there is little time, no races and resizes of theirs. */
const VARIANTS: readonly string[] = ["slab-set", "megakv"];
const long = new Set([...sharedSlotCases, ...resizingCases].map(({ name }) => name));

describe.each(allTables().map((type) => ({ id: type.id, type })))("$id", ({ type }) => {
  const thin = spared && VARIANTS.includes(type.id);
  testCases(thin ? casesFor(type).filter(({ name }) => !long.has(name)) : casesFor(type), gpu, type);
});
