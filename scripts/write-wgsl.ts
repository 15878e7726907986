/** Writes the kernel files as JavaScript into the built package, beside the host code that imports them. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { packageRoot } from "../bench/base/paths.js";
import { kernelModules, kernelTexts } from "./wgsl-modules.js";

for (const [file, code] of kernelModules(kernelTexts())) {
  const path = join(packageRoot, "dist", `${file}.js`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, code);
}
