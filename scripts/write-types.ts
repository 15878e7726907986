/**
 * Gives built declarations that need them TypeScript's library DOM, which has WebGPU's types, and URL for zod's, and the one of disposable
 * objects. In the sources DOM would make a browser's globals known to code for Node; and the compiler leaves such lines out of declarations.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../bench/base/paths.js";

const DOM = '/// <reference lib="dom" />\n';
const DISPOSABLE = '/// <reference lib="esnext.disposable" />\n';
const dist = join(packageRoot, "dist");

for (const name of readdirSync(dist, { recursive: true, encoding: "utf8" })) {
  if (!name.endsWith(".d.ts")) continue;
  const text = readFileSync(join(dist, name), "utf8");
  if (text.startsWith("/// <reference lib")) continue;
  const wanted = `${/\bGPU[A-Z]|from "zod"/.test(text) ? DOM : ""}${text.includes("Symbol.dispose") ? DISPOSABLE : ""}`;
  if (wanted !== "") writeFileSync(join(dist, name), wanted + text);
}
