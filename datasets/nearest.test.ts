import { expect, it } from "vitest";
import { didYouMean, editDistance, nearest } from "./nearest.js";

it("counts insertions, deletions and substitutions", () => {
  expect(editDistance("kitten", "sitting")).toBe(3);
  expect(editDistance("", "abc")).toBe(3);
  expect(editDistance("same", "same")).toBe(0);
});

it("names the candidate with the fewest edits, whatever the case", () => {
  expect(nearest("LINEITM", ["random", "lineitem", "zipf"])).toBe("lineitem");
  expect(nearest("x", [])).toBeUndefined();
});

it("names none that nobody would have meant", () => {
  const tables = ["cuckoo", "warpcore", "stash", "slab-hash", "gph"];
  for (const name of ["xyzzy", "a", "", "no-such-table", "b+tree"]) expect(nearest(name, tables), name).toBeUndefined();
  expect(didYouMean("xyzzy", tables)).toBe("");
});

it("names one that a name of some letters is a part of, or has as a part", () => {
  expect(nearest("fig10", ["gph/fig9", "gph/fig10"])).toBe("gph/fig10");
  expect(nearest("stash-8-bit-tickets", ["cuckoo", "stash"])).toBe("stash");
  expect(didYouMean("stsh", ["cuckoo", "stash"])).toBe(", did you mean stash?");
});
