/** The faces of the figures' font, from its files. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../../bench/base/paths.js";

const files = {
  regular: join(packageRoot, "reports", "figures", "fonts", "Arimo-Regular.ttf"),
  bold: join(packageRoot, "reports", "figures", "fonts", "Arimo-Bold.ttf"),
} as const;

/** Paths of the shipped TrueType files. */
export const FONT_FILES: readonly string[] = Object.values(files);

/** Widths of a font's glyphs, in ems. */
export interface Face {
  /** By code point; undefined where the font has no such glyph. */
  width(codePoint: number): number | undefined;
  readonly missing: number;
}

const faces: { regular?: Face; bold?: Face } = {};

export function faceOf(weight: "regular" | "bold"): Face {
  faces[weight] ??= readFace(files[weight]);
  return faces[weight];
}

/** Reads glyph widths out of a TrueType file: tables `cmap` (format 4), `hhea`, `hmtx`, `head` of the OpenType format. */
function readFace(file: string): Face {
  const data = readFileSync(file);
  const tables = new Map<string, number>();
  for (let i = 0; i < data.readUInt16BE(4); i++) {
    const entry = 12 + 16 * i;
    tables.set(data.toString("latin1", entry, entry + 4), data.readUInt32BE(entry + 8));
  }
  const table = (tag: string): number => {
    const offset = tables.get(tag);
    if (offset === undefined) throw new Error(`${file}: no table ${tag}`);
    return offset;
  };
  const unitsPerEm = data.readUInt16BE(table("head") + 18);
  const lastMetric = data.readUInt16BE(table("hhea") + 34) - 1;
  const advance = (glyph: number): number =>
    data.readUInt16BE(table("hmtx") + 4 * Math.min(glyph, lastMetric)) / unitsPerEm;
  const glyphs = readGlyphs(data, table("cmap"), file);
  return {
    missing: advance(0),
    width: (codePoint) => {
      const glyph = glyphs.get(codePoint);
      return glyph === undefined ? undefined : advance(glyph);
    },
  };
}

/** Code point to glyph, from the character map's format-4 subtable (the Basic Multilingual Plane). */
function readGlyphs(data: Buffer, cmap: number, file: string): Map<number, number> {
  const count = data.readUInt16BE(cmap + 2);
  const subtables = Array.from({ length: count }, (_, i) => cmap + data.readUInt32BE(cmap + 8 + 8 * i));
  const start = subtables.find((offset) => data.readUInt16BE(offset) === 4);
  if (start === undefined) throw new Error(`${file}: no character map of format 4`);
  const segments = data.readUInt16BE(start + 6) / 2;
  const glyphs = new Map<number, number>();
  for (let s = 0; s < segments; s++) {
    const end = data.readUInt16BE(start + 14 + 2 * s);
    const first = data.readUInt16BE(start + 16 + 2 * (segments + s));
    const delta = data.readUInt16BE(start + 16 + 2 * (2 * segments + s));
    const rangeAt = start + 16 + 2 * (3 * segments + s);
    const range = data.readUInt16BE(rangeAt);
    for (let c = first; c <= end && c !== 0xffff; c++) {
      const glyph = range === 0 ? c : data.readUInt16BE(rangeAt + range + 2 * (c - first));
      if (glyph !== 0) glyphs.set(c, (glyph + delta) & 0xffff);
    }
  }
  return glyphs;
}
