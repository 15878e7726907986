/** Which packages, and which of their files, a bundle for Linux x64 needs. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const SWIFTSHADER = ["@sparticuz/chromium", "tar-fs"];

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  /** What `npm pack` takes into the package. */
  readonly bundleDependencies?: readonly string[];
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/**
 * Folders of all packages that the package in `root` needs at run time, itself not included. Optional ones that are not
 * installed are left out, and so is the software driver unless asked for.
 */
export function productionPackages(root: string, options: { readonly swiftshader: boolean }): string[] {
  const found = new Set<string>();
  const visit = (folder: string): void => {
    const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;
    const optional = manifest.optionalDependencies ?? {};
    for (const name of Object.keys({ ...manifest.dependencies, ...optional })) {
      if (isLeftOut(name, options.swiftshader) || manifest.bundleDependencies?.includes(name)) continue;
      const dependency = locate(name, folder, root);
      if (!dependency && name in optional) continue;
      if (!dependency) throw new Error(`${name} is not installed; run npm ci first`);
      if (found.has(dependency)) continue;
      found.add(dependency);
      // Of the browser package only the archive of the driver is used.
      if (name !== "@sparticuz/chromium") visit(dependency);
    }
  };
  visit(root);
  // A package nested in another's folder travels with it.
  const folders = [...found].sort();
  return folders.filter((folder) => !folders.some((other) => folder.startsWith(`${other}/`)));
}

function isLeftOut(name: string, swiftshader: boolean): boolean {
  if (SWIFTSHADER.includes(name)) return !swiftshader;
  // Native modules of the Bare runtime, and types.
  return name.startsWith("bare-") || name.startsWith("@types/") || name === "@webgpu/types";
}

/** Node's own rule: the nearest node_modules at or above `from`. */
function locate(name: string, from: string, root: string): string | null {
  for (let folder = from; folder.startsWith(root); folder = dirname(folder)) {
    const candidate = join(folder, "node_modules", name);
    if (existsSync(join(candidate, "package.json"))) return candidate;
  }
  return null;
}

const NOT_AT_RUN_TIME = [
  /\.d\.[cm]?ts$/,
  /\.[cm]?tsx?$/,
  /\.(map|tsbuildinfo)$/,
  /\/(?!licen[cs]e)[^/]*\.(md|markdown)$/i,
  /\/(tests?|__tests__|examples?|docs|coverage|\.github)$/,
  /^node_modules\/@resvg\/resvg-js-(?!linux-x64-gnu)/,
  /^node_modules\/webgpu\/build$/,
  /^node_modules\/webgpu\/dist\/(?!linux-x64)/,
  /^node_modules\/@sparticuz\/chromium\/build$/,
  /^node_modules\/@sparticuz\/chromium\/bin\/(?!swiftshader\.tar\.br$)/,
];

/** Whether a file or folder, given from the root (`node_modules/zod/index.js`), belongs into the bundle. */
export function isRuntimeFile(path: string): boolean {
  return !NOT_AT_RUN_TIME.some((pattern) => pattern.test(path));
}
