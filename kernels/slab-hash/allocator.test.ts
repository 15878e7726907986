import { expect, test } from "vitest";
import { handedOutTwice } from "./allocator.js";

test("an address that several lanes got counts once for every lane but the first, in one list or in two", () => {
  const list = (...addresses: number[]) => Uint32Array.from(addresses);
  expect(handedOutTwice(list(7, 0xfffffff0, 3, 0))).toBe(0);
  expect(handedOutTwice(list(7, 3, 7, 9, 7))).toBe(2);
  expect(handedOutTwice(list(7, 0xfffffff0), list(3, 0xfffffff0))).toBe(1);
  expect(handedOutTwice(list())).toBe(0);
});
