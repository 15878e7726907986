import { expect, test } from "vitest";
import type { Where } from "./claim.js";
import { select } from "./select.js";
import { rowOf } from "./testing.js";

const factors = [0.5, 0.6, 0.7, 0.8, 0.9];
const rows = factors.map((factor) => rowOf({ load_factor: factor, params: { start: factor } }));

test.each<[Where, readonly number[]]>([
  [{ from: 0.6, to: 0.8 }, [0.6, 0.7, 0.8]],
  [{ from: 0.8 }, [0.8, 0.9]],
  [{ to: 0.6 }, [0.5, 0.6]],
  [{ from: 0.65, to: 0.65 }, []],
  [{ from: 0.7, to: 0.7 }, [0.7]],
  [
    [0.9, 0.5],
    [0.5, 0.9],
  ],
  [0.8, [0.8]],
])("of %o these are: %o; both ends of a range are in it, and one that is left out is open", (where, expected) => {
  const experiment = { experiment: "gph/fig10" };
  const factorsOf = (wanted: Parameters<typeof select>[2]) =>
    select(rows, experiment, wanted).rows.map((row) => row.load_factor);
  expect(factorsOf({ loadFactor: where as never })).toEqual(expected);
  expect(factorsOf({ params: { start: where } })).toEqual(expected);
});
