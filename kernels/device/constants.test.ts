import { expect, test } from "vitest";
import { withConstants } from "./constants.js";

const WGSL = `override LANES: u32;
override TWICE: u32 = 2u * LANES;
override FAR: u32
  = 7u;
@compute @workgroup_size(LANES) fn main() {}`;

test("overrides become constants of the given values, or of their defaults", () => {
  expect(withConstants(WGSL, { LANES: 4294967295, FAR: 9 })).toBe(`const LANES: u32= u32(4294967295);
const TWICE: u32 = 2u * LANES;
const FAR: u32
  = u32(9);
@compute @workgroup_size(LANES) fn main() {}`);
  // The compiler says what is missing.
  expect(withConstants("override LANES: u32;", {})).toBe("override LANES: u32;");
});
