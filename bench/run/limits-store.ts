/** What device/limits measured, kept per device and driver, for the share of the limit on every row. */
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import type { Access } from "../measure/benchmark.js";

const fileSchema = z.record(z.string(), z.array(z.tuple([z.number().positive(), z.number().positive()])));

/** M accesses/s by pattern and table bytes. */
export class LimitsStore {
  private readonly file: string;
  private readonly rates: Map<string, Map<number, number>>;

  /** @param configuration what the rates depend on: device, driver, Dawn, toggles. */
  constructor(
    configuration: readonly string[],
    folder = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "hashbench", "limits"),
  ) {
    // Readable, and by the hash different for every configuration.
    const name = configuration.join(" ").replace(/[^A-Za-z0-9.+-]+/g, "_");
    const hash = createHash("sha256").update(JSON.stringify(configuration)).digest("hex");
    this.file = join(folder, `${name.slice(0, 180)}-${hash.slice(0, 16)}.json`);
    this.rates = load(this.file);
  }

  /** Whether the pattern was measured, on a table of more than `beyond` bytes and no more than `upTo`. */
  has(pattern: string, beyond = 0, upTo = Infinity): boolean {
    return [...(this.rates.get(pattern)?.keys() ?? [])].some((bytes) => bytes > beyond && bytes <= upTo);
  }

  /** Notes one measured rate and keeps it on disk (if it can be written: a read-only home is accepted). */
  set({ pattern, tableBytes }: Access, mops: number): void {
    const known = this.rates.get(pattern) ?? new Map<number, number>();
    known.set(tableBytes, mops);
    this.rates.set(pattern, known);
    const text = JSON.stringify(Object.fromEntries([...this.rates].map(([name, sizes]) => [name, [...sizes]])));
    try {
      mkdirSync(join(this.file, ".."), { recursive: true });
      const partial = `${this.file}.${process.pid}`;
      writeFileSync(partial, text);
      renameSync(partial, this.file);
    } catch {
      // It would only have saved later runs the measurement.
    }
  }

  /**
   * M accesses/s of the pattern on a table of these bytes: between two measured sizes by interpolation, beyond them the nearest
   * one's. Null if the pattern was never measured.
   */
  rate({ pattern, tableBytes }: Access): number | null {
    return rateAt([...(this.rates.get(pattern) ?? [])], tableBytes);
  }
}

/**
 * The rate at that size among (bytes, rate), as `LimitsStore.rate` has it; null without any point. Between two sizes the time of
 * an access is linear in 1 / size, as it is where a cache holds so many bytes of them.
 */
export function rateAt(
  measured: readonly (readonly [bytes: number, rate: number])[],
  tableBytes: number,
): number | null {
  const points = measured.toSorted(([a], [b]) => a - b);
  const above = points.findIndex(([bytes]) => bytes >= tableBytes);
  const [first] = points;
  const last = points.at(-1);
  if (!first || !last) return null;
  if (above === -1) return last[1];
  if (above === 0) return first[1];
  const [b0, r0] = points[above - 1] ?? first;
  const [b1, r1] = points[above] ?? last;
  const share = (1 / b0 - 1 / tableBytes) / (1 / b0 - 1 / b1);
  return 1 / (1 / r0 + (1 / r1 - 1 / r0) * share);
}

function load(file: string): Map<string, Map<number, number>> {
  try {
    const read = fileSchema.parse(JSON.parse(readFileSync(file, "utf8")));
    return new Map(Object.entries(read).map(([pattern, points]) => [pattern, new Map(points)]));
  } catch {
    return new Map();
  }
}
