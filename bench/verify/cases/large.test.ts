import { expect, test } from "vitest";
import { slotsFor } from "../../../kernels/cuckoo/cuckoo.js";
import { hashConditions } from "../../../kernels/cuckoo/functions.js";
import { ownTables, tableType } from "../../../kernels/index.js";
import { pairsBeyond } from "./large.js";

test.each([2 ** 27, 2 ** 31 - 16])(
  "a table beyond a binding of %i bytes is beyond it without what is beside",
  (bytes) => {
    for (const type of ownTables.filter(({ answers }) => !answers)) {
      const { held } = type;
      const share = held(pairsBeyond(bytes, type), Math.min(0.8, type.safeLoadFactor)) / bytes;
      expect(share, type.id).toBeGreaterThan(1.2);
      expect(share, type.id).toBeLessThan(type.id === "linear-probing" ? 2.1 : 1.4);
    }
  },
);

test("where 2 GiB can be bound, cuckoo's table beyond a binding has its other prime, too", () => {
  const slots = slotsFor(pairsBeyond(2 ** 31 - 16, tableType("cuckoo")), 0.8);
  expect(hashConditions(slots)).toEqual({ LARGE_PRIME: true, MULTIPLY: false });
});
