/** What rows make of the value of a key that a table has, by each rule. */
import { type Rows, RULES } from "../../kernels/table.js";

export type Rule = Rows["rule"];
export const RULE_NAMES = Object.keys(RULES) as Rule[];

export const MERGED: Readonly<Record<Rule, (old: number, value: number) => number>> = {
  replace: (_, value) => value,
  first: (old) => old,
  id: (old) => old,
  add: (old, value) => (old + value) >>> 0,
  min: (old, value) => Math.min(old, value),
  max: (old, value) => Math.max(old, value),
};
