/** What was read from outside, as a schema says. Errors begin with where it stood. */
import type { z } from "zod";
import { UsageError } from "../../kernels/device/errors.js";

/** What was read, as the schema says; else throws a UsageError that begins with `where`. */
export function validated<T>(content: unknown, schema: z.ZodType<T>, where: string): T {
  const parsed = schema.safeParse(content);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new UsageError(`${where}: ${issue?.path.join(".") || "its content"}: ${issue?.message}`);
}

/** Throws a UsageError for a text that is not JSON. */
export function parseJson(text: string, where: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(`${where}: not JSON`);
  }
}
