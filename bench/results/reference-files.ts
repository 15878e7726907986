/** The files of references, in results/references. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import { packageRoot } from "../base/paths.js";
import { readText } from "./read.js";
import { type Reference, referenceOf } from "./references.js";

const FOLDER = join(packageRoot, "results", "references");

/** Every reference of the CSV files of a folder; none where it is not there. Throws a UsageError of one line for a broken file. */
export function readReferences(folder = FOLDER): Reference[] {
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder).filter((name) => name.endsWith(".csv"));
  return files.sort().flatMap((name) => {
    const file = join(folder, name);
    const records = parse(readText(file), { columns: true }) as unknown[];
    return records.map((record, i) => referenceOf(record, `${file}:${i + 2}`));
  });
}

let kept: readonly Reference[] | undefined;

/** Those of results/references, read once. */
export function references(): readonly Reference[] {
  kept ??= readReferences();
  return kept;
}
