/** The files of claims, apart from who reads them: a bundle has them inside. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../base/paths.js";
import { type PaperId, papers } from "../claims/papers.js";

/** Of each paper that has one: `<paper>/<paper>.claims`. */
export function claimTexts(): { readonly paper: PaperId; readonly file: string; readonly text: string }[] {
  return papers.flatMap(({ id }) => {
    const file = `${id}.claims`;
    const path = join(packageRoot, "bench", "experiments", id, file);
    return existsSync(path) ? [{ paper: id, file, text: readFileSync(path, "utf8") }] : [];
  });
}
