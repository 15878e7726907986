/** The files of the project, for the tests beside. */
import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { packageRoot } from "../bench/base/paths.js";

const FOLDERS = ["bench", "kernels", "datasets", "reports", "scripts"];
/** What tsconfig.build.json leaves out, and declarations. */
export const isTest = (file: string) => /\.test\.ts$|(^|\/)(testing|fake)\.ts$|\.d\.ts$/.test(file);

export const filesOf = (...endings: readonly string[]) =>
  FOLDERS.flatMap((folder) =>
    readdirSync(join(packageRoot, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && endings.some((ending) => entry.name.endsWith(ending)))
      .map((entry) => relative(packageRoot, join(entry.parentPath, entry.name)).split(sep).join("/")),
  );
export const files = filesOf(".ts").filter((file) => !isTest(file));
export const textOf = (file: string) => readFileSync(join(packageRoot, file), "utf8");

/** Every text for readers but rendered reports. */
export const documents = [
  "README.md",
  "ARTIFACT.md",
  ...filesOf(".md").filter((file) => !/^reports\/[^/]+\.md$/.test(file) || file === "reports/README.md"),
  ...["README.md", ...readdirSync(join(packageRoot, "results/studies")).map((name) => `studies/${name}`)]
    .filter((name) => name.endsWith(".md"))
    .map((name) => `results/${name}`),
];
