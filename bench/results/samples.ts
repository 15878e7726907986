/** Lines of a samples file: what one cell's timed runs took, and how many rows the cell has. */
import { z } from "zod";
import { UsageError } from "../../kernels/device/errors.js";
import { jsonIn } from "./validate.js";

const lineSchema = z.object({
  /** cellKey */
  key: z.string(),
  run: z.string(),
  /** Rows that the cell has in the CSV: fewer there means that the run was killed while it wrote them. */
  rows: z.number().int().positive(),
  /** Nanoseconds of each timed run, in time order. */
  samples: z.array(z.number()),
});

export type SamplesLine = z.infer<typeof lineSchema>;

export function samplesText(line: SamplesLine): string {
  return `${JSON.stringify(line)}\n`;
}

/**
 * The lines of one file. What a killed run left of a last line is ignored: its cell has no rows either. Throws a UsageError
 * of one line for anything else that is no such line.
 */
export function parseSamples(text: string, file: string): SamplesLine[] {
  const lines = text.split("\n");
  return lines.slice(0, -1).map((line, i) => {
    const parsed = lineSchema.safeParse(jsonIn(line));
    if (!parsed.success) throw new UsageError(`${file}:${i + 1}: no {key, run, rows, samples} in this line`);
    return parsed.data;
  });
}
