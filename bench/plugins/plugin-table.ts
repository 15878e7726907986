/** What a table of a plug-in has to be: everything that the type says, checked before anything is measured. */
import { z } from "zod";
import { didYouMean, editDistance } from "../../datasets/nearest.js";
import { REQUIRED_OPS, TABLE_OPS } from "../../kernels/operations.js";
import type { Answer, Description, Sizing, Traits } from "../../kernels/table.js";
import { shown } from "../base/shown.js";
import { line, operations, parameterName, scalar, share, tableId } from "../native/described.js";
import { allSeries, kindOf } from "../scenarios/index.js";
import { limitBenchmark } from "../scenarios/limit.js";

const ANSWERS = ["member", "id", "range"] as const satisfies readonly Answer[];

/** What the id of a table is, in words. */
export const TABLE_ID = "lower-case letters, digits and dashes, such as my-table";

export const isTableId = (id: string): boolean => tableId.safeParse(id).success;
export const isLine = (value: unknown): value is string => line.safeParse(value).success;

// Each field has in words what is wanted of it, for messages.
const text = line.describe("one line of text");
const flag = z.boolean().describe("true or false");
const values = z.record(z.string(), scalar).describe("an object of numbers, texts, true and false");
const method = z.custom((value) => typeof value === "function").describe("a function");
const fraction = share.describe("a number above 0 to 1");

const optional = (schema: z.ZodType) => schema.optional().describe(schema.description ?? "");

const named = z.looseObject({ name: parameterName, meaning: line, default: scalar });
const parameter = z.union([
  named.extend({ values: z.array(scalar) }),
  named
    .extend({ values: z.undefined().optional(), from: z.number(), to: z.number(), integer: z.boolean() })
    .refine(({ from, to }) => from <= to),
]);
const declared = z.looseObject({ of: method, list: z.array(parameter).refine(areDifferent) });

const DESCRIPTION = {
  id: tableId.describe(TABLE_ID),
  title: text,
  source: optional(text),
  parameters: declared.describe("what declare({ … }) gives, of values that have default and meaning"),
  mixedParams: optional(values),
  multimapParams: optional(values),
  conflict: optional(method),
  configure: method,
} satisfies Fields<Omit<Description, "hostMemory" | "flushes" | "standsInFor">>;

const TRAITS = {
  ops: operations(TABLE_OPS)
    .refine((ops) => new Set(ops).size === ops.length)
    .describe(`a list of some of ${TABLE_OPS.join(", ")}, ${REQUIRED_OPS.join(" and ")} among them`),
  answers: optional(z.enum(ANSWERS).describe(`one of ${ANSWERS.join(", ")}`)),
  maxLoadFactor: fraction,
  safeLoadFactor: optional(fraction),
  sizing: optional(z.looseObject({}).describe("an object")),
  duplicates: flag,
  incremental: flag,
  reusesSlots: optional(flag),
  keysOnly: optional(flag),
  access: method,
  bytes: method,
  create: method,
} satisfies Fields<Omit<Traits, "api">>;

const SIZING = {
  dense: optional(flag),
  thresholds: optional(z.array(z.number()).describe("a list of numbers of pairs")),
  held: optional(method),
} satisfies Fields<Omit<Sizing, "ownSize">>;

type Fields<Of> = Readonly<Record<keyof Of, z.ZodType>>;

/** Why what a plug-in exported is no table that can be measured beside the others, in words; undefined for one that is. */
export function tableProblem(value: unknown): string | undefined {
  if (!isObject(value)) return `${shown(value)} is no table`;
  const name = typeof value.id === "string" ? `table ${shown(value.id)}` : "a table";
  const problem = fieldProblem(value, DESCRIPTION, name);
  if (problem) return problem;
  const { id, parameters, conflict, configure } = value as unknown as Description;
  const disputed: unknown = conflict?.(parameters.of()) ?? "";
  if (disputed !== "") return `${name}: conflict of its defaults is ${shown(disputed)}; "" is wanted`;
  const traits: unknown = configure(parameters.of());
  if (!isObject(traits)) return `${name}: configure of its defaults is ${shown(traits)}; an object is wanted`;
  const complete = traits as unknown as Traits;
  const outside = Object.keys(SIZING).find((field) => field in traits);
  if (outside) return `${name}: ${outside} belongs to sizing: { ${outside} }`;
  return (
    fieldProblem(traits, TRAITS, name) ??
    fieldProblem({ ...complete.sizing }, SIZING, name) ??
    taken(id) ??
    accessProblem(complete, name) ??
    sizeProblem(complete, name)
  );
}

/** A field of the author's own is within so many edits of one of ours by mistake: an optional one would be passed over in silence. */
const MISSPELT = 2;

function misspelt(value: Record<string, unknown>, fields: Fields<object>): readonly [string, string] | undefined {
  for (const field of Object.keys(value)) {
    if (field in DESCRIPTION || field in TRAITS || field in fields || field.length <= 2 * MISSPELT) continue;
    const meant = Object.keys(fields).find((known) => editDistance(field, known) <= MISSPELT);
    if (meant) return [field, meant];
  }
  return undefined;
}

function fieldProblem(value: Record<string, unknown>, fields: Fields<object>, name: string): string | undefined {
  const [odd, meant] = misspelt(value, fields) ?? [];
  if (odd) return `${name}: no field is called ${odd}; did you mean ${meant}?`;
  const { error } = z.looseObject(fields).safeParse(value);
  if (!error) return undefined;
  const field = String(error.issues[0]?.path[0]);
  const wanted = `${new Map(Object.entries<z.ZodType>(fields)).get(field)?.description} is wanted`;
  const content = value[field];
  return content === undefined
    ? `${name} has no ${field}: ${wanted}`
    : `${name}: ${field} is ${shown(content)}; ${wanted}`;
}

/** Ids stand in one column of the rows, and `--tables` names all of these. */
function taken(id: string): string | undefined {
  const known = allSeries().find((series) => series.id === id);
  return known && `there is ${kindOf(known)} ${id} already; give the table another id`;
}

function accessProblem(table: Traits, name: string): string | undefined {
  const known = limitBenchmark.series().map(({ id }) => id);
  for (const op of table.ops) {
    const access: unknown = table.access(op);
    if (!isObject(access) || !isLine(access.why))
      return `${name}: access("${op}") is ${shown(access)}; {pattern, why} is wanted`;
    if (!known.includes(String(access.pattern))) {
      const near = didYouMean(String(access.pattern), known, "; ");
      return `${name}: access("${op}") has the pattern ${shown(access.pattern)}, which device/limits has not${near}`;
    }
    const { times = 1, lanes = 1 } = access;
    if (!Number.isInteger(lanes)) return `${name}: access("${op}") has lanes ${shown(lanes)}; a whole number is wanted`;
    if (typeof times !== "number" || !(times > 0 && times < Number.POSITIVE_INFINITY))
      return `${name}: access("${op}") has times ${shown(times)}; a number above 0 is wanted`;
  }
  return undefined;
}

function sizeProblem({ bytes, maxLoadFactor }: Traits, name: string): string | undefined {
  const size: unknown = bytes(1024, maxLoadFactor);
  if (typeof size === "number" && size > 0 && Number.isFinite(size)) return undefined;
  return `${name}: bytes(1024, ${maxLoadFactor}) is ${shown(size)}; a number above 0 is wanted`;
}

function areDifferent(parameters: readonly { readonly name: string }[]): boolean {
  return new Set(parameters.map(({ name }) => name)).size === parameters.length;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
