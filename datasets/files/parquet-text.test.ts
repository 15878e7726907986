/** Keys of Parquet columns of every type, against those of the CSV file of the same table. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SchemaElement } from "hyparquet";
import { parquetWriteBuffer } from "hyparquet-writer";
import { afterAll, expect, test } from "vitest";
import { fileKeys } from "../file.js";
import { parquetText } from "./parquet-text.js";

const folder = mkdtempSync(join(tmpdir(), "hashbench-parquet-"));
afterAll(() => rmSync(folder, { recursive: true }));

type Element = Omit<SchemaElement, "name">;
type Stored = readonly unknown[];

const bytes = (...values: readonly number[]) => Uint8Array.from(values);
const utf8 = (text: string) => new TextEncoder().encode(text);
const logical = (type: Element["type"], own: object, length?: number): Element =>
  ({ type, logical_type: own, ...(length !== undefined && { type_length: length }) }) as Element;
const old = (type: Element["type"], converted: string, more: object = {}): Element =>
  ({ type, converted_type: converted, ...more }) as Element;

function write(name: string, element: Element, stored: Stored): string {
  const path = join(folder, `${name.replace(/\W+/g, "-")}.parquet`);
  const schema = [
    { name: "root", num_children: 1 },
    { ...element, name: "k", repetition_type: "OPTIONAL" },
  ] as SchemaElement[];
  writeFileSync(path, new Uint8Array(parquetWriteBuffer({ schema, columnData: [{ name: "k", data: [...stored] }] })));
  return path;
}

async function keysOf(path: string): Promise<number[]> {
  const keys: number[] = [];
  for await (const chunk of (await fileKeys(`${path}?columns=k`, { seed: 1 })).chunks()) keys.push(...chunk);
  return keys;
}

const SECOND = 1_767_323_045n; // 2026-01-02 03:04:05
const timestamp = (unit: string, isAdjustedToUTC = false) =>
  logical("INT64", { type: "TIMESTAMP", unit, isAdjustedToUTC });

test.each<[name: string, element: Element, stored: Stored, texts: readonly string[]]>([
  ["BOOLEAN", { type: "BOOLEAN" }, [true, false, null], ["true", "false", ""]],
  ["INT32", { type: "INT32" }, [-1, 0, 2147483647], ["-1", "0", "2147483647"]],
  ["INT64", { type: "INT64" }, [9007199254740993n, -1n], ["9007199254740993", "-1"]],
  ["FLOAT", { type: "FLOAT" }, [0.1, 0.2, 1e21, 3], ["0.1", "0.2", "1e21", "3"]],
  ["DOUBLE", { type: "DOUBLE" }, [0.1, 1e21, 1.5], ["0.1", "1e21", "1.5"]],
  ["BYTE_ARRAY", { type: "BYTE_ARRAY" }, [bytes(0x80, 0xff), bytes(0x81, 0xff), bytes()], ["80ff", "81ff", ""]],
  ["FIXED_LEN_BYTE_ARRAY", { type: "FIXED_LEN_BYTE_ARRAY", type_length: 2 }, [bytes(1, 2)], ["0102"]],
  ["STRING", logical("BYTE_ARRAY", { type: "STRING" }), [utf8("é"), utf8("")], ["é", ""]],
  ["UTF8", old("BYTE_ARRAY", "UTF8"), ["a", "b", "a"], ["a", "b", "a"]],
  ["ENUM", old("BYTE_ARRAY", "ENUM"), [utf8("x")], ["x"]],
  ["JSON", old("BYTE_ARRAY", "JSON"), [{ a: 1 }, { a: 2 }], ['"{""a"":1}"', '"{""a"":2}"']],
  ["BSON", old("BYTE_ARRAY", "BSON"), [bytes(5, 0)], ["0500"]],
  ["UINT_8", old("INT32", "UINT_8"), [200], ["200"]],
  ["UINT_32", old("INT32", "UINT_32"), [4294967293], ["4294967293"]],
  ["UINT_64", old("INT64", "UINT_64"), [2n ** 64n - 1n, 3n], ["18446744073709551615", "3"]],
  [
    "INTEGER(32, unsigned)",
    logical("INT32", { type: "INTEGER", bitWidth: 32, isSigned: false }),
    [4294967295],
    ["4294967295"],
  ],
  ["INTEGER(64, signed)", logical("INT64", { type: "INTEGER", bitWidth: 64, isSigned: true }), [-5n], ["-5"]],
  ["DECIMAL(9,2)", old("INT32", "DECIMAL", { precision: 9, scale: 2 }), [7n, -113n, 58n], ["0.07", "-1.13", "0.58"]],
  [
    "DECIMAL(18,0)",
    old("INT64", "DECIMAL", { precision: 18, scale: 0 }),
    [9007199254740993n, 9007199254740992n],
    ["9007199254740993", "9007199254740992"],
  ],
  [
    "DECIMAL(38,1)",
    old("FIXED_LEN_BYTE_ARRAY", "DECIMAL", { precision: 38, scale: 1, type_length: 16 }),
    [12345678901234567890123456789012345678n, -1n],
    ["1234567890123456789012345678901234567.8", "-0.1"],
  ],
  ["DECIMAL, logical", logical("INT32", { type: "DECIMAL", precision: 4, scale: 3 }), [5], ["0.005"]],
  ["DATE", old("INT32", "DATE"), [20455, -1], ["2026-01-02", "1969-12-31"]],
  ["TIME_MILLIS", old("INT32", "TIME_MILLIS"), [3723004], ["01:02:03.004"]],
  ["TIME_MICROS", old("INT64", "TIME_MICROS"), [3723000004n], ["01:02:03.000004"]],
  [
    "TIME(NANOS)",
    logical("INT64", { type: "TIME", unit: "NANOS", isAdjustedToUTC: false }),
    [1n],
    ["00:00:00.000000001"],
  ],
  ["TIMESTAMP_MILLIS", old("INT64", "TIMESTAMP_MILLIS"), [SECOND * 1000n + 6n], ["2026-01-02 03:04:05.006Z"]],
  ["TIMESTAMP_MICROS", old("INT64", "TIMESTAMP_MICROS"), [SECOND * 1_000_000n + 6n], ["2026-01-02 03:04:05.000006Z"]],
  ["TIMESTAMP(MILLIS)", timestamp("MILLIS"), [-1n], ["1969-12-31 23:59:59.999"]],
  [
    "TIMESTAMP(MICROS)",
    timestamp("MICROS"),
    [1n, 2n].map((us) => SECOND * 1_000_000n + us),
    ["2026-01-02 03:04:05.000001", "2026-01-02 03:04:05.000002"],
  ],
  [
    "TIMESTAMP(NANOS, UTC)",
    timestamp("NANOS", true),
    [SECOND * 1_000_000_000n + 7n],
    ["2026-01-02 03:04:05.000000007Z"],
  ],
  [
    "UUID",
    logical("FIXED_LEN_BYTE_ARRAY", { type: "UUID" }, 16),
    ["00000000-0000-0000-0000-00000000000a"],
    ["00000000-0000-0000-0000-00000000000a"],
  ],
  ["FLOAT16", logical("FIXED_LEN_BYTE_ARRAY", { type: "FLOAT16" }, 2), [1.5, 0.1, -2], ["1.5", "0.1", "-2"]],
])("a column of %s has the keys of its CSV", async (name, element, stored, texts) => {
  const csv = join(folder, "same.csv");
  writeFileSync(csv, ["k", ...texts, ""].join("\n"));
  const keys = await keysOf(write(name, element, stored));
  expect(keys).toEqual(await keysOf(csv));
  expect(new Set(keys).size).toBe(new Set(texts).size);
});

test("texts with and without a byte order mark have different keys", async () => {
  const path = write("mark", logical("BYTE_ARRAY", { type: "STRING" }), [utf8("\ufeffa"), utf8("a")]);
  expect(new Set(await keysOf(path)).size).toBe(2);
});

test.each(["FLOAT", "DOUBLE"] as const)("zero and minus zero are two texts of %s", (type) => {
  expect([0, -0].map((value) => parquetText({ name: "k", type })?.(value))).toEqual(["0", "-0"]);
});

test.each([
  ["DATE", "INT32", 20455, "2026-01-02"],
  ["JSON", "BYTE_ARRAY", utf8("[1]"), "[1]"],
  ["ENUM", "BYTE_ARRAY", utf8("x"), "x"],
  ["BSON", "BYTE_ARRAY", bytes(5), "05"],
] as const)("%s is known by its logical type alone", (own, type, stored, expected) => {
  expect(parquetText({ name: "k", type, logical_type: { type: own } })?.(stored)).toBe(expected);
});

test("a list is refused, whose integers would make one text", () => {
  expect(parquetText({ name: "k", type: "INT32", repetition_type: "REPEATED" })).toBeUndefined();
});

test("a column of groups is refused by what it is", async () => {
  const path = join(folder, "group.parquet");
  writeFileSync(
    path,
    new Uint8Array(parquetWriteBuffer({ columnData: [{ name: "k", data: [{ a: 1 }], type: "VARIANT" }] })),
  );
  await expect(keysOf(path)).rejects.toThrow('column "k" is group (VARIANT), which no key is made of');
});

test("INT96 is a time of nanoseconds", () => {
  expect(parquetText({ name: "k", type: "INT96" })?.(SECOND * 1_000_000_000n + 7n)).toBe(
    "2026-01-02 03:04:05.000000007",
  );
});

test("a type that has no text is refused by its name", async () => {
  const path = write("interval", old("FIXED_LEN_BYTE_ARRAY", "INTERVAL", { type_length: 12 }), [new Uint8Array(12)]);
  await expect(keysOf(path)).rejects.toThrow('column "k" is FIXED_LEN_BYTE_ARRAY (INTERVAL), which no key is made of');
});

test("a text that is no UTF-8 is refused by its row", async () => {
  const path = write("latin1", logical("BYTE_ARRAY", { type: "STRING" }), [utf8("a"), bytes(0x4d, 0xfc)]);
  await expect(keysOf(path)).rejects.toThrow('row 2: column "k" is no BYTE_ARRAY (STRING) that can be read');
});

test("a codec that cannot be unpacked is named", async () => {
  const path = join(folder, "lz4.parquet");
  const columnData = [{ name: "k", data: [1, 2], type: "INT32" as const }];
  const compressors = { LZ4_RAW: (input: Uint8Array) => input };
  writeFileSync(path, new Uint8Array(parquetWriteBuffer({ columnData, codec: "LZ4_RAW", compressors })));
  await expect(keysOf(path)).rejects.toThrow("is compressed by LZ4_RAW, which cannot be unpacked here");
});
