import { expect, test } from "vitest";
import { configure, conflictOf } from "../define.js";
import type { Params } from "../table.js";
import { dycuckoo } from "./dycuckoo.js";
import { megakv } from "./megakv.js";

test.each<[Params, string]>([
  [{ alpha: 0.5 }, ""],
  [{ alpha: 0.67 }, ""],
  [{ alpha: 0.68 }, "alpha is 0.68; with 4 sub-tables and beta 0.85 it has to be below 0.68"],
  [{ alpha: 0.6, subTables: 2 }, "alpha is 0.6; with 2 sub-tables and beta 0.85 it has to be below 0.567"],
  // Nothing is filled to 1 after a downsize.
  [{ alpha: 0.79, beta: 1 }, "alpha is 0.79; with 4 sub-tables and beta 1 it has to be below 0.76"],
  [{ alpha: 0.8, beta: 1, subTables: 6 }, ""],
])("dycuckoo takes an alpha that downsizing can hold: %o", (params, conflict) => {
  expect(conflictOf(dycuckoo, { resize: true, ...params })).toBe(conflict);
});

test("buckets of 16 slots, and of ordered batches, are not filled as far as those of 32, which refuse no pair at 95 %", () => {
  expect(configure(dycuckoo, {}).maxLoadFactor).toBe(0.95);
  expect(configure(dycuckoo, { regionKiB: 2 ** 15 }).maxLoadFactor).toBe(0.93);
  expect(configure(dycuckoo, { bucketSlots: 16 }).maxLoadFactor).toBe(0.9);
});

test("megakv halves all slots at once", () => {
  expect(conflictOf(megakv, { resize: true, alpha: 0.42 })).toBe("");
  expect(conflictOf(megakv, { resize: true, alpha: 0.48, beta: 1 })).toBe(
    "alpha is 0.48; with tables resized as a whole and beta 1 it has to be below 0.475",
  );
});
