/** Kernel texts from files, for the linker, which knows none: a bundler for browsers would fill it in their place. */
import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { packageRoot } from "../base/paths.js";
import { addKernels } from "./link.js";

const FOLDERS = ["kernels", "bench"];
let added = false;

/** Makes the package's own kernels known to the linker. */
export function addPackageKernels(): void {
  if (added) return;
  for (const folder of FOLDERS) addKernelFolder(packageRoot, folder);
  added = true;
}

/** Makes the .wgsl and .wesl files below `root/folder` known under their path from `root`, after `prefix`; their texts. */
export function addKernelFolder(root: string, folder: string, prefix = ""): Readonly<Record<string, string>> {
  const texts = Object.fromEntries(kernelTextsIn(root, folder).map(([path, text]) => [prefix + path, text]));
  addKernels(texts);
  return texts;
}

/** The texts of these files, by their paths from `root`. */
export function kernelTextsIn(root: string, folder: string): [path: string, text: string][] {
  const entries = readdirSync(join(root, folder), { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && /\.(wgsl|wesl)$/.test(entry.name));
  const paths = files.map((entry) => join(entry.parentPath, entry.name));
  return paths.map((path) => [relative(root, path).split(sep).join("/"), readFileSync(path, "utf8")]);
}
