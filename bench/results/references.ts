/** Rates of CUDA libraries, measured with their own code: drawn beside our rows, never among them. See results/README.md. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import { z } from "zod";
import { packageRoot } from "../paths.js";
import { groupBy } from "./group.js";
import { readText, validated } from "./read.js";

const FOLDER = join(packageRoot, "results", "references");

const number = z.string().regex(/\d/, "not a number").transform(Number).pipe(z.number());
const orNone = z.union([z.literal("").transform(() => null), number]);

/** A line of a file of references: one operation of one variant of a library. */
const referenceSchema = z
  .strictObject({
    library: z.string().min(1),
    variant: z.string(),
    device: z.string().min(1),
    driver: z.string(),
    date: z.string(),
    n: number,
    load_factor: number,
    op: z.string().min(1),
    positive_ratio: orNone,
    lookups: orNone,
    mops: number,
    check: z.enum(["ok", "wrong"]),
  })
  .readonly();

/** `date` is "" where it was not recorded; `check` says whether the answers were right. */
export type Reference = z.infer<typeof referenceSchema>;

/** Every reference of the CSV files of a folder; none where it is not there. Throws a UsageError of one line for a broken file. */
export function readReferences(folder = FOLDER): Reference[] {
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder).filter((name) => name.endsWith(".csv"));
  return files.sort().flatMap((name) => {
    const file = join(folder, name);
    const records = parse(readText(file), { columns: true }) as unknown[];
    return records.map((record, i) => validated(record, referenceSchema, `${file}:${i + 2}`));
  });
}

let kept: readonly Reference[] | undefined;

/** Those of results/references, read once. */
export function references(): readonly Reference[] {
  kept ??= readReferences();
  return kept;
}

/**
 * The fastest variant of each library at each place: device, driver, date, operation, n, load factor, positive ratio and number of
 * lookups. A table that gave one wrong answer gives no rate at all, as it may hold less than it was given.
 */
export function fastest(all: readonly Reference[]): Reference[] {
  const table = ({ library, variant, device, driver, date, n, load_factor }: Reference): string =>
    JSON.stringify([library, variant, device, driver, date, n, load_factor]);
  const wrong = new Set(all.filter(({ check }) => check === "wrong").map(table));
  const places = groupBy(
    all.filter((one) => !wrong.has(table(one))),
    ({ variant: _, mops: __, ...place }) => JSON.stringify(place),
  );
  return [...places.values()].map((group) => group.reduce((best, one) => (one.mops > best.mops ? one : best)));
}
