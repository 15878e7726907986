/** What was verified on a device: verified.json of a results folder, read by `list tables` and the report. */
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { replaceFile } from "../../datasets/files/paths.js";
import { UsageError } from "../../kernels/device/errors.js";
import { packageRoot } from "../base/paths.js";
import { readJson } from "./read.js";

export const VERIFIED_FILE = "verified.json";

const line = z.string().regex(/^\P{Cc}*$/u, "a control character");
const count = z.int().min(0);

const entrySchema = z.object({
  table: line,
  host: z.boolean(),
  params: z.record(line, z.union([line, z.number(), z.boolean()])),
  commit: line,
  time: z.iso.datetime(),
  toggles: line,
  /** Cases that passed, that failed, and that this adapter could not decide or that do not apply. */
  ok: count,
  failed: count,
  skipped: count,
  /** Operations whose answers were compared. */
  operations: count,
  /** The first case that failed, and why; or why nothing was verified; else "". */
  reason: line,
});

const verifiedSchema = z.object({
  schema: z.literal(1),
  device: line,
  driver: line,
  dawn: line,
  variants: z.array(entrySchema),
});

/** One variant of a table, as it was verified last. */
export type VerifiedVariant = z.infer<typeof entrySchema>;
export type Verified = z.infer<typeof verifiedSchema>;

/** What a results folder says; null if it says nothing. Throws a UsageError of one line if the file is broken. */
export function readVerified(folder: string): Verified | null {
  const path = join(folder, VERIFIED_FILE);
  if (!existsSync(path)) return null;
  return readJson(path, verifiedSchema);
}

/** What a folder says of this device, driver and Dawn. Throws a UsageError where it is of others. */
export function requireVerifiedOf(folder: string, made: Omit<Verified, "variants">): Verified | null {
  const before = readVerified(folder);
  for (const name of ["device", "driver", "dawn"] as const) {
    if (before && before[name] !== made[name])
      throw new UsageError(`${join(folder, VERIFIED_FILE)} is of ${before[name]}, and this is ${made[name]}`);
  }
  return before;
}

/** Writes what was verified beside what the file had of other variants. Throws as `requireVerifiedOf` does. */
export function writeVerified(folder: string, made: Verified): void {
  const before = requireVerifiedOf(folder, made);
  const keyOf = ({ table, host, params }: VerifiedVariant) => JSON.stringify([table, host, params]);
  const all = new Map([...(before?.variants ?? []), ...made.variants].map((one) => [keyOf(one), one]));
  const lines = [...all.values()].map((one) => `  ${JSON.stringify(one)}`);
  const { variants: _, ...head } = made;
  const text = `${JSON.stringify(head).slice(0, -1)}, "variants": [\n${lines.join(",\n")}\n]}\n`;
  replaceFile(join(folder, VERIFIED_FILE), text);
}

/** What a results folder says, or those in it; nothing of a file. Throws as `readVerified` does. */
export function readAllVerified(path: string): Verified[] {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return [];
  const folders = readdirSync(path, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return [path, ...folders.map(({ name }) => join(path, name))].flatMap((folder) => readVerified(folder) ?? []);
}

/** Of the results that come with the package. */
export function keptVerified(): Verified[] {
  return readAllVerified(join(packageRoot, "results"));
}

/** A longer pause is one between two commands. */
const PAUSE_MS = 60_000;

/** Seconds that a case took there, with as many workers as there were. Variants have the time at which they ended. */
export function secondsPerCase({ variants }: Verified): number {
  const ends = variants.map(({ time }) => Date.parse(time)).sort((a, b) => a - b);
  const between = ends.slice(1).map((end, i) => end - (ends[i] ?? end));
  const cases = variants.reduce((sum, { ok, failed }) => sum + ok + failed, 0);
  return between.filter((ms) => ms < PAUSE_MS).reduce((sum, ms) => sum + ms / 1000, 0) / Math.max(1, cases);
}

export type VerifiedTable = Readonly<ReturnType<typeof verifiedOf>>;

/**
 * How many variants of a table passed, failed, or could not be verified there; operations whose answers were compared; and which variants
 * passed: whether the defaults did, and the parameter values of others: `defaults ticket=1,2,4 keyBytes=8,16`.
 */
export function verifiedOf({ variants }: Verified, table: string) {
  const own = variants.filter((one) => one.table === table);
  const decided = own.filter(({ ok, failed }) => ok + failed > 0);
  const passed = decided.filter(({ failed }) => failed === 0);
  return {
    variants: passed.length,
    values: valuesOf(passed),
    failed: decided.filter(({ failed }) => failed > 0).length,
    skipped: own.length - decided.length,
    operations: own.reduce((sum, { operations }) => sum + operations, 0),
    commits: [...new Set(decided.map(({ commit }) => commit))],
  };
}

function valuesOf(variants: readonly VerifiedVariant[]): string {
  const values = new Map<string, Set<string>>();
  const add = (name: string, value: string) => values.set(name, (values.get(name) ?? new Set()).add(value));
  for (const { params, host } of variants) {
    for (const [name, value] of Object.entries(params)) add(name, `${value}`);
    if (host) add("memory", "host");
  }
  const usual = variants.some(({ params, host }) => !host && Object.keys(params).length === 0);
  return [...(usual ? ["defaults"] : []), ...[...values].map(([name, own]) => `${name}=${[...own]}`)].join(" ");
}
