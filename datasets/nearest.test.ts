import { expect, it } from "vitest";
import { editDistance, nearest } from "./nearest.js";

it("counts insertions, deletions and substitutions", () => {
  expect(editDistance("kitten", "sitting")).toBe(3);
  expect(editDistance("", "abc")).toBe(3);
  expect(editDistance("same", "same")).toBe(0);
});

it("names the candidate with the fewest edits, whatever the case", () => {
  expect(nearest("LINEITM", ["random", "lineitem", "zipf"])).toBe("lineitem");
  expect(nearest("x", [])).toBeUndefined();
});
