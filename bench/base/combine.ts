/** The parameters of an experiment's axes. */
import type { Scalar } from "../../kernels/table.js";
import type { Axes } from "./experiment.js";

type Case = Readonly<Record<string, Scalar>>;

/** All combinations of the values, those of the last name next to each other. */
export function combine(values: Readonly<Record<string, readonly Scalar[]>>): Case[] {
  let cases: Case[] = [{}];
  for (const [name, own] of Object.entries(values)) {
    cases = cases.flatMap((one) => own.map((value) => ({ ...one, [name]: value })));
  }
  return cases;
}

/** The parameters at each place of the axes. */
export function casesOf({ params = {} }: Pick<Axes, "params">): readonly Case[] {
  return isList(params) ? params : combine(params);
}

function isList(params: NonNullable<Axes["params"]>): params is readonly Case[] {
  return Array.isArray(params);
}
