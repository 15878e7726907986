/** In place of bench/base/shown.ts: a browser's console shows values whole. */
export function shown(value: unknown): string {
  return typeof value === "string" ? `'${value}'` : String(value);
}
