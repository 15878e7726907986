/** The files of claims, apart from who reads them: a bundle has them inside. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../base/paths.js";
import { groups } from "../claims/papers.js";

/** Of each paper and group of our own that has one: `<group>/<group>.claims`. */
export function claimTexts(): { readonly group: string; readonly file: string; readonly text: string }[] {
  return groups.flatMap(({ id }) => {
    const file = `${id}.claims`;
    const path = join(packageRoot, "bench", "experiments", id, file);
    return existsSync(path) ? [{ group: id, file, text: readFileSync(path, "utf8") }] : [];
  });
}
