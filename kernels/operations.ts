/** The operations of tables: what each is given and answers, once for tables, the harness, native programs and plug-ins. */
import type { StatusWord } from "./device/status.js";

/** What no table of pairs on a device avoids, whatever its layout. */
const CAS = { pattern: "cas", why: "one random CAS" };
const SLOT = { pattern: "lookup8", why: "one 8-byte slot, the key, the result" };

interface Shape {
  /**
   * What it is given: `pairs`, `lookups` (keys, and room for an answer each), `keys` alone, a `batch` of operations of several kinds,
   * `rows` (pairs, and what becomes of a key that is there), or `room` for pairs. The types are in table.ts. What a kernel of a planned table
   * binds for each of these is in common/planned.ts.
   */
  readonly input: "pairs" | "lookups" | "keys" | "batch" | "rows" | "room";
  /**
   * What a lookup answers for a key: `value`, that of its pair, or EMPTY if there is none; `flag`, whether it is there, 1 or 0; `count`, of
   * how many pairs. Left out by operations that are not lookups.
   */
  readonly answers?: "value" | "flag" | "count";
  /** Every table has it. */
  readonly always?: true;
  /** The word of the status that `count` of its result is. Left out: its result counts nothing. */
  readonly counts?: Extract<StatusWord, "refused" | "changed">;
  /** The access that it cannot avoid in a table that does not say, such as a native one. */
  readonly access?: { readonly pattern: string; readonly why: string };
}

export const OPERATIONS = {
  insert: { input: "pairs", always: true, counts: "refused", access: CAS },
  find: { input: "lookups", answers: "value", always: true, access: SLOT },
  erase: { input: "keys", counts: "changed", access: CAS },
  /** All slices in one timed pass; more where the table has to grow between them. */
  mixed: { input: "batch", counts: "refused" },
  upsert: { input: "rows", counts: "refused", access: CAS },
  /** All pairs, side by side in any order; `count` of its result is their number. */
  export: { input: "room", counts: "changed" },
} as const satisfies Readonly<Record<string, Shape>>;

export type TableOp = keyof typeof OPERATIONS;

export const TABLE_OPS = Object.keys(OPERATIONS) as TableOp[];

/** What the operation is, without the types of its entry. */
export function shapeOf(op: TableOp): Shape {
  return OPERATIONS[op];
}

/** Those of which every table has one. */
export const REQUIRED_OPS = TABLE_OPS.filter((op) => shapeOf(op).always);

/** Operations with that input. */
export type OpOf<Input extends Shape["input"]> = {
  [Op in TableOp]: (typeof OPERATIONS)[Op]["input"] extends Input ? Op : never;
}[TableOp];

/** Operations that a program of its own may offer. */
export const NATIVE_OPS = TABLE_OPS.filter(
  (op): op is Exclude<TableOp, OpOf<"rows" | "room">> => !["rows", "room"].includes(shapeOf(op).input),
);

/** Operations that ask for keys. They change nothing in the table. */
export type LookupOp = OpOf<"lookups">;

export const LOOKUP_OPS = TABLE_OPS.filter((op): op is LookupOp => shapeOf(op).input === "lookups");
