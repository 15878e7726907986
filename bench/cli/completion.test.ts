import { expect, test } from "vitest";
import { completions } from "./completion.js";

test.each([
  [["com"], ["compare", "completion"]],
  [["run", "--ta"], ["--tables"]],
  [["run", "gph/fig10"], ["gph/fig10"]],
  [["run", "gph/fig10", "-t", "gph,bu"], ["gph,bucketed"]],
  [
    ["verify", "warp"],
    ["warpcore", "warpdrive"],
  ],
  [["report", "--ids", "gph/fig10"], ["gph/fig10"]],
  [["list", "exp"], ["experiments"]],
  [["nonsense", "--"], []],
  [["plot", "--out", "a"], []],
])("hashbench %s may become %s", async (words, found) => {
  expect(await completions(words)).toEqual(found);
});
