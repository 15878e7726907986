/** The formats in which a table is written, each a function from the table to its bytes. */
import { stringify } from "csv-stringify/sync";
import type { SchemaElement } from "hyparquet";
import type { ByteWriter } from "hyparquet-writer";
import { UsageError } from "../../kernels/device/errors.js";
import { type ColumnKind, columnDate, kindText } from "../tpch/rows.js";
import type { ExportTable } from "./table.js";

export const EXPORT_FORMATS = ["csv", "tbl", "parquet", "bin"] as const;
/**
 * csv: commas and a header row. tbl: dbgen's text, `|` between the fields and no header (but no `|` at the line's end).
 * parquet: a row group a batch. bin: little-endian u32, row after row; integer columns only.
 */
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** The table's bytes, as they are made. Throws a UsageError if the format cannot hold a column. */
export function encode(table: ExportTable, format: ExportFormat): AsyncGenerator<Uint8Array> {
  if (format === "csv") return text(table, ",", true);
  if (format === "tbl") return text(table, "|", false);
  if (format === "parquet") return parquet(table);
  const other = table.columns.find((column) => column.kind !== "integer");
  if (other) throw new UsageError(`bin holds integers only, and ${other.name} is not one; use csv, tbl or parquet`);
  return binary(table);
}

async function* text(
  { columns, batches }: ExportTable,
  delimiter: string,
  header: boolean,
): AsyncGenerator<Uint8Array> {
  if (header) yield Buffer.from(stringify([columns.map((column) => column.name)], { delimiter }));
  for await (const batch of batches) {
    const records = Array.from(batch[0]!, (_, row) => columns.map(({ kind }, j) => kindText(kind, batch[j]![row]!)));
    yield Buffer.from(stringify(records, { delimiter }));
  }
}

async function* binary({ columns, batches }: ExportTable): AsyncGenerator<Uint8Array> {
  const width = columns.length;
  for await (const batch of batches) {
    const bytes = Buffer.alloc(batch[0]!.length * width * 4);
    batch.forEach((values, j) => {
      for (let row = 0; row < values.length; row++) bytes.writeUInt32LE(values[row]!, (row * width + j) * 4);
    });
    yield bytes;
  }
}

async function* parquet({ columns, batches }: ExportTable): AsyncGenerator<Uint8Array> {
  const { ByteWriter, ParquetWriter } = await import("hyparquet-writer");
  const buffer = new ByteWriter();
  const schema = [
    { name: "root", num_children: columns.length },
    ...columns.map(({ name, kind }) => ({ name, repetition_type: "REQUIRED" as const, ...parquetType(kind) })),
  ];
  const writer = new ParquetWriter({ writer: buffer, schema });
  for await (const batch of batches) {
    const columnData = columns.map(({ name, kind }, j) => ({ name, data: parquetValues(kind, batch[j]!) }));
    await writer.write({ columnData, rowGroupSize: batch[0]!.length });
    yield drain(buffer);
  }
  await writer.finish();
  yield drain(buffer);
}

/** Takes out what was written since the last call; `offset`, the position in the file, runs on. */
function drain(buffer: ByteWriter): Uint8Array {
  const bytes = buffer.getBytes().slice();
  buffer.index = 0;
  return bytes;
}

function parquetType(kind: ColumnKind): Partial<SchemaElement> {
  if (kind === "integer") return { type: "INT32", converted_type: "UINT_32" };
  if (kind === "money") return { type: "INT64", converted_type: "DECIMAL", precision: 15, scale: 2 };
  if (kind === "date") return { type: "INT32", converted_type: "DATE" };
  return { type: "BYTE_ARRAY", converted_type: "UTF8" };
}

/** Plain arrays, as the writer refuses typed ones whose unsigned values leave the signed range. */
function parquetValues(kind: ColumnKind, values: Uint32Array): (number | bigint | string | Date)[] {
  if (kind === "integer") return Array.from(values);
  if (kind === "money") return Array.from(values, BigInt);
  if (kind === "date") return Array.from(values, columnDate);
  return Array.from(values, (value) => kind[value]!);
}
