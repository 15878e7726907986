/** What a table of a plug-in has to be: everything that the type says, checked before anything is measured. */
import { inspect } from "node:util";
import { didYouMean } from "../datasets/nearest.js";
import { conflictOf, defaultsOf, reachOf } from "../kernels/parameters.js";
import { type Answer, TABLE_OPS, type TableType } from "../kernels/table.js";
import { allSeries, kindOf } from "./benchmarks/index.js";
import { limitBenchmark } from "./benchmarks/limit.js";
import { isLine as isOneLine } from "./results/line.js";

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

const FIELDS: Readonly<Record<keyof TableType, Field>> = {
  id: {
    wanted: TABLE_ID,
    is: (value) => typeof value === "string" && isTableId(value),
  },
  title: text,
  source: { ...text, optional: true },
  ops: { wanted: `a list of some of ${OPS.join(", ")}, insert and find among them`, is: areOps },
  answers: {
    wanted: `one of ${ANSWERS.join(", ")}`,
    optional: true,
    is: (value) => ANSWERS.some((one) => one === value),
  },
  maxLoadFactor: {
    wanted: "a number above 0 to 1",
    is: (value) => typeof value === "number" && value > 0 && value <= 1,
  },
  dense: { ...flag, optional: true },
  duplicates: flag,
  incremental: flag,
  reusesSlots: {
    wanted: `${flag.wanted}, or ${values.wanted}`,
    optional: true,
    is: (value) => flag.is(value) || values.is(value),
  },
  mixedParams: { ...values, optional: true },
  multimapParams: { ...values, optional: true },
  flushes: { ...flag, optional: true },
  parameters: {
    wanted:
      "a list of {name, default, values, meaning} (for a range from, to and integer in place of values), each name once",
    is: areParameters,
  },
  held: { ...method, optional: true },
  lacks: { ...method, optional: true },
  wantsNewKeys: { ...method, optional: true },
  takesAll: { ...method, optional: true },
  thresholds: { ...method, optional: true },
  conflict: { ...method, optional: true },
  reach: { ...method, optional: true },
  refuses: { ...method, optional: true },
  keysOnly: { ...method, optional: true },
  tile: { ...method, optional: true },
  access: method,
  bytes: method,
  create: method,
};

/** Why what a plug-in exported is no table that can be measured beside the others, in words; undefined for one that is. */
export function tableProblem(value: unknown): string | undefined {
  if (!isObject(value)) return `${shown(value)} is no table`;
  const table = value as Partial<TableType>;
  const name = typeof table.id === "string" ? `table ${shown(table.id)}` : "a table";
  for (const [field, { wanted, optional, is }] of Object.entries(FIELDS)) {
    const content = table[field as keyof TableType];
    if (content === undefined && optional) continue;
    if (content === undefined) return `${name} has no ${field}: ${wanted} is wanted`;
    if (!is(content)) return `${name}: ${field} is ${shown(content)}; ${wanted} is wanted`;
  }
  const complete = value as unknown as TableType;
  return taken(complete.id) ?? accessProblem(complete, name) ?? sizeProblem(complete, name);
}

/** Ids stand in one column of the rows, and `--tables` names all of these. */
function taken(id: string): string | undefined {
  const known = allSeries().find((series) => series.id === id);
  return known && `there is ${kindOf(known)} ${id} already; give the table another id`;
}

function accessProblem(table: TableType, name: string): string | undefined {
  const known = limitBenchmark.series().map(({ id }) => id);
  for (const op of table.ops) {
    const access: unknown = table.access(op);
    if (!isObject(access) || !isLine(access.why))
      return `${name}: access("${op}") is ${shown(access)}; {pattern, why} is wanted`;
    if (!known.includes(String(access.pattern))) {
      const near = didYouMean(String(access.pattern), known, "; ");
      return `${name}: access("${op}") has the pattern ${shown(access.pattern)}, which device/limits has not${near}`;
    }
    const { times = 1 } = access;
    if (typeof times !== "number" || !(times > 0 && times < Number.POSITIVE_INFINITY))
      return `${name}: access("${op}") has times ${shown(times)}; a number above 0 is wanted`;
  }
  return undefined;
}

/** What the functions say of the defaults. */
function sizeProblem(table: TableType, name: string): string | undefined {
  const bytes: unknown = table.bytes(1024, table.maxLoadFactor, {});
  if (typeof bytes !== "number" || !(bytes > 0 && Number.isFinite(bytes)))
    return `${name}: bytes(1024, ${table.maxLoadFactor}) is ${shown(bytes)}; a number above 0 is wanted`;
  const conflict: unknown = conflictOf(table, {});
  if (conflict !== "") return `${name}: conflict of its defaults is ${shown(conflict)}; "" is wanted`;
  const reach: unknown = reachOf(table, defaultsOf(table.parameters));
  if (!FIELDS.maxLoadFactor.is(reach))
    return `${name}: reach of its defaults is ${shown(reach)}; ${FIELDS.maxLoadFactor.wanted} is wanted`;
  return undefined;
}

function areOps(value: unknown): boolean {
  if (!Array.isArray(value) || new Set(value).size < value.length) return false;
  return value.every((op) => OPS.includes(op)) && value.includes("insert") && value.includes("find");
}

function areParameters(value: unknown): boolean {
  if (!Array.isArray(value) || !value.every(isParameter)) return false;
  return new Set(value.map(({ name }) => name)).size === value.length;
}

function isParameter(value: unknown): boolean {
  if (!isObject(value) || !isScalar(value.default) || !isLine(value.meaning)) return false;
  const named = typeof value.name === "string" && /^[A-Za-z][A-Za-z0-9]*$/.test(value.name);
  const ranged = Number(value.from) <= Number(value.to) && typeof value.integer === "boolean";
  return named && (Array.isArray(value.values) ? value.values.every(isScalar) : ranged);
}

function isScalar(value: unknown): boolean {
  return (typeof value === "string" && isOneLine(value)) || typeof value === "boolean" || Number.isFinite(value);
}

function isLine(value: unknown): boolean {
  return typeof value === "string" && value.trim() !== "" && value.length <= 200 && isOneLine(value);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function shown(value: unknown): string {
  const line = inspect(value, { depth: 1, breakLength: Number.POSITIVE_INFINITY });
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
}
