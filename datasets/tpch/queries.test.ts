import { expect, test } from "vitest";
import { queryRows } from "../lineitem.js";
import { QUERIES, type QueryName } from "./queries.js";
import { orderKey } from "./streams.js";

async function rowsOf(query: QueryName, n: number) {
  const keys: number[] = [];
  const columns: number[][] = QUERIES[query].columns.map(() => []);
  for await (const block of queryRows(query, n, columns.length)) {
    keys.push(...block.keys);
    for (const [i, column] of block.columns.entries()) columns[i]?.push(...column);
  }
  return { keys, columns };
}

test("the first rows are those of dbgen's first orders, as far as Q1 takes them", async () => {
  const quantities = [17, 36, 8, 28, 24, 32, 38];
  expect(await rowsOf("q18", 7)).toEqual({ keys: [1, 1, 1, 1, 1, 1, 2], columns: [quantities] });
  const { keys, columns } = await rowsOf("q1", 7);
  // N and O.
  expect(keys).toEqual(Array(7).fill(5));
  expect(columns[0]).toEqual(quantities);
  expect(columns.slice(2)).toEqual([
    [4, 9, 10, 9, 10, 7, 0],
    [2, 6, 2, 6, 4, 2, 5],
  ]);
});

test("rows go on in the next block, at most n, and in four groups", async () => {
  const { keys } = await rowsOf("q1", 5000);
  expect(keys).toHaveLength(5000);
  expect([...new Set(keys)].toSorted()).toEqual([0, 2, 4, 5]);
});

test("groups are the orders up to the last one", () => {
  for (const order of [0, 6, 7, 8, 1_499_999]) expect(QUERIES.q18.groups(orderKey(order))).toBe(order + 1);
});
