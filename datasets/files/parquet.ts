/** Reads Parquet files, a row group at a time. */
import * as zlib from "node:zlib";
import {
  asyncBufferFromFile,
  type Compressors,
  type FileMetaData,
  parquetMetadataAsync,
  parquetScan,
  parquetSchema,
  type SchemaElement,
} from "hyparquet";
import { UsageError } from "../../kernels/device/errors.js";
import type { FileTable } from "./file-table.js";
import { parquetText, parquetTypeName } from "./parquet-text.js";

/** Node has Zstandard since 22.15; the types installed are those of the oldest version supported. */
const { zstdDecompressSync } = zlib as { zstdDecompressSync?: (input: Uint8Array) => Uint8Array };

/** What Node itself can unpack; hyparquet brings SNAPPY. */
const COMPRESSORS: Compressors = {
  GZIP: (input) => zlib.gunzipSync(input),
  BROTLI: (input) => zlib.brotliDecompressSync(input),
  ...(zstdDecompressSync ? { ZSTD: zstdDecompressSync } : {}),
};

/** Values come as they are stored: what they mean is parquet-text.ts's. */
const STORED = { timestampFromNanoseconds: (nanoseconds: bigint) => nanoseconds };

export async function openParquet(path: string): Promise<FileTable> {
  const { file, metadata } = await readable(path, async () => {
    const file = await asyncBufferFromFile(path);
    return { file, metadata: await parquetMetadataAsync(file, { geoparquet: false }) };
  });
  checkCompression(path, metadata);
  const elements = parquetSchema(metadata).children.map((child) => child.element);
  const scan = await readable(path, () =>
    parquetScan({ file, metadata: withoutTypes(metadata), parsers: STORED, compressors: COMPRESSORS, utf8: false }),
  );
  const rows = Number(metadata.num_rows);
  return {
    columns: elements.map(({ name }) => name),
    rows,
    countRows: async () => rows,
    async *read(columns) {
      const texts = columns.map((name) =>
        textsOf(
          path,
          elements.find((one) => one.name === name),
        ),
      );
      for (const range of scan.ranges) {
        const stored = await readable(path, () =>
          Promise.all(columns.map((column) => scan.readColumn({ column, ...range }))),
        );
        yield stored.map((values, i) => texts[i]?.(values, range.rowStart) ?? []);
      }
    },
  };
}

/** Makes texts of the values of a column from row `first` on; "" of a missing one. Throws a UsageError for a type without texts. */
function textsOf(path: string, element: SchemaElement | undefined) {
  const toText = element && parquetText(element);
  if (!toText)
    throw new UsageError(
      `${path}: column "${element?.name}" is ${element && parquetTypeName(element)}, which no key is made of`,
    );
  return (values: ArrayLike<unknown>, first: number): string[] =>
    Array.from(values, (value, i) => {
      if (value === null || value === undefined) return "";
      try {
        return toText(value as Parameters<typeof toText>[0]);
      } catch (cause) {
        const wrong = `is no ${parquetTypeName(element)} that can be read`;
        throw new UsageError(`${path}, row ${first + i + 1}: column "${element.name}" ${wrong}`, { cause });
      }
    });
}

function checkCompression(path: string, { row_groups: groups }: FileMetaData): void {
  const codecs = new Set(groups.flatMap(({ columns }) => columns.map((column) => column.meta_data?.codec)));
  for (const codec of codecs) {
    if (codec === undefined || codec === "UNCOMPRESSED" || codec === "SNAPPY" || codec in COMPRESSORS) continue;
    const hint =
      codec === "ZSTD" ? `Node ${process.version} cannot unpack, 22.15 and newer can` : "cannot be unpacked here";
    throw new UsageError(`${path} is compressed by ${codec}, which ${hint}; Snappy, gzip and Brotli can be read`);
  }
}

/** So that hyparquet converts nothing. */
function withoutTypes(metadata: FileMetaData): FileMetaData {
  const schema = metadata.schema.map(({ converted_type, logical_type, ...stored }): SchemaElement => {
    // Lists and maps are told by these.
    const isGroup = stored.num_children !== undefined;
    return isGroup
      ? { ...stored, ...(converted_type && { converted_type }), ...(logical_type && { logical_type }) }
      : stored;
  });
  return { ...metadata, schema };
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
