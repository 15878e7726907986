import { expect, test } from "vitest";
import type { CellSpec } from "../base/experiment.js";
import { experiments } from "../experiments/index.js";
import { readyFirst } from "./ready-first.js";

const [experiment] = experiments;
if (!experiment) throw new Error("no experiment");

const part = (...sets: readonly (readonly [string, number])[]) => ({
  experiments: [experiment],
  cells: sets.map(([dataset, n]) => ({ dataset, n, seed: 1, params: {} }) as unknown as CellSpec),
});

test("experiments whose data sets the host makes come last, the others as they were", async () => {
  const large = 50_000_000;
  const mixed = part(["random", large], ["tw", large]);
  const join = part(["lineitem", large]);
  const random = part(["random", large], ["random", 1000]);
  const small = part(["tw", 100_000]);
  const none = part(["", large]);
  const unknown = part(["/no/such/file.csv:key", large]);
  const parts = [mixed, random, join, small, none, unknown];
  expect(await readyFirst(parts)).toEqual([random, small, none, unknown, mixed, join]);
});
