import { describe } from "vitest";
import { testGpu } from "../bench/gpu/testing.js";
import { casesFor } from "../bench/verify/cases.js";
import { testCases } from "../bench/verify/testing.js";
import { allTables } from "./index.js";

const gpu = testGpu();

describe.each(allTables().map((type) => ({ id: type.id, type })))("$id", ({ type }) => {
  testCases(casesFor(type), gpu, type);
});
