/**
 * Writes the package of the tables, kernels/library, of what was built: the modules that its entries reach, with their declarations.
 * In hashbench's own package `hashbench/tables` hands them on.
 */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { packageRoot } from "../bench/base/paths.js";
import { weslBundles } from "./wesl-bundles.js";
import { kernelTexts } from "./wgsl-modules.js";

const NAME = "webgpu-hash-table";
const LIBRARY = "kernels/library";
const built = join(packageRoot, "dist");
const packed = join(packageRoot, LIBRARY, "dist");

/** What the file and its declarations import, by paths from the built package. */
function importsOf(file: string): string[] {
  const texts = [file, declarationsOf(file)].map((name) => readFileSync(join(built, name), "utf8"));
  const names = texts.flatMap((text) => [...text.matchAll(/(?:from |import\()"(\.[^"]+)"/g)]);
  return names.map(([, name = ""]) => join(dirname(file), name));
}

/** Kernels have no declarations: they are known to the modules beside them only. */
const declarationsOf = (file: string) => (file.endsWith(".wgsl.js") ? file : file.replace(/js$/, "d.ts"));

/** Without what only the harness' models, reports and helps ask for, which programs would carry along. */
function withoutTexts(file: string): string {
  const text = readFileSync(join(built, file), "utf8");
  if (!/^kernels\/(?!library\/).*\.js$/.test(file)) return text;
  return text
    .replace(/^( +)access(: )?\(op.*\n(\1 +.*\n)*(\1\},?\n)?/gm, "")
    .replace(/\b(meaning|source|standsInFor|why): ("[^"\n]*"|`[^`$]*`)(,|(?=\s*\}))/g, "");
}

const tables = readdirSync(join(built, LIBRARY, "tables")).filter((name) => name.endsWith(".js"));
const files = new Set([`${LIBRARY}/index.js`, ...tables.map((name) => `${LIBRARY}/tables/${name}`)]);
// Files that are added while the set is read are read, too.
for (const file of files) for (const other of importsOf(file)) files.add(other);

rmSync(packed, { recursive: true, force: true });
for (const file of [...files, ...[...files].map(declarationsOf)]) {
  mkdirSync(dirname(join(packed, file)), { recursive: true });
  writeFileSync(join(packed, file), withoutTexts(file));
}
copyFileSync(join(packageRoot, "LICENSE"), join(packed, "LICENSE"));

const bundles = join(packed, LIBRARY, "wesl");
const exported = "export default weslBundle;\n";
mkdirSync(bundles);
for (const [table, bundle] of weslBundles(kernelTexts()))
  writeFileSync(join(bundles, `${table}.js`), `export const weslBundle = ${JSON.stringify(bundle)};\n${exported}`);
const type = "{ name: string; edition: string; modules: Record<string, string> }";
writeFileSync(join(bundles, "bundle.d.ts"), `export declare const weslBundle: ${type};\n${exported}`);

mkdirSync(join(built, "tables"), { recursive: true });
for (const name of ["index.js", ...tables]) {
  const entry = name === "index.js" ? NAME : `${NAME}/${name.replace(/\.js$/, "")}`;
  for (const file of [name, declarationsOf(name)])
    writeFileSync(join(built, "tables", file), `export * from "${entry}";\n`);
}
