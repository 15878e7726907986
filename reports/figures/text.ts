/** The figures' font: how wide a text is in it, and where to break lines. */
import { faceOf } from "./face.js";

/** Width of one line of `text` in pixels, without kerning. */
export function textWidth(text: string, fontSize: number, bold = false): number {
  const face = faceOf(bold ? "bold" : "regular");
  let ems = 0;
  for (const char of text) ems += face.width(char.codePointAt(0) ?? 0) ?? face.missing;
  return ems * fontSize;
}

/** Breaks `text` at spaces into lines of at most `width` pixels; a word that is wider alone is cut into pieces. */
export function wrapText(text: string, width: number, fontSize: number, bold = false): string[] {
  const fits = (line: string): boolean => textWidth(line, fontSize, bold) <= width;
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(/\s+/).filter((w) => w !== "")) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (fits(longer)) {
      line = longer;
      continue;
    }
    if (line !== "") lines.push(line);
    line = word;
    while (!fits(line) && line.length > 1) {
      const cut = longestPrefix(line, fits);
      lines.push(line.slice(0, cut));
      line = line.slice(cut);
    }
  }
  if (line !== "") lines.push(line);
  return lines;
}

/** Length of the longest beginning of `word` that fits, at least 1. */
function longestPrefix(word: string, fits: (text: string) => boolean): number {
  let length = 1;
  while (length < word.length && fits(word.slice(0, length + 1))) length++;
  return length;
}
