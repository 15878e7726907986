import { describe, test } from "vitest";
import { testGpu } from "../bench/gpu/testing.js";
import { casesFor } from "../bench/verify/cases.js";
import { allTables } from "./index.js";

const gpu = testGpu();

describe.each(allTables().map((type) => ({ id: type.id, type })))("$id", ({ type }) => {
  for (const { name, check } of casesFor(type)) test(name, () => check(gpu(), type));
});
