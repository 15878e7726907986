import { expect, test } from "vitest";
import { gridOf } from "./gpu.js";

test.each([0, 1, 65_535, 65_536, 131_072, 131_073, 781_250, 16_777_215])(
  "%d workgroups fit in two dimensions, with fewer to spare than rows",
  (groups) => {
    const [x, y] = gridOf(groups);
    expect(Math.max(x, y)).toBeLessThanOrEqual(65_535);
    expect(x * y).toBeGreaterThanOrEqual(groups);
    expect(x * y - groups).toBeLessThan(y);
  },
);
