import { readFileSync } from "node:fs";
import { inflateSync } from "node:zlib";
import { expect, test } from "vitest";
import { FONT_FILES } from "./face.js";

test.each(FONT_FILES)("the WOFF beside %s holds every table of it, smaller", (file) => {
  const ttf = readFileSync(file);
  const packed = readFileSync(file.replace(/ttf$/, "woff"));
  expect(packed.toString("latin1", 0, 4)).toBe("wOFF");
  expect(packed.readUInt32BE(8)).toBe(packed.length);
  expect(packed.length).toBeLessThan(0.7 * ttf.length);
  const count = packed.readUInt16BE(12);
  expect(count).toBe(ttf.readUInt16BE(4));
  for (let i = 0; i < count; i++) {
    const entry = packed.subarray(44 + 20 * i, 64 + 20 * i);
    const [offset, length, unpacked] = [4, 8, 12].map((at) => entry.readUInt32BE(at)) as [number, number, number];
    const body = packed.subarray(offset, offset + length);
    const table = length < unpacked ? inflateSync(body) : body;
    const start = ttf.readUInt32BE(12 + 16 * i + 8);
    expect(table.equals(ttf.subarray(start, start + unpacked))).toBe(true);
  }
});
