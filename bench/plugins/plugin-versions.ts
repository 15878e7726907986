/** Which code of a plug-in was measured. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";

/** A path in an import, an export or a require. Too many are no harm: what is no file is passed over. */
const IMPORTED = /\b(?:from|import|require)\s*\(?\s*["'](\.{1,2}\/[^"']+)["']/g;

/**
 * A hash of the module, of the files that it imports by relative paths and those they import, and of the kernels in and below its
 * folder. Packages that it imports are not part of it.
 */
export function versionOf(file: string): string {
  const folder = dirname(resolve(file));
  const hash = createHash("sha256");
  const named = [...modulesFrom(resolve(file)), ...kernelsIn(folder)].map(
    (path) => [relative(folder, path).split(sep).join("/"), path] as const,
  );
  for (const [name, path] of named.sort(([a], [b]) => (a < b ? -1 : 1)))
    hash.update(`${name}\0`).update(readFileSync(path)).update("\0");
  return hash.digest("hex").slice(0, 16);
}

/** The module and all that it imports from files beside it, each once. */
function modulesFrom(file: string): Set<string> {
  const found = new Set([file]);
  for (const path of found) {
    for (const [, name = ""] of readFileSync(path, "utf8").matchAll(IMPORTED)) {
      const imported = resolve(dirname(path), name);
      if (statSync(imported, { throwIfNoEntry: false })?.isFile()) found.add(imported);
    }
  }
  return found;
}

function kernelsIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === "node_modules" ? [] : kernelsIn(path);
    return entry.isFile() && /\.(wgsl|wesl)$/.test(entry.name) ? [path] : [];
  });
}
