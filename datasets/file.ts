/** The data set `file:…`: keys from the columns of a CSV or Parquet file, in the order of its rows, duplicates kept. */
import { UsageError } from "../kernels/device/errors.js";
import { DELETED, type KeySource } from "./dataset.js";
import type { Batch } from "./files/file-table.js";
import { type FileSpec, parseFileSpec } from "./files/spec.js";
import { openTable } from "./files/table.js";
import { remembering } from "./keyset.js";
import { keyConstants, keyOfWith, mix } from "./random.js";

const CHUNK = 1 << 20;

/**
 * Opens `file:<rest>` (see `parseFileSpec`). The keys are those of the first n rows; of all rows if n is undefined,
 * which are then counted first. Throws a UsageError if the file cannot be read, lacks a column or (Parquet) has fewer
 * rows. `chunks` throws one for a malformed row, an integer that cannot be a key, and (CSV) for too few rows.
 */
export async function fileKeys(
  rest: string,
  { n, seed }: { n?: number | undefined; seed: number },
): Promise<KeySource> {
  const spec = parseFileSpec(rest);
  const table = await openTable(spec);
  const rows = n ?? (await table.countRows());
  if (table.rows !== undefined && rows > table.rows) throw tooFew(spec, table.rows, rows);
  if (rows === 0) throw new UsageError(`${spec.path} has no rows`);
  let keys = makerOf(spec, seed);
  const source = remembering({ id: `file:${rest}`, n: rows, seed, note: "" }, async function* (seen) {
    keys = makerOf(spec, seed);
    let done = 0;
    for await (const batch of table.read(spec.columns)) {
      const size = Math.min(batch[0]!.length, rows - done);
      for (let from = 0; from < size; from += CHUNK) {
        const first = done + from;
        const chunk = new Uint32Array(Math.min(CHUNK, size - from));
        for (let i = 0; i < chunk.length; i++) chunk[i] = keys.keyOf(batch, from + i, first + i);
        seen.addAll(chunk.slice());
        yield chunk;
      }
      done += size;
      if (done === rows) return;
    }
    throw tooFew(spec, done, rows);
  });
  return {
    ...source,
    get note() {
      return keys.note();
    },
  };
}

function tooFew({ path }: FileSpec, has: number, wanted: number): UsageError {
  return new UsageError(`${path} has ${has} rows, ${wanted} are wanted`);
}

interface KeyMaker {
  /** The key of row `i` of the batch, which has the number `row` in the file; both from 0. */
  keyOf(batch: Batch, i: number, row: number): number;
  note(): string;
}

function makerOf(spec: FileSpec, seed: number): KeyMaker {
  return spec.as === "u32" ? integerKeys(spec) : hashedKeys(seed);
}

/** A column's integers as they are. Reserved keys are rejected, as the user asked for no change. */
function integerKeys({ path, columns: [column] }: FileSpec): KeyMaker {
  const fail = (row: number, text: string, wrong: string): never => {
    throw new UsageError(`${path}, row ${row + 1}: column "${column}" is ${text}, ${wrong}`);
  };
  return {
    keyOf(batch, i, row) {
      const text = textOf(batch[0]![i]);
      if (!/^[+-]?\d+$/.test(text.trim()))
        fail(row, JSON.stringify(text), "not an integer; leave out as=u32 to hash it");
      const value = Number(text);
      if (value < 0 || value >= DELETED)
        fail(row, text, `not between 0 and ${DELETED - 1} (the two largest u32 mark slots)`);
      return value;
    },
    note: () => `column ${column} as it is; EMPTY and DELETED (the two largest u32) would have been rejected`,
  };
}

/** All columns hashed to 32 bits, salted with the seed. A hash that is a reserved key becomes key 0 or 1 of `keyOf`. */
function hashedKeys(seed: number): KeyMaker {
  const constants = keyConstants(seed);
  let remapped = 0;
  return {
    keyOf(batch, i) {
      let hash = constants[0];
      for (const column of batch) hash = hashText(textOf(column[i]), hash);
      if (hash < DELETED) return hash;
      remapped++;
      return keyOfWith(hash - DELETED, constants);
    },
    note: () => `columns hashed to 32 bits${remapped > 0 ? `; ${remapped} reserved keys remapped` : ""}`,
  };
}

/** Hash of a text's UTF-16 units and its length, continuing from the hash of what came before it. */
export function hashText(text: string, hash: number): number {
  for (let i = 0; i < text.length; i++) hash = hashUnit(text.charCodeAt(i), hash);
  return hashEnd(text.length, hash);
}

/** A text's hash with one more unit; FNV-1a's step spreads it. */
export function hashUnit(unit: number, hash: number): number {
  return Math.imul(hash ^ unit, 0x01000193);
}

/** The hash of a text whose units are all in it; the finaliser makes up for the weak high bits. */
export function hashEnd(length: number, hash: number): number {
  return mix(hash ^ Math.imul(length, 0x9e3779b1));
}

/** A value as a CSV file would have it: the same table gives the same keys from CSV and from Parquet. Null is "". */
function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (value === null || value === undefined) return "";
  return value instanceof Date ? value.toISOString() : String(value);
}
