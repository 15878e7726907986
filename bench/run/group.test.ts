import { expect, test } from "vitest";
import { type Candidate, Group, type GroupLimits } from "./group.js";

const limits: GroupLimits = { memory: 1000, room: Number.POSITIVE_INFINITY };
const cell = (place = "x", all = 1, shared = {}): Candidate => ({ place, bytes: { all, shared } });

/** How many of the cells the group takes, each of which takes 10 ms to prepare. */
function taken(cells: readonly Candidate[], { leastMs = 0, ...other }: Partial<GroupLimits> & { leastMs?: number }) {
  let now = 0;
  const group = new Group({ ...limits, ...other }, () => now);
  let count = 0;
  for (const one of cells) {
    if (!group.joins(one)) break;
    now += 10;
    group.takes(leastMs);
    count += 1;
  }
  return count;
}

const places = (sizes: readonly number[]) =>
  sizes.flatMap((size, place) => Array.from({ length: size }, () => cell(`place ${place}`)));

test("a group has 16 cells and what is missing to the end of a place", () => {
  expect(taken(places([8, 8, 8]), {})).toBe(16);
  expect(taken(places([6, 6, 6, 6]), {})).toBe(18);
  expect(taken(places([10, 20]), {})).toBe(30);
});

test("however many series a place has, a group has 32 cells at most", () => {
  expect(taken(places([100]), {})).toBe(32);
});

test("its cells fit in memory together, and the first one is taken whatever its size", () => {
  expect(taken([cell("x", 400), cell("x", 600), cell("x", 1)], {})).toBe(2);
  expect(taken([cell("x", 5000), cell("x", 1)], {})).toBe(1);
});

test("what its cells have in common counts once", () => {
  const asks = (name: string) => cell("x", 500, { table: 300, [name]: 100 });
  // 500, and 100 or 200 for each more.
  expect(taken([asks("all"), asks("all"), asks("all"), asks("none"), asks("half")], {})).toBe(4);
});

test("it has no more cells than there is room for", () => {
  expect(taken(places([8]), { room: 3 })).toBe(3);
});

test("it ends once its first cells would take more than ten seconds, in the midst of a place too", () => {
  // 10 ms to prepare one and 2 s for its samples: 4 of them take 8.04 s, 5 of them 10.05 s.
  expect(taken(places([8]), { leastMs: 2000 })).toBe(5);
});
