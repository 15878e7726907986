/** Reads CSV files: a header row, then records; streaming. */

import { createReadStream } from "node:fs";
import { pipeline } from "node:stream";
import { CsvError, parse } from "csv-parse";
import { UsageError } from "../../kernels/device/errors.js";
import type { FileTable } from "./file-table.js";
import { explained } from "./paths.js";

const BATCH = 1 << 14;
/** Most characters of a record: beyond it the file has no line ends. */
const RECORD = 1 << 20;

export async function openCsv(path: string, delimiter: string): Promise<FileTable> {
  const columns = await header(path, delimiter);
  return {
    columns,
    async *read(wanted) {
      const indices = wanted.map((name) => columns.indexOf(name));
      let batch: string[][] = indices.map(() => []);
      let rows = 0;
      for await (const record of dataRecords(path, delimiter)) {
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
      for await (const _ of dataRecords(path, delimiter)) rows++;
      return rows;
    },
  };
}

async function header(path: string, delimiter: string): Promise<string[]> {
  for await (const record of records(path, delimiter)) return record;
  throw new UsageError(`${path} is empty`);
}

async function* dataRecords(path: string, delimiter: string): AsyncGenerator<string[]> {
  let first = true;
  for await (const record of records(path, delimiter)) {
    if (!first) yield record;
    first = false;
  }
}

/** Every record, the header among them. The parser checks that all have as many fields as the first. */
async function* records(path: string, delimiter: string): AsyncGenerator<string[]> {
  const parser = parse({ delimiter, bom: true, skip_empty_lines: true, max_record_size: RECORD });
  // Errors of either stream end the iteration below; the callback only keeps them from being thrown a second time.
  pipeline(createReadStream(path), parser, () => {});
  try {
    for await (const record of parser) yield record as string[];
  } catch (error) {
    if (error instanceof CsvError) throw new UsageError(`${path} is malformed: ${error.message}`, { cause: error });
    throw explained(`${path} cannot be read`, error);
  }
}
