/**
 * Values of Parquet columns as texts that tell every two of them apart, and as CSV files of the same table have them
 * (datasets/README.md has the table).
 */

import type { SchemaElement } from "hyparquet";
import { rounded } from "../../bench/base/format.js";

/** A value as it is stored: a number, a bigint, a boolean, or bytes. */
type Stored = number | bigint | boolean | Uint8Array;
type ToText = (stored: Stored) => string;

/** A byte order mark is a character here: "\ufeffa" and "a" are two texts. */
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const bytesOf = (stored: Stored): Uint8Array => {
  if (stored instanceof Uint8Array) return stored;
  throw new TypeError(`${typeof stored} where bytes are stored`);
};
const text: ToText = (stored) => utf8.decode(bytesOf(stored));
const hex: ToText = (stored) => Buffer.from(bytesOf(stored)).toString("hex");
const plain: ToText = String;

const uuid: ToText = (stored) => hex(stored).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");

/** A number as JavaScript has it, but for the sign of an exponent: 1e21. */
const decimal = (value: number) => (Object.is(value, -0) ? "-0" : String(value).replace("e+", "e"));

/** The shortest text that reads as this value of a narrower type. @param round to that type */
function shortest(value: number, round: (wide: number) => number): string {
  for (let digits = 1; digits < 17; digits++) {
    const short = rounded(value, digits);
    if (Object.is(round(short), value)) return decimal(short);
  }
  return decimal(value);
}

/** Of 11 significant bits, and no smaller step than 2^-24. */
function roundHalf(wide: number): number {
  const ulp = 2 ** Math.max(-24, Math.floor(Math.log2(Math.abs(wide) || 1)) - 10);
  return Math.round(wide / ulp) * ulp;
}

const half: ToText = (stored) => {
  const [low = 0, high = 0] = bytesOf(stored);
  const [exponent, fraction, sign] = [(high >> 2) & 31, ((high & 3) << 8) | low, high >> 7 ? -1 : 1];
  if (exponent === 31) return String(fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN);
  const value = exponent === 0 ? fraction * 2 ** -24 : (1 + fraction / 1024) * 2 ** (exponent - 15);
  return shortest(sign * value, roundHalf);
};

/** Two's complement, the highest byte first. */
function bigintOf(stored: Stored): bigint {
  if (!(stored instanceof Uint8Array)) return BigInt(stored);
  return BigInt.asIntN(8 * stored.length, BigInt(`0x0${Buffer.from(stored).toString("hex")}`));
}

/** An unscaled integer with its point: 7 at scale 2 is 0.07. */
const scaled =
  (scale: number): ToText =>
  (stored) => {
    const value = bigintOf(stored);
    const digits = String(value < 0n ? -value : value).padStart(scale + 1, "0");
    const point = digits.length - scale;
    return `${value < 0n ? "-" : ""}${digits.slice(0, point)}${scale > 0 ? `.${digits.slice(point)}` : ""}`;
  };

const DAY = 86_400n;
const date = (days: bigint) => new Date(Number(days) * 86_400_000).toISOString().replace(/T.*/, "");

/** 01:02:03.000004, with as many digits as the unit has. */
function clock(time: bigint, digits: number): string {
  const unit = 10n ** BigInt(digits);
  const seconds = time / unit;
  const two = (value: bigint) => String(value % 60n).padStart(2, "0");
  const whole = `${String(seconds / 3600n).padStart(2, "0")}:${two(seconds / 60n)}:${two(seconds)}`;
  return `${whole}.${String(time % unit).padStart(digits, "0")}`;
}

/** 2026-01-02 03:04:05.000006, and Z behind it where the column says that times are of UTC. */
function timestamp(value: bigint, digits: number, zone: string): string {
  const day = DAY * 10n ** BigInt(digits);
  const time = ((value % day) + day) % day;
  return `${date((value - time) / day)} ${clock(time, digits)}${zone}`;
}

const DIGITS = { MILLIS: 3, MICROS: 6, NANOS: 9 } as const;
/** Of nanoseconds since 1970, which hyparquet makes of a Julian day and the nanoseconds of the day. */
const int96: ToText = (stored) => timestamp(bigintOf(stored), 9, "");

const unsigned =
  (bits: number): ToText =>
  (stored) =>
    String(BigInt.asUintN(bits, BigInt(stored as number | bigint)));

/** Types without parameters, by the names that newer and older writers give them. */
const NAMED: Readonly<Record<string, ToText | undefined>> = {
  STRING: text,
  UTF8: text,
  ENUM: text,
  JSON: text,
  BSON: hex,
  UUID: uuid,
  FLOAT16: half,
  DATE: (stored) => date(BigInt(stored as number)),
  TIME_MILLIS: (stored) => clock(bigintOf(stored), 3),
  TIME_MICROS: (stored) => clock(bigintOf(stored), 6),
  TIMESTAMP_MILLIS: (stored) => timestamp(bigintOf(stored), 3, "Z"),
  TIMESTAMP_MICROS: (stored) => timestamp(bigintOf(stored), 6, "Z"),
  UINT_8: unsigned(32),
  UINT_16: unsigned(32),
  UINT_32: unsigned(32),
  UINT_64: unsigned(64),
  INT_8: plain,
  INT_16: plain,
  INT_32: plain,
  INT_64: plain,
};

const PHYSICAL: Readonly<Record<string, ToText | undefined>> = {
  BOOLEAN: plain,
  INT32: plain,
  INT64: plain,
  INT96: int96,
  FLOAT: (stored) => shortest(Number(stored), Math.fround),
  DOUBLE: (stored) => decimal(Number(stored)),
  BYTE_ARRAY: hex,
  FIXED_LEN_BYTE_ARRAY: hex,
};

/** How texts are made of a column's values; undefined where that is not known, as of intervals and lists. */
export function parquetText(element: SchemaElement): ToText | undefined {
  const { type, converted_type, logical_type: own, scale = 0 } = element;
  if (element.repetition_type === "REPEATED") return undefined;
  switch (own?.type) {
    case "TIMESTAMP": {
      const zone = own.isAdjustedToUTC ? "Z" : "";
      return (stored) => timestamp(bigintOf(stored), DIGITS[own.unit], zone);
    }
    case "TIME":
      return (stored) => clock(bigintOf(stored), DIGITS[own.unit]);
    case "INTEGER":
      return own.isSigned ? plain : unsigned(own.bitWidth === 64 ? 64 : 32);
    case "DECIMAL":
      return scaled(own.scale);
  }
  if (converted_type === "DECIMAL") return scaled(scale);
  const name = own?.type ?? converted_type;
  return name === undefined ? type && PHYSICAL[type] : NAMED[name];
}

/** The type as its file names it: `FIXED_LEN_BYTE_ARRAY (INTERVAL)`. */
export function parquetTypeName({ type, converted_type, logical_type, repetition_type }: SchemaElement): string {
  const annotated = logical_type?.type ?? converted_type;
  const repeated = repetition_type === "REPEATED" ? "repeated " : "";
  return `${repeated}${type ?? "group"}${annotated ? ` (${annotated})` : ""}`;
}
