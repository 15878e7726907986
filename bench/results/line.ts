/** Texts of any origin, such as names and reasons, for a line of a terminal, a CI log or a page. */

/** Control characters, line separators, and marks that change the direction of writing. */
const CONTROLS = "\\p{Cc}\\u2028\\u2029\\u202a-\\u202e\\u2066-\\u2069";
const CONTROL = new RegExp(`[${CONTROLS}]`, "u");
const GAPS = new RegExp(`[\\s${CONTROLS}]+`, "gu");

/** Whether the text is one line without characters that control a terminal. */
export function isLine(text: string): boolean {
  return !CONTROL.test(text);
}

/** The text as such a line. */
export function oneLine(text: string): string {
  return text.replace(GAPS, " ").trim();
}
