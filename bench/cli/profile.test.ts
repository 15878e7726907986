import { expect, test } from "vitest";
import { profileTable } from "./profile.js";

test("a profile has a line for each experiment, one for CPU tables beside it, and the sum with what belongs to none", () => {
  const lines = profileTable({
    workers: { prepare: 1.5, sample: 4, idle: 0.5 },
    experiments: { "gph/fig10": { prepare: 1.5, sample: 3 } },
    beside: { "gph/fig10": { sample: 1 } },
  }).split("\n");
  expect(lines.map((line) => line.split(/\s{2,}/)[0])).toEqual([
    "seconds",
    "gph/fig10",
    "gph/fig10 (CPU tables)",
    "all",
  ]);
  expect(lines.map((line) => line.split(/\s{2,}/).at(-1))).toEqual(["all", "4.5", "1.0", "6.0"]);
});
