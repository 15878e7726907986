/**
 * Gives built declarations that need it TypeScript's library DOM, which has WebGPU's types, and URL for zod's. In the sources it
 * would make a browser's globals known to code for Node; and the compiler leaves such lines out of declarations.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../bench/base/paths.js";

const DOM = '/// <reference lib="dom" />\n';
const dist = join(packageRoot, "dist");

for (const name of readdirSync(dist, { recursive: true, encoding: "utf8" })) {
  if (!name.endsWith(".d.ts")) continue;
  const text = readFileSync(join(dist, name), "utf8");
  if (/\bGPU[A-Z]|from "zod"/.test(text) && !text.startsWith(DOM)) writeFileSync(join(dist, name), DOM + text);
}
