/** What a run was asked for, as run.json keeps it. */
import { isDeepStrictEqual } from "node:util";

/** What must be equal for a run to go on in a folder: plain JSON. */
export type Configuration = Readonly<Record<string, unknown>>;

/** The first member in which two configurations differ, each side's value followed by where it is; undefined if none does. */
export function difference(
  [a, inA]: readonly [Configuration, string],
  [b, inB]: readonly [Configuration, string],
  except: readonly string[] = [],
): string | undefined {
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])].filter((name) => !except.includes(name));
  const name = names.find((name) => !isDeepStrictEqual(a[name], b[name]));
  return name && `${name}: ${brief(a[name])} ${inA}, ${brief(b[name])} ${inB}`;
}

function brief(value: unknown): string {
  const text = JSON.stringify(value) ?? "none";
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}
