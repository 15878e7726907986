import { expect, test } from "vitest";
import { expand } from "../experiments/expand.js";
import { byName, experiments } from "../experiments/index.js";
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

test("all leaves out what is measured by name only, and what is named is measured beside it", async () => {
  const whole = { ...asked, tables: undefined };
  const ids = async (...names: string[]) => (await chosen(names, whole)).map(({ experiment }) => experiment.id);
  const [all, more] = await Promise.all([ids("all"), ids("all", "limit/beyond-memory", "limit/host")]);
  expect(experiments.map(({ id }) => id).filter((id) => byName.has(id) && !all.includes(id))).toHaveLength(byName.size);
  expect(more.filter((id) => !all.includes(id))).toEqual(["limit/beyond-memory"]);
  expect(await ids("limit")).toContain("limit/host-large");
});
