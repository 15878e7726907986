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
  const texts: Record<string, string> = {};
  for (const entry of readdirSync(join(root, folder), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.(wgsl|wesl)$/.test(entry.name)) continue;
    const path = join(entry.parentPath, entry.name);
    texts[prefix + relative(root, path).split(sep).join("/")] = readFileSync(path, "utf8");
  }
  addKernels(texts);
  return texts;
}
