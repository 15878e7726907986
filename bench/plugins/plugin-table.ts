/** What a table of a plug-in has to be: everything that the type says, checked before anything is measured. */
import { didYouMean, editDistance } from "../../datasets/nearest.js";
import { REQUIRED_OPS, TABLE_OPS } from "../../kernels/operations.js";
import type { Answer, Description, Sizing, TableParameter, Traits } from "../../kernels/table.js";
import { shown } from "../base/shown.js";
import { isLine as isOneLine } from "../results/line.js";
import { allSeries, kindOf } from "../scenarios/index.js";
import { limitBenchmark } from "../scenarios/limit.js";

const OPS: readonly string[] = TABLE_OPS;
const ANSWERS: readonly Answer[] = ["member", "id", "range"];

/** What the id of a table is, in words. */
export const TABLE_ID = "lower-case letters, digits and dashes, such as my-table";

export const isTableId = (id: string): boolean => /^[a-z][a-z0-9-]{0,62}$/.test(id);

interface Field {
  /** What is wanted, in words. */
  readonly wanted: string;
  readonly optional?: boolean;
  is(value: unknown): boolean;
}

const text: Field = { wanted: "one line of text", is: isLine };
const flag: Field = { wanted: "true or false", is: (value) => typeof value === "boolean" };
const values: Field = {
  wanted: "an object of numbers, texts, true and false",
  is: (value) => isObject(value) && Object.values(value).every(isScalar),
};
const method: Field = { wanted: "a function", is: (value) => typeof value === "function" };

type Fields<Of> = Readonly<Record<keyof Of, Field>>;

const DESCRIPTION: Fields<Omit<Description, "hostMemory" | "flushes">> = {
  id: {
    wanted: TABLE_ID,
    is: (value) => typeof value === "string" && isTableId(value),
  },
  title: text,
  source: { ...text, optional: true },
  parameters: { wanted: "what declare({ … }) gives, of values that have default and meaning", is: areDeclared },
  mixedParams: { ...values, optional: true },
  multimapParams: { ...values, optional: true },
  conflict: { ...method, optional: true },
  configure: method,
};

const share: Field = {
  wanted: "a number above 0 to 1",
  is: (value) => typeof value === "number" && value > 0 && value <= 1,
};

const TRAITS: Fields<Omit<Traits, "api">> = {
  ops: { wanted: `a list of some of ${OPS.join(", ")}, ${REQUIRED_OPS.join(" and ")} among them`, is: areOps },
  answers: {
    wanted: `one of ${ANSWERS.join(", ")}`,
    optional: true,
    is: (value) => ANSWERS.some((one) => one === value),
  },
  maxLoadFactor: share,
  safeLoadFactor: { ...share, optional: true },
  sizing: { wanted: "an object", optional: true, is: isObject },
  duplicates: flag,
  incremental: flag,
  reusesSlots: { ...flag, optional: true },
  keysOnly: { ...flag, optional: true },
  access: method,
  bytes: method,
  create: method,
};

const SIZING: Fields<Omit<Sizing, "ownSize">> = {
  dense: { ...flag, optional: true },
  thresholds: {
    wanted: "a list of numbers of pairs",
    optional: true,
    is: (value) => Array.isArray(value) && value.every((one) => Number.isFinite(one)),
  },
  held: { ...method, optional: true },
};

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
  const [field, meant] = misspelt(value, fields) ?? [];
  if (field) return `${name}: no field is called ${field}; did you mean ${meant}?`;
  for (const [field, { wanted, optional, is }] of Object.entries<Field>(fields)) {
    const content = value[field];
    if (content === undefined && optional) continue;
    if (content === undefined) return `${name} has no ${field}: ${wanted} is wanted`;
    if (!is(content)) return `${name}: ${field} is ${shown(content)}; ${wanted} is wanted`;
  }
  return undefined;
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

function areOps(value: unknown): boolean {
  if (!Array.isArray(value) || new Set(value).size < value.length) return false;
  return value.every((op) => OPS.includes(op)) && REQUIRED_OPS.every((op) => value.includes(op));
}

function areDeclared(value: unknown): boolean {
  return (
    isObject(value) &&
    method.is(value.of) &&
    Array.isArray(value.list) &&
    value.list.every(isParameter) &&
    areDifferent(value.list)
  );
}

const areDifferent = (parameters: readonly TableParameter[]) =>
  new Set(parameters.map(({ name }) => name)).size === parameters.length;

function isParameter(value: unknown): boolean {
  if (!isObject(value) || !isScalar(value.default) || !isLine(value.meaning)) return false;
  const named = typeof value.name === "string" && /^[A-Za-z][A-Za-z0-9]*$/.test(value.name);
  const ranged = Number(value.from) <= Number(value.to) && typeof value.integer === "boolean";
  return named && (Array.isArray(value.values) ? value.values.every(isScalar) : ranged);
}

function isScalar(value: unknown): boolean {
  return (typeof value === "string" && isOneLine(value)) || typeof value === "boolean" || Number.isFinite(value);
}

export function isLine(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "" && value.length <= 200 && isOneLine(value);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
