import { expect, test } from "vitest";
import { expand } from "../experiments/expand.js";
import { chosen } from "./choice.js";

const asked = { quick: true, seed: 1, tables: ["quotient"], settings: [], fans: [] };
const places = async (id: string, loadFactors: readonly number[]) => {
  const [{ experiment } = {}] = await chosen([id], { ...asked, loadFactors });
  const cells = experiment ? expand(experiment, { ...asked, scale: 1 }) : [];
  return [...new Set(cells.map(({ table, variant, loadFactor }) => [table, variant, loadFactor].join(" ")))];
};

test("where each series has its own load factor, a table joins at those that are given", async () => {
  expect(await places("cuckoo/fig4.4-insert", [0.8])).toEqual(["quotient  0.8"]);
  expect(await places("cuckoo/fig4.4-insert", [0.5, 0.8])).toEqual([
    "quotient load factor 0.5 0.5",
    "quotient load factor 0.8 0.8",
  ]);
});

test("where load factors are an axis, a table joins at all of them", async () => {
  expect(await places("dycuckoo/fig9", [0.5, 0.8])).toEqual(["quotient  0.5", "quotient  0.8"]);
});
