import { expect, test } from "vitest";
import { drawn } from "./draw.js";

test.each([
  [0, [1, 2, 3]],
  [1 - Number.EPSILON, [3, 1, 2]],
])("by draws of %d every item can come first, the last one too", (draw, order) => {
  expect([...drawn(Uint32Array.of(1, 2, 3), () => draw)]).toEqual(order);
});
