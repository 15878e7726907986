/** `--native`: tables of other programs, beside ours. */
import { resolve } from "node:path";
import { defineTable } from "../../kernels/define.js";
import { DoesNotFit, UsageError } from "../../kernels/device/errors.js";
import { registerTable } from "../../kernels/index.js";
import { messageOf } from "../base/errors.js";
import { registerGroupBy } from "../scenarios/group-by.js";
import { allSeries, kindOf } from "../scenarios/index.js";
import { GROUP } from "./described.js";
import { type Manifest, readManifests } from "./manifest.js";
import { Program } from "./program.js";
import { knowSystem } from "./systems.js";
import { describe, describeGroupBy } from "./table.js";

const loaded = new Set<string>();

/**
 * Registers the tables of these manifests, and of those in these folders, those that were not there before, but for some ids. Throws a
 * UsageError of one line for a manifest that is not as the protocol has it, or whose id is another table's.
 */
export function loadNative(paths: readonly string[], but: ReadonlySet<string> = new Set()): Manifest[] {
  return paths.flatMap((path) => {
    const file = resolve(path);
    if (loaded.has(file)) return [];
    const manifests = readManifests(path).filter(({ id }) => !but.has(id));
    for (const manifest of manifests) {
      const known = allSeries().find(({ id }) => id === manifest.id);
      if (known) throw new UsageError(`--native ${path}: there is ${kindOf(known)} ${known.id} already`);
      if (manifest.ops.includes(GROUP)) registerGroupBy(describeGroupBy(manifest));
      else registerTable(defineTable(describe(manifest)));
    }
    loaded.add(file);
    return manifests;
  });
}

/**
 * Starts each program once and asks what it is. Throws a UsageError of one line for one that cannot be started, or says what is not of
 * the protocol. Of one that cannot run here nothing is known, and cells that want it are skipped.
 */
export async function meet(manifests: readonly Manifest[]): Promise<void> {
  await Promise.all(
    manifests.map(async (manifest) => {
      const { id, title } = manifest;
      try {
        const program = await Program.start(manifest);
        knowSystem(id, { title, ...program.facts });
        program.end();
      } catch (error) {
        if (!(error instanceof DoesNotFit)) throw error;
        knowSystem(id, { title });
      }
    }),
  );
}

/** Tables that nobody has asked for: those whose programs do not start are left out. A line for each of these. */
export async function loadStarting(paths: readonly string[]): Promise<string[]> {
  const left = new Map<string, string>();
  for (const manifest of paths.flatMap(readManifests)) {
    await meet([manifest]).catch((error: unknown) => left.set(manifest.id, messageOf(error)));
  }
  loadNative(paths, new Set(left.keys()));
  return [...left.values()];
}
