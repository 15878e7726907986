import { describe } from "vitest";
import { spared, testGpu } from "../../bench/device/testing.js";
import { cases as sharedSlotCases } from "../../bench/verify/cases/shared-slot.js";
import { casesFor, testCases } from "../../bench/verify/testing.js";
import { hostTable, hostTableIds } from "../host-memory.js";
import { Traffic } from "./pcie.js";

const gpu = testGpu();
/** Hundreds of rounds, dispatch by dispatch. */
const races = new Set(sharedSlotCases.map(({ name }) => name));

describe.each(hostTableIds.map((id) => ({ id })))("$id in host memory", ({ id }) => {
  const type = hostTable(id, new Traffic());
  if (!type) throw new Error(`${id} has no table in host memory`);
  testCases(spared ? casesFor(type, "core").filter(({ name }) => !races.has(name)) : casesFor(type), gpu, type);
});
