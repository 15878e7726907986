import { describe, test } from "vitest";
import { testGpu } from "../bench/gpu/testing.js";
import { cases } from "../bench/verify/cases.js";
import { allTables } from "./index.js";

const gpu = testGpu();

describe.each(allTables().map((type) => ({ id: type.id, type })))("$id", ({ type }) => {
  for (const { name, applies, check } of cases) {
    if (applies(type) === "") test(name, () => check(gpu(), type));
  }
});
