/** TrueType files as WOFF (W3C WOFF 1.0), which is half as large, for pages that carry their fonts. */
import { readFileSync } from "node:fs";
import { deflateSync } from "node:zlib";

const HEADER_BYTES = 44;
const ENTRY_BYTES = 20;
const aligned = (length: number): number => (length + 3) & ~3;

/** The font with each table compressed where that makes it smaller. Nothing else changes. */
export function woff(ttf: Buffer): Buffer {
  const count = ttf.readUInt16BE(4);
  const directory = Buffer.alloc(ENTRY_BYTES * count);
  const bodies: Buffer[] = [];
  let offset = HEADER_BYTES + directory.length;
  let unpacked = 12 + 16 * count;
  for (let i = 0; i < count; i++) {
    const entry = ttf.subarray(12 + 16 * i, 28 + 16 * i);
    const [start, length] = [entry.readUInt32BE(8), entry.readUInt32BE(12)];
    const table = ttf.subarray(start, start + length);
    const packed = deflateSync(table, { level: 9 });
    const body = packed.length < length ? packed : table;
    const at = ENTRY_BYTES * i;
    entry.copy(directory, at, 0, 4); // tag
    directory.writeUInt32BE(offset, at + 4);
    directory.writeUInt32BE(body.length, at + 8);
    directory.writeUInt32BE(length, at + 12);
    entry.copy(directory, at + 16, 4, 8); // checksum
    bodies.push(Buffer.concat([body, Buffer.alloc(aligned(body.length) - body.length)]));
    offset += aligned(body.length);
    unpacked += aligned(length);
  }
  const head = Buffer.alloc(HEADER_BYTES);
  head.write("wOFF", 0, "latin1");
  ttf.copy(head, 4, 0, 4); // flavor
  head.writeUInt32BE(offset, 8);
  head.writeUInt16BE(count, 12);
  head.writeUInt32BE(unpacked, 16);
  head.writeUInt16BE(1, 20); // version 1.0
  return Buffer.concat([head, directory, ...bodies]);
}

/** A TrueType file as an address that CSS can use. */
export function fontUrl(file: string): string {
  return `data:font/woff;base64,${woff(readFileSync(file)).toString("base64")}`;
}
