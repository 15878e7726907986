/** Reads Parquet files, a row group at a time. */
import * as zlib from "node:zlib";
import { asyncBufferFromFile, type Compressors, parquetScan, parquetSchema } from "hyparquet";
import { UsageError } from "../../kernels/device/errors.js";
import type { FileTable } from "./file-table.js";

/** Node has Zstandard since 22.15; the types installed are those of the oldest version supported. */
const { zstdDecompressSync } = zlib as { zstdDecompressSync?: (input: Uint8Array) => Uint8Array };

/** What Node itself can unpack; hyparquet brings SNAPPY. */
const COMPRESSORS: Compressors = {
  GZIP: (input) => zlib.gunzipSync(input),
  BROTLI: (input) => zlib.brotliDecompressSync(input),
  ...(zstdDecompressSync ? { ZSTD: zstdDecompressSync } : {}),
};

/** Dates as CSV files have them, so that the same table gives the same keys from either format. */
const PARSERS = {
  dateFromDays: (days: number) => new Date(days * 86_400_000).toISOString().slice(0, 10),
};

export async function openParquet(path: string): Promise<FileTable> {
  const scan = await readable(path, async () => {
    const file = await asyncBufferFromFile(path);
    return parquetScan({ file, parsers: PARSERS, compressors: COMPRESSORS });
  });
  const flat = parquetSchema(scan.metadata).children.filter((child) => child.children.length === 0);
  const rows = Number(scan.metadata.num_rows);
  return {
    columns: flat.map((child) => child.element.name),
    rows,
    countRows: async () => rows,
    async *read(columns) {
      for (const range of scan.ranges) {
        yield await readable(path, () => Promise.all(columns.map((column) => scan.readColumn({ column, ...range }))));
      }
    },
  };
}

/** Whatever hyparquet throws while reading is due to the file. */
async function readable<T>(path: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new UsageError(`${path} is truncated or no Parquet file that can be read: ${message}`, { cause: error });
  }
}
