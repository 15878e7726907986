/** Texts that end up on a line of a terminal, a CI log or a page: names and reasons, whoever wrote them. */

/** Control characters, other ends of lines, and what turns the direction of what follows. */
const CONTROLS = "\\p{Cc}\\u2028\\u2029\\u202a-\\u202e\\u2066-\\u2069";
const CONTROL = new RegExp(`[${CONTROLS}]`, "u");
const GAPS = new RegExp(`[\\s${CONTROLS}]+`, "gu");

/** Whether the text is of one line, and none of its characters does anything to a terminal. */
export function isLine(text: string): boolean {
  return !CONTROL.test(text);
}

/** The text as such a line. */
export function oneLine(text: string): string {
  return text.replace(GAPS, " ").trim();
}
