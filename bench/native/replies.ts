/** What replies of native tables' programs are made of. */
import { z } from "zod";
import { isLine } from "../results/line.js";

export const line = z.string().max(200).refine(isLine, "not one line of text");
export const count = z.number().int().nonnegative();
export const ns = z.number().refine((value) => value > 0 && Number.isFinite(value), "a time above 0 is wanted");
export const nothing = z.strictObject({});
