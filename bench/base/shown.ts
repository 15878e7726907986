/** Values of somebody else's code in messages. */
import { inspect } from "node:util";

/** Characters that are shown. */
const MOST = 60;

export function shown(value: unknown): string {
  const line = inspect(value, { depth: 1, breakLength: Number.POSITIVE_INFINITY });
  return line.length > MOST ? `${line.slice(0, MOST - 1)}…` : line;
}
