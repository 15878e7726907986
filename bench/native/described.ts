/** What manifests of native tables and tables of plug-ins say alike, as schemas. */
import { z } from "zod";
import { REQUIRED_OPS } from "../../kernels/operations.js";
import { isLine } from "../results/line.js";

export const line = z
  .string()
  .max(200)
  .refine((text) => text.trim() !== "" && isLine(text), "not one line of text");
export const scalar = z.union([z.string().refine(isLine, "not one line of text"), z.number(), z.boolean()]);
export const share = z.number().gt(0).max(1);
export const tableId = z.string().regex(/^[a-z][a-z0-9-]{0,62}$/, "lower-case letters, digits and dashes are wanted");
export const parameterName = z.string().regex(/^[A-Za-z][A-Za-z0-9]*$/, "letters and digits are wanted");

/** What a program may have in place of a table's operations. */
export const GROUP = "group";

/** Operations, those that every table has among them. */
export function operations<const Ops extends readonly string[]>(ops: Ops) {
  const wanted = (some: readonly string[]) => some.join() === GROUP || REQUIRED_OPS.every((op) => some.includes(op));
  return z.array(z.enum(ops)).refine(wanted, { error: `${REQUIRED_OPS.join(" and ")} are wanted among them` });
}
