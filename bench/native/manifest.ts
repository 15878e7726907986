/** Manifests of native tables: what a table is, and the program that has it (kernels/native/README.md). */
import { existsSync, readdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { z } from "zod";
import { kindOf, saying } from "../../datasets/files/paths.js";
import { UsageError } from "../../kernels/device/errors.js";
import { NATIVE_OPS, TABLE_OPS } from "../../kernels/operations.js";
import { packageRoot } from "../base/paths.js";
import { isLine } from "../results/line.js";
import { readJson } from "../results/read.js";
import { patterns } from "../scenarios/limits/patterns.js";
import { GROUP, line, operations, parameterName, share, tableId } from "./described.js";

/** Of the protocol. */
export const PROTOCOL = 1;
/** What the name of a manifest ends in. */
const ENDING = ".table.json";

const scalar = z.union([line, z.number(), z.boolean()]);
const named = {
  name: parameterName,
  meaning: line,
  task: z.boolean().optional(),
  size: z.boolean().optional(),
};
const parameter = z.union([
  z.strictObject({ ...named, default: scalar, values: z.array(scalar).min(1) }),
  z.strictObject({ ...named, default: z.number(), from: z.number(), to: z.number(), integer: z.boolean() }),
]);
const access = z.strictObject({ pattern: z.enum(patterns.map(({ id }) => id)), why: line });

const manifestSchema = z.strictObject({
  protocol: z.literal(PROTOCOL, `the protocol's version ${PROTOCOL} is wanted`),
  id: tableId,
  title: line,
  source: z.string().max(200).refine(isLine, "not one line of text").default(""),
  api: z.enum(["cuda", "hip", "cpu", "webgpu"]),
  /** The program and its arguments; it is started in the manifest's folder. */
  command: z.array(line).min(1),
  ops: operations([...NATIVE_OPS, "upsert", GROUP]),
  maxLoadFactor: share.default(1),
  safeLoadFactor: share.optional(),
  incremental: z.boolean().default(true),
  reusesSlots: z.boolean().default(false),
  ownSize: z.boolean().default(false),
  bytesPerPair: z.number().positive().default(16),
  fixedBytes: z.number().int().nonnegative().optional(),
  access: z.partialRecord(z.enum(TABLE_OPS), access).default({}),
  parameters: z.array(parameter).default([]),
});

/** What a program takes of a device for its context. */
const CONTEXT_BYTES = 600 * 2 ** 20;

/** Bytes of its device that a program takes, without copies of keys and queries; 0 on the CPU. */
export function deviceBytes(manifest: Manifest, n: number, loadFactor: number): number {
  return programBytes(manifest) + tableBytes(manifest, n, loadFactor);
}

/** Of these, those that it has as long as it runs. */
export function programBytes({ api, fixedBytes = CONTEXT_BYTES }: Manifest): number {
  return api === "cpu" ? 0 : fixedBytes;
}

/** And those of a table. */
export function tableBytes({ api, bytesPerPair }: Manifest, n: number, loadFactor: number): number {
  return api === "cpu" ? 0 : Math.ceil((n * bytesPerPair) / loadFactor);
}

/** A manifest, and the folder that it lies in. */
export type Manifest = z.infer<typeof manifestSchema> & { readonly folder: string };

/** Where `npm run native` builds the package's own tables, if it has. */
export function builtTables(): string[] {
  const folder = join(packageRoot, "build", "native");
  return existsSync(folder) && manifestsIn(folder).length > 0 ? [folder] : [];
}

/** The manifest of a file, or those in a folder and the folders below it. Throws a UsageError of one line. */
export function readManifests(path: string): Manifest[] {
  const what = `--native ${path}`;
  if (kindOf(path) === "file") return [readManifest(path)];
  const found = saying(`${what} cannot be read`, () => manifestsIn(path));
  if (found.length === 0)
    throw new UsageError(`${what}: there is no manifest, a file *${ENDING}, in it or in its folders`);
  return found.map(readManifest).sort((a, b) => (a.id < b.id ? -1 : 1));
}

function manifestsIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ENDING))
    .map(({ parentPath, name }) => join(parentPath, name));
}

function readManifest(file: string): Manifest {
  return { ...readJson(file, manifestSchema), folder: resolve(dirname(file)) };
}
