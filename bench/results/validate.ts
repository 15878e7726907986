/** What was read from outside, as a schema says. Errors begin with where it stood. */
import type { z } from "zod";
import { UsageError } from "../../kernels/device/errors.js";

/** What was read, as the schema says; else throws a UsageError that begins with `where`. */
export function validated<T>(content: unknown, schema: z.ZodType<T>, where: string): T {
  const parsed = schema.safeParse(content);
  if (parsed.success) return parsed.data;
  throw new UsageError(`${where}: ${firstOf(parsed.error)}`);
}

/** Why a value is not as the schema says, and where in it; undefined if it is. */
export function issueOf(content: unknown, schema: z.ZodType): string | undefined {
  const { error } = schema.safeParse(content);
  return error && firstOf(error);
}

/** A member that is not known first: a misspelt name is also one that is missing. */
function firstOf({ issues }: z.ZodError): string {
  const issue = issues.find(({ code }) => code === "unrecognized_keys") ?? issues[0];
  return `${issue?.path.join(".") || "its content"}: ${issue?.message}`;
}

/** What the text is as JSON; undefined where it is none. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Throws a UsageError for a text that is not JSON. */
export function parseJson(text: string, where: string): unknown {
  const content = jsonIn(text);
  if (content === undefined) throw new UsageError(`${where}: not JSON`);
  return content;
}
