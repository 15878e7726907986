/** Rates of CUDA libraries, measured with their own code: drawn beside our rows, never among them. See results/README.md. */

import { z } from "zod";
import { groupBy } from "./group.js";
import { validated } from "./validate.js";

const number = z.string().regex(/\d/, "not a number").transform(Number).pipe(z.number());
const orNone = z.union([z.literal("").transform(() => null), number]);

/** What every line of a file of references says. */
const shared = {
  library: z.string().min(1),
  variant: z.string(),
  device: z.string().min(1),
  driver: z.string(),
  date: z.string(),
  op: z.string().min(1),
  mops: number,
  check: z.enum(["ok", "wrong"]),
};

/** One operation of one variant of a library. */
const tableSchema = z
  .strictObject({ ...shared, n: number, load_factor: number, positive_ratio: orNone, lookups: orNone })
  .readonly();

/** One of our access patterns, written in CUDA: `access` is its id. */
const accessSchema = z.strictObject({ ...shared, access: z.string().min(1), table_mib: number }).readonly();

/** `date` is "" where it was not recorded, as `driver` is; `check` says whether the answers were right. */
export type TableReference = z.infer<typeof tableSchema>;
export type AccessReference = z.infer<typeof accessSchema>;
export type Reference = TableReference | AccessReference;

export function isAccess(one: Reference): one is AccessReference {
  return "access" in one;
}

/** Of the kind that the file's columns are of: so an error is about the columns that are there. */
export function referenceOf(record: unknown, where: string): Reference {
  const access = typeof record === "object" && record !== null && "access" in record;
  return access ? validated(record, accessSchema, where) : validated(record, tableSchema, where);
}

/**
 * The fastest variant of each library at each place: device, driver, date, operation, n, load factor, positive ratio and number of
 * lookups, or access and size. A table that gave one wrong answer gives no rate at all, as it may hold less than it was given.
 */
export function fastest(all: readonly Reference[]): Reference[] {
  const table = (one: Reference): string => {
    const { library, variant, device, driver, date } = one;
    const of = isAccess(one) ? [one.access, one.table_mib] : [one.n, one.load_factor];
    return JSON.stringify([library, variant, device, driver, date, ...of]);
  };
  const wrong = new Set(all.filter(({ check }) => check === "wrong").map(table));
  const places = groupBy(
    all.filter((one) => !wrong.has(table(one))),
    ({ variant: _, mops: __, ...place }) => JSON.stringify(place),
  );
  return [...places.values()].map((group) => group.reduce((best, one) => (one.mops > best.mops ? one : best)));
}
