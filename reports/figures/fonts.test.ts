import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { FONT_FILES } from "./face.js";

test.each(FONT_FILES)("the WOFF2 beside %s is whole, of the same outlines, and a fifth as large at most", (file) => {
  const ttf = readFileSync(file);
  const packed = readFileSync(file.replace(/ttf$/, "woff2"));
  expect(packed.toString("latin1", 0, 4)).toBe("wOF2");
  expect(packed.readUInt32BE(4)).toBe(ttf.readUInt32BE(0));
  expect(packed.readUInt32BE(8)).toBe(packed.length);
  expect(packed.length).toBeLessThan(0.2 * ttf.length);
});
