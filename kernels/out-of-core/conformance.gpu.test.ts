import { describe } from "vitest";
import { spared, testGpu } from "../../bench/gpu/testing.js";
import { casesFor } from "../../bench/verify/cases.js";
import { testCases } from "../../bench/verify/testing.js";
import { hostTable, hostTableIds } from "../host-memory.js";
import { Traffic } from "./pcie.js";

const gpu = testGpu();

describe.each(hostTableIds.map((id) => ({ id })))("$id in host memory", ({ id }) => {
  const type = hostTable(id, new Traffic());
  if (!type) throw new Error(`${id} has no table in host memory`);
  testCases(casesFor(type, spared ? "core" : "all"), gpu, type);
});
