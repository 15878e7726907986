/** Reads CSV files, streaming: records of fields, the first of which may name the columns. */
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream";
import { CsvError, parse } from "csv-parse";
import { UsageError } from "../../kernels/device/errors.js";
import type { FileTable } from "./file-table.js";
import { explained, firstBytes } from "./paths.js";
import type { TextFormat } from "./spec.js";

const BATCH = 1 << 14;
/** Most characters of a record: beyond it the file has no line ends. */
const RECORD = 1 << 20;
const NUMBER = /^\s*[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?\s*$/i;

/** What a file's first two bytes, as characters of one byte each, tell: a byte order mark, or half of the first letter. */
const STARTS = { "utf-16le": /^(\xff\xfe|[^\0]\0)/, "utf-16be": /^(\xfe\xff|\0[^\0])/ };

export async function openCsv(path: string, given: TextFormat): Promise<FileTable> {
  const start = firstBytes(path, 2);
  const [wide] = Object.entries(STARTS).find(([, pattern]) => pattern.test(start)) ?? [];
  const text = { ...given, encoding: given.encoding ?? wide ?? "utf-8" };
  const first = await firstRecord(path, text);
  const { header = true } = text;
  if (text.header === undefined && first.every((field) => NUMBER.test(field)))
    throw new UsageError(
      `${path}: the first line has numbers alone (${few(first)}); header=no if it is data, whose columns are then called 1, 2 …, or header=yes`,
    );
  const columns = header ? first : first.map((_, i) => `${i + 1}`);
  // An empty line is a record of one empty field; among several columns nobody means it as one.
  const records = () => dataRecords(path, text, { header, empty: first.length === 1 });
  return {
    columns,
    readAs: `encoding ${text.encoding} and delimiter ${JSON.stringify(text.delimiter)}`,
    async *read(wanted) {
      const indices = wanted.map((name) => columns.indexOf(name));
      let batch: string[][] = indices.map(() => []);
      let rows = 0;
      for await (const record of records()) {
        for (let j = 0; j < indices.length; j++) batch[j]!.push(record[indices[j]!]!);
        if (++rows % BATCH === 0) {
          yield batch;
          batch = indices.map(() => []);
        }
      }
      if (rows % BATCH !== 0) yield batch;
    },
    async countRows() {
      let rows = 0;
      for await (const _ of records()) rows++;
      return rows;
    },
  };
}

/** Ends with a TypeError at bytes that are none of the encoding. The parser reads UTF-8 itself. */
function decoded(encoding: string) {
  const decoder = new TextDecoder(encoding, { fatal: true });
  const isUtf8 = decoder.encoding === "utf-8";
  return async function* (chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string | Uint8Array> {
    for await (const chunk of chunks) {
      const text = decoder.decode(chunk, { stream: true });
      yield isUtf8 ? chunk : text;
    }
    const rest = decoder.decode();
    if (!isUtf8) yield rest;
  };
}

const few = (fields: readonly string[]) => `${fields.slice(0, 3).join(", ")}${fields.length > 3 ? " …" : ""}`;

type Text = TextFormat & { readonly encoding: string };

async function firstRecord(path: string, text: Text): Promise<string[]> {
  for await (const record of records(path, text, false, { to: 1 })) return record;
  throw new UsageError(`${path} is empty`);
}

/** @param of `empty`: whether empty lines behind the header are records */
async function* dataRecords(
  path: string,
  text: Text,
  of: { header: boolean; empty: boolean },
): AsyncGenerator<string[]> {
  let before = of.header;
  for await (const record of records(path, text, of.empty)) {
    if (!before) yield record;
    else if (record.length > 1 || record[0] !== "") before = false;
  }
}

/** Every record, the header among them. The parser checks that all have as many fields as the first. */
async function* records(
  path: string,
  { delimiter, encoding }: Text,
  empty: boolean,
  last: { to?: number } = {},
): AsyncGenerator<string[]> {
  const parser = parse({
    ...last,
    delimiter,
    record_delimiter: ["\r\n", "\n", "\r"],
    bom: true,
    skip_empty_lines: !empty,
    max_record_size: RECORD,
  });
  // Errors of any stream end the iteration below; the callback only keeps them from being thrown a second time.
  pipeline(createReadStream(path), decoded(encoding), parser, () => {});
  try {
    for await (const record of parser) yield record as string[];
  } catch (error) {
    if (error instanceof CsvError) throw new UsageError(`${path} is malformed: ${error.message}`, { cause: error });
    if (error instanceof TypeError && "code" in error && error.code === "ERR_ENCODING_INVALID_ENCODED_DATA")
      throw new UsageError(`${path} is not ${encoding} throughout; name its encoding, such as encoding=latin1`, {
        cause: error,
      });
    throw explained(`${path} cannot be read`, error);
  }
}
