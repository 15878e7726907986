import { expect, test } from "vitest";
import { escapeMarkdown, hanging } from "./document.js";

test.each([
  ["**bold** and `code`", "\\*\\*bold\\*\\* and \\`code\\`"],
  ["[text](https://example.org)", "\\[text\\](https://example.org)"],
  ["<img src=x>", "&lt;img src=x>"],
  ["&lt;b>, a & b", "&amp;lt;b>, a & b"],
  ["a | b", "a \\| b"],
  ["a \\| b", "a \\\\\\| b"],
  ["_a_ but allow_unsafe_apis", "\\_a\\_ but allow_unsafe_apis"],
  ["~~gone~~, ~5", "\\~~gone\\~~, ~5"],
  ["GPU\n\n# Title", "GPU # Title"],
])("%j becomes %j", (text, escaped) => {
  expect(escapeMarkdown(text)).toBe(escaped);
});

test("plain text stays as it is", () => {
  const text = "NVIDIA H200, 2^25 pairs: 1.5× (1.4 to 1.6) + 3 %, “a”";
  expect(escapeMarkdown(text)).toBe(text);
});

test("a line goes on below, set in, is broken at spaces alone, and comes back whole", () => {
  const line = "results: /a/path/that/is/longer/than/a/line (all figures, in a browser)";
  const shown = hanging(line, 20, "  ");
  expect(shown.split("\n")).toEqual([
    "results:",
    "  /a/path/that/is/longer/than/a/line",
    "  (all figures, in a",
    "  browser)",
  ]);
  expect(shown.replace(/\n */g, " ")).toBe(line);
  expect(hanging(line, 200)).toBe(line);
});
